// @ts-check
// The banner that says whether the server can be reached, and requests that are repeated until it has answered.

import { alertUser, announce, h } from "./dom.js";
import { t } from "./text.js";

/** @typedef {"connecting" | "open" | "lost" | "offline" | "busy" | "full"} LinkState */

/** @type {Record<"lost" | "offline" | "busy" | "full", string>} */
const WORDS = {
  lost: t("Connection lost. Everything is saved; reconnecting …"),
  offline: t("You are offline. Everything is saved and continues when you are back."),
  busy: t("The server is busy. Your move will be sent again in a moment …"),
  full: t("The server cannot save moves right now, because its disk is full. Your move will be sent again …"),
};

/** The pause before a request is repeated, in milliseconds. With a random part, not all clients ask at the same time. */
export const retryPause = () => 500 + 1000 * Math.random();

/** Shows or hides the banner, which is created if the page has none. @param {LinkState} state */
export function showLink(state) {
  if (state === "connecting") return;
  let banner = document.getElementById("connection");
  if (!banner && state === "open") return;
  if (!banner) {
    banner = h("p", { id: "connection", class: "banner is-sticky", hidden: true });
    document.getElementById("main")?.prepend(banner);
  }
  const wasHidden = banner.hidden;
  banner.hidden = state === "open";
  if (state !== "open") banner.textContent = WORDS[state];
  if (state === "open" && !wasHidden) announce(t("The connection is back."));
  if (state !== "open" && wasHidden) alertUser(WORDS[state]);
}

/** Says that there is no connection: that the browser is offline only if it knows so. */
export const showLost = () => showLink(navigator.onLine ? "lost" : "offline");

/** Sends a request, and repeats it until the server has answered. @param {() => Promise<Response>} send @returns {Promise<Response>} */
export async function persist(send) {
  for (;;) {
    const response = await send().catch(() => null);
    if (response && response.status !== 503) {
      showLink("open");
      return response;
    }
    showLost();
    await new Promise((resolve) => setTimeout(resolve, retryPause()));
  }
}
