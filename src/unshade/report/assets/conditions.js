"use strict";
// Conditions to run to, as `unshade debug --break` takes them:
//   17   light.hlsl:7   mul   r0.x   finding   nan   r0.x > 3   17 if r0.x > 3
//   r0.x > 3 and line == 17

/** @type {Record<string, (a: number, b: number) => boolean>} */
const COMPARISONS = {
  "==": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b,
  "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
};
const LINE = /^line\s*==\s*(\d+)$/;
const CONDITION = /^(\S+?)\s*(==|!=|<=|>=|<|>)\s*(\S+)$/;

/** Return the steps that a condition holds at; a text says why it cannot be read.
 * @param {Trace} trace @param {Index} index @param {string} text
 * @param {{kind: string, line: number}[]} findings lines of the page's listing, from 0
 * @returns {number[] | string}
 */
function stepsWhere(trace, index, text, findings) {
  const [given, condition] = text.trim().split(/\s+if\s+(.*)/);
  const terms = (condition ?? given).trim().split(/\s+and\s+/);
  const place = condition !== undefined ? given
    : terms.find((each) => LINE.test(each)) ?? terms[0];
  const line = LINE.exec(place);
  const plain = condition === undefined && !line ? CONDITION.exec(place) : null;
  const others = condition !== undefined || plain ? terms : terms.filter((each) => each !== place);
  const here = placeTest(trace, index, line ? line[1] : plain ? plain[1] : place, findings);
  if (typeof here === "string") return here;
  /** @type {((step: number) => boolean)[]} */
  const tests = [];
  for (const each of others) {
    const compared = CONDITION.exec(each);
    if (!compared) return `expected a condition such as r0.x > 3, got ${each}`;
    const holds = comparison(trace, compared);
    if (typeof holds === "string") return holds;
    tests.push(holds);
  }
  const found = [];
  for (let step = 0; step < trace.count; step++) {
    const held = tests.map((each) => each(step)); // each follows all steps
    if (here(step) && held.every(Boolean)) found.push(step);
  }
  return found;
}

/** Return the test for a place; a text if there is no such place.
 * @param {Trace} trace @param {Index} index @param {string} text
 * @param {{kind: string, line: number}[]} findings
 * @returns {((step: number) => boolean) | string}
 */
function placeTest(trace, index, text, findings) {
  if (/^\d+$/.test(text)) return (step) => trace.line[step] === Number(text) - 1;
  if (text === "nan") return (step) => someWrite(trace, step, (at) => trace.isNaN(at));
  if (text === "finding") return (step) => isFinding(trace, step, findings);
  const source = /^(.+):(\d+)$/.exec(text);
  if (source && trace.strings.some((each, at) => endsPath(each, source[1])
    && trace.file.includes(at))) return sourceTest(trace, source[1], Number(source[2]));
  const places = placesCalled(trace, text);
  if (places.size) return (step) => someWrite(trace, step, (at) => places.has(trace.place[at]));
  const names = index.operations.map(([name]) => name === text || name.startsWith(`${text}_`)
    || name === `Op${text}`);
  if (names.some(Boolean)) return (step) => names[index.lineOperation[trace.line[step]]] ?? false;
  return `expected a line, file:line, opcode, register, nan or finding, got ${text}`;
}

/** @param {string} file @param {string} end */
function endsPath(file, end) {
  return file !== "" && (file === end || file.replaceAll("\\", "/").endsWith(`/${end}`));
}

/** Return a test that is true once for each visit of a line of a source.
 * @param {Trace} trace @param {string} file @param {number} line
 */
function sourceTest(trace, file, line) {
  const files = new Set(trace.strings.flatMap((each, at) => (endsPath(each, file) ? [at] : [])));
  /** Return the frames of a step that are at the line. @param {number} step */
  const inside = (step) => {
    const found = [];
    if (files.has(trace.file[step]) && trace.source[step] === line) found.push(trace.frame[step]);
    for (let at = trace.frame[step]; at >= 0; at = trace.caller[at]) {
      if (files.has(trace.callFile[at]) && trace.callLine[at] === line) found.push(trace.caller[at]);
    }
    return found;
  };
  let loops = "";
  return (/** @type {number} */ step) => {
    const before = step ? inside(step - 1) : [];
    const now = inside(step);
    const around = trace.strings[trace.loops[step]];
    const again = !(`${around} `.startsWith(loops ? `${loops} ` : ""));
    const enters = now.length > 0 && (now.some((each) => !before.includes(each)) || again);
    if (enters) loops = around;
    return enters;
  };
}

/** @param {Trace} trace @param {number} step @param {(at: number) => boolean} test */
function someWrite(trace, step, test) {
  for (let at = trace.firstAccess[step]; at < trace.firstAccess[step + 1]; at++) {
    if (trace.flags[at] & WRITES && test(at)) return true;
  }
  return false;
}

/** @param {Trace} trace @param {number} step @param {{kind: string, line: number}[]} findings */
function isFinding(trace, step, findings) {
  if (trace.strings[trace.notes[step]].includes("is outside")) return true;
  const kinds = findings.filter((each) => each.line === trace.line[step]).map(({ kind }) => kind);
  if (kinds.includes("nan") || kinds.includes("infinity")) {
    return someWrite(trace, step, (at) => !Number.isFinite(trace.number(at)));
  }
  return kinds.some((kind) => kind !== "out-of-bounds");
}

/** @param {Trace} trace @param {string} name */
function placesCalled(trace, name) {
  const found = new Set();
  for (let at = 0; at < trace.places.length; at++) if (trace.isCalled(at, name)) found.add(at);
  return found;
}

/** Return whether a comparison holds behind a step, to be asked for each step in order.
 * @param {Trace} trace @param {RegExpExecArray} compared name, sign, number or name
 * @returns {((step: number) => boolean) | string}
 */
function comparison(trace, [, name, sign, other]) {
  const places = placesCalled(trace, name);
  if (!places.size) return `this trace has no ${name}`;
  const given = Number(other);
  const others = Number.isNaN(given) && other !== "nan" ? placesCalled(trace, other) : null;
  if (others && !others.size) return `this trace has no ${other}`;
  /** @type {Map<number, number>[]} */
  const held = [new Map(), new Map()];
  return (step) => {
    for (let at = trace.firstAccess[step]; at < trace.firstAccess[step + 1]; at++) {
      const place = trace.place[at];
      if (places.has(place)) held[0].set(place, at);
      if (others?.has(place)) held[1].set(place, at);
    }
    const right = others ? [...held[1].values()].map((at) => trace.number(at)) : [given];
    for (const at of held[0].values()) {
      if (right.some((each) => COMPARISONS[sign](trace.number(at), each))) return true;
    }
    return false;
  };
}
