"use strict";
// The page's scripts are compressed; the policy allows this script and, by its hash, their text.

/** Return what is compressed in a text, as a response to read. The stream is fed directly: a Blob
 * would go through another process.
 * @param {string} text base64 of gzip
 */
function inflated(text) {
  const letters = atob(text.trim());
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  // Damage is reported by the reader.
  writer.write(bytes).catch(() => undefined);
  writer.close().catch(() => undefined);
  return new Response(stream.readable);
}

(async () => {
  const packed = /** @type {HTMLElement} */ (document.getElementById("code"));
  const script = document.createElement("script");
  const text = await inflated(packed.textContent ?? "").text();
  const style = document.createElement("style");
  [style.textContent, script.textContent] = text.split("\0");
  document.head.append(style);
  packed.replaceWith(script);
})();
