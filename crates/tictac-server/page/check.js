// @ts-check
// Checks a pasted or dropped record while the user types. The server renders the result.

import { announce, byId, h } from "./dom.js";
import { localPath, t } from "./text.js";

/** The pause after the last key before the record is checked, in milliseconds. */
const PAUSE = 350;
/** The largest record that the server accepts. */
const MAX_BYTES = 64 * 1024;

/** Starts the page. */
export function start() {
  const text = byId("record", HTMLTextAreaElement);
  const result = byId("result", HTMLElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
  byId("check", HTMLFormElement).addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!(await check())) return;
    const replay = result.querySelector('a[href^="/r"]');
    if (replay instanceof HTMLAnchorElement && !result.querySelector(".fault")) location.assign(replay.href);
    else result.focus();
  });
  acceptFiles(text);
  if (text.value.trim() !== "") check();
}

/** @param {HTMLTextAreaElement} text */
function acceptFiles(text) {
  const form = byId("check", HTMLFormElement);
  const input = byId("file", HTMLInputElement);
  const read = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    if (file.size > MAX_BYTES) return showError(t("This file is too large for this page. On your own computer, tictac check reads files of any size."));
    text.value = await file.text();
    await check();
  };
  byId("file-field", HTMLElement).hidden = false;
  input.addEventListener("change", () => read(input.files?.[0]));
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("dropping");
  });
  form.addEventListener("dragleave", () => form.classList.remove("dropping"));
  form.addEventListener("drop", (event) => {
    form.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    read(file);
  });
}

let lastRequest = 0;

/** Shows the result for the current text, and returns true unless a newer request has replaced this one. */
async function check() {
  const text = byId("record", HTMLTextAreaElement).value;
  const request = ++lastRequest;
  const result = byId("result", HTMLElement);
  if (text.trim() === "") {
    result.replaceChildren();
    return true;
  }
  try {
    const response = await fetch(localPath("/check/result"), { method: "POST", headers: { "content-type": "text/plain" }, body: text });
    const html = await response.text();
    if (request !== lastRequest) return false;
    result.innerHTML = html;
    announce(result.querySelector(".fault")?.getAttribute("aria-label") ?? result.querySelector(".banner")?.firstChild?.textContent ?? "");
  } catch {
    showError(t("The server, which checks games, cannot be reached."));
  }
  return true;
}

/** @param {string} text */
function showError(text) {
  byId("result", HTMLElement).replaceChildren(h("p", { class: "banner bad" }, text));
}
