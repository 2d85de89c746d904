// @ts-check
// Copying and sharing links, and downloads.

import { announce, h } from "./dom.js";

/** Starts a page that only has links to share. */
export const start = () => addShareButtons(document);

/** Adds a copy and a share button to every field that holds a link. @param {ParentNode} root */
export function addShareButtons(root) {
  for (const field of root.querySelectorAll(".share-row input[readonly]")) {
    if (!(field instanceof HTMLInputElement)) continue;
    const button = h("button", { class: "button", type: "button" }, "Copy");
    button.addEventListener("click", () => copy(field, button));
    field.after(button);
    if (!navigator.share) continue;
    // The promise is rejected if the user closes the system's dialog.
    const share = () => navigator.share({ title: "tictac", url: field.value }).catch(() => {});
    button.after(h("button", { class: "button", type: "button", onclick: share }, "Share"));
  }
}

/** @param {HTMLInputElement} field @param {HTMLButtonElement} button */
async function copy(field, button) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // There is no clipboard without a secure connection. The text stays selected.
    announce("The link is selected. Press Control C to copy it.");
    return;
  }
  const before = button.textContent;
  button.textContent = "Copied";
  announce("Link copied.");
  setTimeout(() => (button.textContent = before), 2000);
}

/** Downloads a text as a file. @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
