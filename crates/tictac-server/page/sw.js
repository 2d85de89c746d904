// The service worker. It caches the pages that need no server, so that 3×3 can be played and analysed offline after the
// first visit. The server fills in VERSION and FILES.

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
  const removeOthers = (names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(removeOthers).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  // The path contains the version, so a cached file is never outdated.
  if (request.method === "GET" && url.pathname.startsWith("/assets/")) {
    event.respondWith(caches.match(request).then((cached) => cached ?? fetch(request)));
  } else if (request.mode === "navigate") {
    // Also for forms, so that a button never leads to the browser's own error page.
    event.respondWith(fetch(request).catch(() => cachedPage(request.method === "GET" ? url.pathname : "/offline")));
  }
});

// A message of the server: it is the player's turn in the game at `path`.
self.addEventListener("push", (event) => {
  const { title, body, path } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag: path, data: path }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openGame(event.notification.data));
});

async function openGame(path) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find((window) => new URL(window.url).pathname === path);
  return open ? open.focus() : self.clients.openWindow(path);
}

async function cachedPage(path) {
  const cached = PAGES.includes(path) ? await caches.match(path) : undefined;
  return cached ?? (await caches.match("/offline")) ?? Response.error();
}
