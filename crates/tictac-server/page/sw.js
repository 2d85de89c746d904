// Keeps the pages that need no server, so that 3×3 can be played and analysed offline after the first visit.
// VERSION and FILES are filled in by the server.

const VERSION = "{{version}}";
const FILES = "{{files}}".split(" ");
const PAGES = ["/solo", "/r", "/help", "/offline"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll([...FILES, ...PAGES]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const drop = (names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  // Files bear their version in their name: what is kept is right.
  if (address.pathname.startsWith("/assets/")) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => keptPage(address.pathname)));
  }
});

async function keptPage(path) {
  const kept = PAGES.includes(path) ? await caches.match(path) : undefined;
  return kept ?? (await caches.match("/offline")) ?? Response.error();
}
