// @ts-check
// Copying and sharing links, and downloads.

import { announce, h } from "./dom.js";
import { t } from "./text.js";

/** Starts a page that only has links to share. */
export const start = () => addShareButtons(document);

/** Adds a copy and a share button to every field that holds a link. @param {ParentNode} root */
export function addShareButtons(root) {
  for (const field of root.querySelectorAll(".share-row input[readonly]")) {
    if (!(field instanceof HTMLInputElement)) continue;
    // The invitation has its own button, which shares it, or copies it where the system cannot share.
    const isInvite = field.id === "invitation" && document.getElementById("share-invite") !== null;
    if (isInvite && !navigator.share) continue;
    const button = h("button", { class: "button", type: "button" }, t("Copy"));
    button.addEventListener("click", () => copy(field, button));
    field.after(button);
    if (!navigator.share || isInvite || field.dataset.copyOnly !== undefined) continue;
    // The promise is rejected if the user closes the system's dialog.
    const share = () => navigator.share({ title: "tictac", url: field.value }).catch(() => {});
    button.after(h("button", { class: "button", type: "button", onclick: share }, t("Share")));
  }
}

/** Shows the one button that invites a friend: with the system's dialog, or else by copying the link. */
export function offerInvite() {
  const [button, field] = [document.getElementById("share-invite"), document.getElementById("invitation")];
  if (!(button instanceof HTMLButtonElement) || !(field instanceof HTMLInputElement)) return;
  button.hidden = false;
  if (!navigator.share) button.textContent = t("Copy invite");
  button.addEventListener("click", () => (navigator.share ? navigator.share({ text: t("Play tic-tac-toe with me"), url: field.value }).catch(() => {}) : copy(field, button)));
  const fold = document.querySelector("details.qr-fold");
  if (fold instanceof HTMLDetailsElement) fold.open = matchMedia("(min-width: 52rem)").matches;
}

/** @param {HTMLInputElement} field @param {HTMLButtonElement} button */
async function copy(field, button) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // There is no clipboard without a secure connection. The text stays selected.
    announce(t("The link is selected. Press Control C to copy it."));
    return;
  }
  const before = button.textContent;
  button.textContent = t("Copied");
  announce(t("Link copied."));
  setTimeout(() => (button.textContent = before), 2000);
}

/** Downloads a text as a file. @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
