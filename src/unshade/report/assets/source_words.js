"use strict";
// Words of HLSL, GLSL, WGSL, SkSL and Slang, and their kinds, which have the colours of listings.

const SOURCE_WORD = new RegExp([
  "//.*", "/\\*.*?(?:\\*/|$)", "^\\s*#.*", '"(?:[^"\\\\]|\\\\.)*"',
  "(?<![\\w.])(?:0x[\\da-f]+|(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?)\\w*", "[a-z_]\\w*",
].join("|"), "gi");
const SOURCE_FLOW = new Set(
  "if else for while do loop switch case default return break continue continuing discard".split(" "),
);
const SOURCE_DECLARATION = new Set(
  ("struct cbuffer register packoffset layout uniform buffer const static groupshared shared in out"
    + " inout precise centroid sample flat nointerpolation noperspective row_major column_major"
    + " readonly writeonly coherent globallycoherent fn let var typedef precision"
  ).split(" "),
);
const SOURCE_TYPE = new RegExp(
  "^(?:void|(?:bool|u?int(?:16|64)?(?:_t)?|(?:min16)?float(?:16|64)?(?:_t)?|half|double|min16u?int"
  + "|u32|i32|f16|f32)(?:[1-4](?:x[1-4])?)?|[biud]?vec[234]\\w*|d?mat[234]\\w*|array|atomic"
  + "|\\w*(?:Buffer|Stream|Patch|Texture[123C]\\w*)|[iu]?(?:image|texture)[123CB_]\\w*|[iu]?sampler\\w*"
  + "|Sampler\\w*State|shader|colorFilter|blender)$",
);

/** Return the words of a line and their kinds, "" for those without a colour.
 * @param {string} text @param {boolean} inside true if a comment of lines before goes on
 * @returns {[string, string][]}
 */
function sourceWords(text, inside) {
  /** @type {[string, string][]} */
  const found = [];
  let from = 0;
  if (inside) {
    const end = text.indexOf("*/");
    from = end < 0 ? text.length : end + 2;
    found.push(["comment", text.slice(0, from)]);
  }
  SOURCE_WORD.lastIndex = from;
  for (let match = SOURCE_WORD.exec(text); match; match = SOURCE_WORD.exec(text)) {
    const [word] = match;
    const kind = sourceKind(word, text.slice(SOURCE_WORD.lastIndex));
    if (!kind) continue;
    if (match.index > from) found.push(["", text.slice(from, match.index)]);
    found.push([kind, word]);
    from = SOURCE_WORD.lastIndex;
  }
  if (from < text.length) found.push(["", text.slice(from)]);
  return found;
}

/** @param {string} word @param {string} rest @returns {string} */
function sourceKind(word, rest) {
  if (word.startsWith("//") || word.startsWith("/*")) return "comment";
  if (word.trimStart().startsWith("#")) return "declaration";
  if (/^["\d.]/.test(word)) return "literal";
  if (SOURCE_FLOW.has(word)) return "flow";
  if (SOURCE_DECLARATION.has(word)) return "declaration";
  if (word === "true" || word === "false") return "literal";
  if (SOURCE_TYPE.test(word)) return "word";
  return /^\s*\(/.test(rest) ? "operation" : "";
}

/** Return for each line whether a comment of lines before goes on at its start.
 * @param {string[]} lines @returns {boolean[]}
 */
function commentsGoOn(lines) {
  let inside = false;
  return lines.map((text) => {
    const before = inside;
    for (const [kind, word] of sourceWords(text, before)) {
      if (kind !== "comment" || word.startsWith("//")) continue;
      inside = !word.endsWith("*/") || word === "/*/";
    }
    return before;
  });
}
