"use strict";
// A service worker that keeps every file of the playground, so that it works without a network.
// files.json names them, with a version; a new version replaces the files as a whole.

const scope = /** @type {any} */ (self);
const PREFIX = "unshade-";

async function keep() {
  const listed = await (await fetch("files.json", { cache: "no-store" })).json();
  const name = PREFIX + listed.version;
  if (!(await caches.has(name))) {
    const part = await caches.open(`${name}-part`);
    await part.addAll(["./", ...listed.files]);
    const whole = await caches.open(name);
    for (const request of await part.keys()) {
      const kept = await part.match(request);
      if (kept) await whole.put(request, kept);
    }
  }
  for (const each of await caches.keys()) {
    if (each.startsWith(PREFIX) && each !== name) await caches.delete(each);
  }
}

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(keep().then(() => scope.skipWaiting()));
});
scope.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(scope.clients.claim());
});
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const asked = event.request;
  if (asked.method !== "GET" || new URL(asked.url).origin !== location.origin) return;
  event.respondWith(caches.match(asked, { ignoreSearch: true }).then((kept) => kept ?? fetch(asked)));
});
