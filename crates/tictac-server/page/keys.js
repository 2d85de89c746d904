// @ts-check
// Keys that work on the whole page, and the dialog that lists them. Single letters can be switched off, because
// speech input may type them by accident.

import { byId, h } from "./dom.js";

const SETTING = "tictac-letters";

/** @returns {boolean} */
const lettersAreOn = () => localStorage.getItem(SETTING) !== "off";

/**
 * Listens for keys outside fields; a handler returns nothing.
 * @param {Record<string, () => void>} handlers by the key's name
 */
export function listen(handlers) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target;
    const isField = target instanceof HTMLElement && target.closest("input:not([type=radio], [type=checkbox], [type=submit]), textarea, select, dialog[open]");
    if (isField) return;
    const handler = handlers[event.key];
    if (!handler || (event.key.length === 1 && !lettersAreOn())) return;
    event.preventDefault();
    handler();
  });
}

/** Opens the list of keys with its button, and returns what opens it. */
export function keysDialog() {
  const dialog = byId("keys", HTMLDialogElement);
  const setting = byId("letters", HTMLInputElement);
  setting.checked = lettersAreOn();
  setting.addEventListener("change", () => localStorage.setItem(SETTING, setting.checked ? "on" : "off"));
  const open = () => dialog.showModal();
  byId("keys-place", HTMLElement).append(h("button", { class: "button", type: "button", onclick: open }, "Keys"));
  return open;
}
