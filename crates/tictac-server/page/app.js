// @ts-check
// The entry point, loaded by every page: it starts the module of the page and registers the service worker.

document.documentElement.classList.add("has-script");

/** @type {Record<string, () => Promise<{ start: () => void }>>} */
const PAGES = {
  play: () => import("./play.js"),
  replay: () => import("./replay.js"),
  check: () => import("./check.js"),
  solo: () => import("./solo.js"),
  share: () => import("./share.js"),
  offline: async () => ({ start: retry }),
};

/** Loads the page again as soon as the server can be reached. */
function retry() {
  setInterval(() => fetch("/healthz").then((response) => response.ok && location.reload(), () => {}), 3000);
}

const page = PAGES[document.body.dataset.page ?? ""];
if (page) page().then(({ start }) => start());

if ("serviceWorker" in navigator) {
  // If it cannot be registered, everything still works while online.
  navigator.serviceWorker.register("/sw.js").catch(() => {});
}
