"use strict";
// Ways through a trace: by line of the source, over and out of calls, by visit of a line.

/** Return the number of calls around a step. @param {Trace} trace @param {number} step */
function depthOf(trace, step) {
  let depth = 0;
  for (let at = trace.frame[step]; at >= 0 && trace.caller[at] >= 0; at = trace.caller[at]) depth++;
  return depth;
}

/** Return what steps of one visit of a line share: of the source if known, else of the listing.
 * @param {Trace} trace @param {number} step
 */
function visitKey(trace, step) {
  const place = trace.source[step] ? `${trace.file[step]}:${trace.source[step]}` : trace.line[step];
  return `${place} ${trace.frame[step]} ${trace.loops[step]}`;
}

/** Return the next step of another line of the source; -1 at the end.
 * @param {Trace} trace @param {number} step @param {1 | -1} way
 * @param {"into" | "over" | "out"} how
 */
function sourceStep(trace, step, way, how) {
  const here = visitKey(trace, step);
  const inside = depthOf(trace, step);
  const most = how === "into" ? Infinity : how === "over" ? inside : inside - 1;
  let found = step + way;
  while (found >= 0 && found < trace.count) {
    if (visitKey(trace, found) !== here && depthOf(trace, found) <= most) break;
    found += way;
  }
  if (found < 0 || found >= trace.count) return -1;
  // Backwards to the first instruction of the line.
  while (way < 0 && found > 0 && visitKey(trace, found - 1) === visitKey(trace, found)) found--;
  return found;
}

/** Return the next step of a line in a direction, from the other end if there is none.
 * @param {Trace} trace @param {number} line @param {number} step @param {1 | -1} way
 */
function nextVisit(trace, line, step, way) {
  for (let tried = 1, at = step; tried <= trace.count; tried++) {
    at = (at + way + trace.count) % trace.count;
    if (trace.line[at] === line) return at;
  }
  return -1;
}

/** Return the number of each step among the steps of its line, and how many each line has.
 * @param {Trace} trace @returns {[Int32Array, Map<number, number>]}
 */
function visitsOf(trace) {
  const found = new Int32Array(trace.count);
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let at = 0; at < trace.count; at++) {
    const line = trace.line[at];
    found[at] = (counts.get(line) ?? 0) + 1;
    counts.set(line, found[at]);
  }
  return [found, counts];
}

/** Return the frames of a step, innermost first, as `shade, called from main.hlsl:31`.
 * @param {Trace} trace @param {number} step
 */
function callsOf(trace, step) {
  const words = [];
  for (let at = trace.frame[step]; at >= 0; at = trace.caller[at]) {
    const place = trace.callLine[at]
      ? `${trace.strings[trace.callFile[at]]}:${trace.callLine[at]}` : "";
    const name = trace.strings[trace.function[at]];
    if (name) words.push(trace.caller[at] >= 0 && place ? `${name}, called from ${place}` : name);
  }
  return words.length ? `in ${words.join(" in ")}` : "";
}
