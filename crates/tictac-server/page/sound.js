// @ts-check
// Short sounds and vibrations. Browsers allow them only after the first click or key; the button at the top mutes them.

import { recall, remember } from "./dom.js";

/** @typedef {"mine" | "theirs" | "win" | "loss" | "draw" | "pop"} Sound */

const SETTING = "tictac-sound";

/** The notes of each sound: frequency in hertz, start and length in seconds. @type {Record<Sound, [number, number, number][]>} */
const NOTES = {
  mine: [[520, 0, 0.07]],
  theirs: [[390, 0, 0.09]],
  pop: [[780, 0, 0.06]],
  win: [
    [523, 0, 0.12],
    [659, 0.11, 0.12],
    [784, 0.22, 0.12],
    [1047, 0.33, 0.3],
  ],
  loss: [
    [392, 0, 0.16],
    [330, 0.15, 0.16],
    [262, 0.3, 0.32],
  ],
  draw: [
    [440, 0, 0.14],
    [440, 0.18, 0.22],
  ],
};
/** How long each sound vibrates, in milliseconds. @type {Partial<Record<Sound, number[]>>} */
const VIBRATIONS = { theirs: [25], win: [40, 60, 40, 60, 120], loss: [120], draw: [60] };

/** @type {AudioContext | null} */
let audio = null;

const isOn = () => recall(SETTING) !== "off";

/** Shows the mute button, and waits for the first interaction. */
export function startSound() {
  const button = document.getElementById("sound");
  if (!button) return;
  const show = () => button.setAttribute("aria-pressed", String(isOn()));
  button.hidden = false;
  button.addEventListener("click", () => {
    remember(SETTING, isOn() ? "off" : "on");
    show();
    play("pop");
  });
  show();
  const unlock = () => {
    if (typeof AudioContext === "function") audio ??= new AudioContext();
    audio?.resume();
  };
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, unlock, { once: true, capture: true });
}

/** Plays a sound, unless it is muted or the page has not been touched yet. @param {Sound} sound */
export function play(sound) {
  if (!isOn() || !audio) return;
  for (const [frequency, start, length] of NOTES[sound]) playNote(audio, frequency, audio.currentTime + start, length);
  const vibration = VIBRATIONS[sound];
  if (vibration && "vibrate" in navigator) navigator.vibrate(vibration);
}

/** @param {AudioContext} context @param {number} frequency @param {number} start @param {number} length */
function playNote(context, frequency, start, length) {
  const [oscillator, gain] = [context.createOscillator(), context.createGain()];
  oscillator.type = "triangle";
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0.12, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}
