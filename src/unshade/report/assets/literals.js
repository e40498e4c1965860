"use strict";
// From a number in the listing to the field that holds it.

const NUMBER = /(?<![\w.%@])-?(?:0x[0-9a-f]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?)/gi;
const DIGITS = 5e-7; // what a listing with six digits leaves out

/** Tell whether a number of a listing is that of a field. @param {number} shown
 * @param {number} held
 */
function sameNumber(shown, held) {
  return Math.abs(shown - held) <= DIGITS * Math.max(1, Math.abs(held));
}

/** Return the field that holds the number at a letter of a line, -1 if it is not known.
 * @param {Index} index @param {number} line @param {number} letter
 */
function literalAt(index, line, letter) {
  const numbers = [...index.lines[line].matchAll(NUMBER)];
  const at = numbers.findIndex((each) => each.index <= letter && letter < each.index + each[0].length);
  if (at < 0) return -1;
  const number = Number(numbers[at][0]);
  const before = numbers.slice(0, at).filter((each) => Number(each[0]) === number).length;
  const held = index.shownWith(index.lineNode[line], line).flatMap((node) => (
    node < 0 ? [] : constantsOf(index, node).filter((each) => (
      sameNumber(number, Number(index.strings[index.value[each]].replaceAll('"', "")))
    ))
  ));
  return held[Math.min(before, held.length - 1)] ?? -1;
}

const CLOSE = 3; // steps of a path up to one that says what holds constants: rows[3].x

/** Return the fields below a node that hold constants. @param {Index} index @param {number} above */
function constantsOf(index, above) {
  const found = [];
  for (let node = above; node < index.after[above]; node++) {
    if (index.after[node] !== node + 1 || index.kind[node] !== 1) continue;
    for (let at = node, up = 0; at >= 0 && up < CLOSE; at = index.parent(at), up++) {
      if (!index.constants.has(index.step(at))) continue;
      found.push(node);
      break;
    }
  }
  return found;
}
