// @ts-check
// Reactions: the buttons that send one of six emoji, and the emoji that appear next to a player. They are not stored.

import { announce, byId, h, recall, remember } from "./dom.js";
import { play } from "./sound.js";
import { t } from "./text.js";

/** @typedef {import("./notation.js").Side} Side */

const SETTING = "tictac-reactions";
/** How long an emoji is shown, in milliseconds. */
const SHOWN = 2600;
/** The pause that the server asks of a player between two reactions, in milliseconds, and a little more. */
const PAUSE = 800;

const areHidden = () => recall(SETTING) === "off";

export class Reactions {
  #bar = byId("reactions", HTMLElement);

  /** @param {(reaction: string) => void} send */
  constructor(send) {
    for (const button of this.#buttons) {
      button.addEventListener("click", () => {
        if (button.getAttribute("aria-disabled") === "true") return;
        send(button.value);
        this.#disable(true);
        setTimeout(() => this.#disable(false), PAUSE);
      });
    }
    const hide = byId("hide-reactions", HTMLElement);
    const draw = () => {
      hide.setAttribute("aria-pressed", String(areHidden()));
      for (const button of this.#buttons) button.hidden = areHidden();
    };
    hide.addEventListener("click", () => {
      remember(SETTING, areHidden() ? "on" : "off");
      draw();
    });
    draw();
  }

  /** @returns {HTMLButtonElement[]} */
  get #buttons() {
    return [...this.#bar.querySelectorAll("button.emoji")].filter((button) => button instanceof HTMLButtonElement);
  }

  /** @param {boolean} off */
  #disable(off) {
    for (const button of this.#buttons) button.setAttribute("aria-disabled", String(off));
  }

  /** Shows the buttons in a game of two people. Spectators can only hide reactions. @param {boolean} isOffered @param {boolean} canSend */
  offer(isOffered, canSend) {
    this.#bar.hidden = !isOffered;
    // A device that was revoked has become one of a spectator.
    if (!canSend) for (const button of this.#buttons) button.remove();
  }

  /** Shows a reaction next to its player. @param {Side} by @param {string} reaction */
  show(by, reaction) {
    const player = document.querySelector(`.player[data-side="${by}"]`);
    const button = document.querySelector(`#reactions button[value="${reaction}"]`);
    const emoji = button?.textContent ?? EMOJI[reaction];
    if (areHidden() || !player || !emoji) return;
    const box = player.getBoundingClientRect();
    const bubble = h("div", { class: "bubble", "aria-hidden": "true" }, emoji);
    document.body.append(bubble);
    bubble.style.left = `${box.left + box.width / 2 + scrollX}px`;
    bubble.style.top = `${box.bottom + scrollY}px`;
    setTimeout(() => bubble.remove(), SHOWN);
    const name = player.querySelector("b")?.textContent ?? "";
    announce(t("{name} reacts: {reaction}", { name, reaction: button?.getAttribute("aria-label") ?? emoji }));
    play("pop");
  }
}

/** For spectators, who have no buttons. @type {Record<string, string>} */
const EMOJI = { "thumbs-up": "👍", applause: "👏", laugh: "😄", surprise: "😮", thinking: "🤔", party: "🎉" };
