// @ts-check
// The one script that every page loads: it starts what the page needs, and keeps the pages for days without a network.

document.documentElement.classList.add("has-script");

/** @type {Record<string, () => Promise<{ start: () => void }>>} */
const PAGES = {
  play: () => import("./play.js"),
  replay: () => import("./replay.js"),
  check: () => import("./check.js"),
  solo: () => import("./solo.js"),
};

const page = PAGES[document.body.dataset.page ?? ""];
if (page) page().then(({ start }) => start());

if ("serviceWorker" in navigator) {
  // Without it everything works but offline.
  navigator.serviceWorker.register("/sw.js").catch(() => {});
}
