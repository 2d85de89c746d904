// @ts-check
// Links: copy, share, QR, downloads.

import { h } from "./dom.js";
import { sayPolitely } from "./say.js";

/** Puts buttons to copy and to share beside every field that holds a link. @param {ParentNode} root */
export function wireCopies(root) {
  for (const field of root.querySelectorAll(".share-row input[readonly]")) {
    if (!(field instanceof HTMLInputElement)) continue;
    const button = h("button", { class: "button", type: "button" }, "Copy");
    button.addEventListener("click", () => copy(field, button));
    field.after(button);
    if (!navigator.share) continue;
    // Whoever closes the sheet of the system has changed his mind; that is no error.
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
    // Without a secure connection there is no clipboard; the text stays selected for the keyboard.
    sayPolitely("The link is selected: copy it with Control C.");
    return;
  }
  const before = button.textContent;
  button.textContent = "Copied";
  sayPolitely("The link was copied.");
  setTimeout(() => (button.textContent = before), 2000);
}

/** Offers a text as a file. @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Where the picture of a link's QR code is; the path is of this server only. @param {string} path */
export const qrOf = (path) => `/qr.svg?path=${encodeURIComponent(path)}`;
