"use strict";
// The page's scripts are compressed; the policy allows this script and, by its hash, their text.
(async () => {
  const packed = /** @type {HTMLElement} */ (document.getElementById("code"));
  const bytes = Uint8Array.from(atob(packed.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  packed.replaceWith(script);
})();
