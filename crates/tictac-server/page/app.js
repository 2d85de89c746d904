// @ts-check
// The entry point, loaded by every page: it starts the module of the page, remembers the user's name and language, and registers the
// service worker.

import { recall, remember } from "./dom.js";
import { startSound } from "./sound.js";

document.documentElement.classList.add("has-script");

/** @type {Record<string, () => Promise<{ start: () => void }>>} */
const PAGES = {
  home: () => import("./home.js"),
  play: () => import("./play.js"),
  replay: () => import("./replay.js"),
  check: () => import("./check.js"),
  solo: () => import("./solo.js"),
  share: () => import("./share.js"),
  tournament: () => import("./tournament.js"),
  lesson: () => import("./lesson.js"),
  embed: () => import("./embed.js"),
  offline: async () => ({ start: retry }),
};

/** The pages that show their own connection, or need none. */
const WITHOUT_BANNER = ["play", "tournament", "solo", "replay", "embed", "offline"];

/** Opens the page again as soon as the server can be reached, and says why it cannot. */
function retry() {
  const say = () => {
    for (const id of ["is-offline", "is-unreachable"]) document.getElementById(id)?.toggleAttribute("hidden", navigator.onLine === (id === "is-offline"));
  };
  say();
  addEventListener("online", say);
  addEventListener("offline", say);
  // A form is not sent a second time: its address is opened instead.
  setInterval(() => fetch("/healthz").then((response) => response.ok && location.replace(location.href), () => {}), 1000);
}

/** Says on every page when the browser is offline. */
function watchNetwork() {
  if (WITHOUT_BANNER.includes(document.body.dataset.page ?? "")) return;
  const show = (/** @type {"offline" | "open"} */ state) => () => import("./link.js").then(({ showLink }) => showLink(state), () => {});
  addEventListener("offline", show("offline"));
  addEventListener("online", show("open"));
}

const NAME = "tictac-name";
const LANGUAGE = "tictac-language";

/** Fills in the name that was used last, and keeps a new one. */
function rememberName() {
  const field = document.querySelector("input[name=name]:not([data-own])");
  if (!(field instanceof HTMLInputElement)) return;
  field.value ||= recall(NAME) ?? "";
  field.form?.addEventListener("submit", () => remember(NAME, field.value.trim()));
}

/** Keeps a chosen language. A page that was opened without it is loaded again in that language. */
function rememberLanguage() {
  const url = new URL(location.href);
  const chosen = url.searchParams.get("lang");
  const kept = recall(LANGUAGE);
  if (chosen) remember(LANGUAGE, chosen);
  else if (kept && kept !== document.documentElement.lang && document.body.dataset.page !== "offline") {
    url.searchParams.set("lang", kept);
    location.replace(url);
  }
  // The link keeps the rest of the address.
  for (const link of document.querySelectorAll("a.language")) {
    if (!(link instanceof HTMLAnchorElement)) continue;
    url.searchParams.set("lang", link.hreflang);
    link.href = url.href;
  }
}

rememberLanguage();
rememberName();
startSound();
watchNetwork();
const page = PAGES[document.body.dataset.page ?? ""];
if (page) page().then(({ start }) => start());

if ("serviceWorker" in navigator && !document.body.classList.contains("is-embedded")) {
  // If it cannot be registered, everything still works while online.
  navigator.serviceWorker.register("/sw.js").catch(() => {});
}
