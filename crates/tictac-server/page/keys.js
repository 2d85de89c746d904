// @ts-check
// Keyboard shortcuts of the page, and the dialog that lists them. Single letters can be turned off, because speech input may
// type them by accident.

import { byId, h, recall, remember } from "./dom.js";
import { t } from "./text.js";

const SETTING = "tictac-letters";

const areLettersOn = () => recall(SETTING) !== "off";

/** Handles keys that are pressed outside of fields. @param {Record<string, () => void>} handlers by the name of the key */
export function onKeys(handlers) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const { target } = event;
    const isField = target instanceof HTMLElement && target.closest("input:not([type=radio], [type=checkbox], [type=submit]), textarea, select, dialog[open]");
    const handler = handlers[event.key];
    if (isField || !handler || (event.key.length === 1 && !areLettersOn())) return;
    event.preventDefault();
    handler();
  });
}

/** Adds the button that opens the list of shortcuts, and returns the function that opens it. */
export function shortcutsDialog() {
  const dialog = byId("keys", HTMLDialogElement);
  const setting = byId("letters", HTMLInputElement);
  setting.checked = areLettersOn();
  setting.addEventListener("change", () => remember(SETTING, setting.checked ? "on" : "off"));
  const open = () => dialog.showModal();
  byId("keys-place", HTMLElement).append(h("button", { class: "button", type: "button", onclick: open }, t("Shortcuts")));
  return open;
}
