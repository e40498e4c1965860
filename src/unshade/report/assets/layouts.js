"use strict";
// Constant buffers as rows of sixteen bytes: a piece for each vector, hatched where nothing is.

const ROW = 16; // bytes

/** @typedef {{text: string, counts?: number[], strides?: number[], vectors?: number,
 *   distance?: number, length?: number, width?: number, members?: [string, number, Kind][]}} Kind */
/** @typedef {{title: string, size: number, registers: string,
 *   variables: [string, number, Kind, boolean][]}} Layout */
/** @typedef {{name: string, text: string, at: number, size: number, length: number, hue: number,
 *   used: boolean}} Vector */

/** Yield the vectors of a value between two bytes. @param {string} name @param {Kind} kind
 * @param {number} start @param {number} from @param {number} to @param {number} depth
 * @returns {Generator<Omit<Vector, "hue" | "used">>}
 */
function* pieces(name, kind, start, from, to, depth = 0) {
  const counts = kind.counts ?? [];
  if (depth < counts.length) {
    const stride = kind.strides?.[depth] || ROW;
    const last = (counts[depth] || 1) - 1;
    const end = Math.min(last, Math.floor((to - 1 - start) / stride));
    for (let at = Math.max(0, Math.floor((from - start) / stride)); at <= end; at++) {
      yield* pieces(`${name}[${at}]`, kind, start + at * stride, from, to, depth + 1);
    }
  } else if (kind.members) {
    for (const [member, offset, type] of kind.members) {
      if (start + offset >= to) continue;
      yield* pieces(`${name}.${member}`, type, start + offset, from, to);
    }
  } else {
    const { vectors = 1, distance = ROW, length = 1, width = 4 } = kind;
    for (let at = 0; at < vectors; at++) {
      const first = start + at * distance;
      if (first >= to || first + length * width <= from) continue;
      const step = vectors > 1 ? `[${at}]` : "";
      yield { name: name + step, text: kind.text, at: first, size: length * width, length };
    }
  }
}

/** Return the pieces of a row of a layout. @param {Layout} layout @param {number} row */
function piecesOf(layout, row) {
  const from = row * ROW;
  /** @type {Vector[]} */
  const found = [];
  const ends = endsOf(layout);
  let hue = 0; // the first variable that may reach the row
  for (let high = ends.length; hue < high; ) {
    const middle = (hue + high) >> 1;
    if (ends[middle] <= from) hue = middle + 1;
    else high = middle;
  }
  for (; hue < ends.length && layout.variables[hue][1] < from + ROW; hue++) {
    const [name, offset, kind, used] = layout.variables[hue];
    for (const each of pieces(name, kind, offset, from, from + ROW)) {
      found.push({ ...each, hue, used });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

/** @type {WeakMap<Layout, Float64Array>} */
const knownEnds = new WeakMap();

/** Return for each variable where it and those before it end at the latest; variables are in the
 * order of their offsets. @param {Layout} layout
 */
function endsOf(layout) {
  const known = knownEnds.get(layout);
  if (known) return known;
  const found = new Float64Array(layout.variables.length);
  layout.variables.forEach(([, offset, kind], at) => {
    found[at] = Math.max(at ? found[at - 1] : 0, offset + sizeOf(kind));
  });
  knownEnds.set(layout, found);
  return found;
}

/** Return the number of bytes from the start of a value to its end. @param {Kind} kind */
function sizeOf(kind) {
  const { counts = [], strides = [], vectors = 1, distance = ROW, length = 1, width = 4 } = kind;
  let size = kind.members ? 0 : distance * (vectors - 1) + length * width;
  for (const [, offset, type] of kind.members ?? []) size = Math.max(size, offset + sizeOf(type));
  counts.forEach((count, depth) => {
    size += (Math.max(count, 1) - 1) * (strides[depth] || ROW);
  });
  return size;
}

/** Return the bytes of a row in which nothing lies, as [first, end). @param {Layout} layout
 * @param {Vector[]} found @param {number} row
 */
function holes(layout, found, row) {
  const end = Math.min((row + 1) * ROW, layout.size);
  let at = row * ROW;
  /** @type {[number, number][]} */
  const free = [];
  for (const each of found) {
    if (each.at > at) free.push([at, each.at]);
    at = Math.max(at, each.at + each.size);
  }
  if (at < end) free.push([at, end]);
  return free;
}

/** Draw a layout. @param {Layout} layout */
function drawLayout(layout) {
  const host = document.createElement("div");
  host.className = "layout";
  const count = Math.ceil(layout.size / ROW);
  const shown = Math.min(count, 12);
  host.style.height = `${shown * 26 + 2}px`;
  host.tabIndex = count > shown ? 0 : -1;
  host.setAttribute("role", "group");
  host.setAttribute("aria-label", `Layout of ${layout.title}`);
  const digits = Math.max(2, layout.size.toString(16).length);
  const rows = new Rows(host, {
    height: 26,
    most: 13,
    fill: (row, at) => {
      const found = piecesOf(layout, at);
      const label = layout.registers ? `${layout.registers}${at}`
        : `0x${(at * ROW).toString(16).padStart(digits, "0")}`;
      /** @param {string} kind @param {number} from @param {number} to @param {string} text */
      const cell = (kind, from, to, text) => {
        const made = span(kind, text);
        const first = Math.max(from - at * ROW, 0);
        made.style.gridColumn = `${first + 2} / ${Math.min(to - at * ROW, ROW) + 2}`;
        return made;
      };
      const cells = found.map((each) => {
        const made = cell(`piece h${each.hue % COLOURS}`, each.at, each.at + each.size, each.name);
        made.append(span("type", each.text));
        if (!each.used) made.classList.add("unused");
        made.title = `${each.text} ${each.name}, offset ${each.at}, ${each.size} bytes`
          + `${each.used ? "" : ", unused"}`;
        return made;
      });
      const free = holes(layout, found, at).map(([from, to]) => {
        const made = cell("hole", from, to, "");
        made.title = `padding, offset ${from}, ${to - from} bytes`;
        return made;
      });
      row.replaceChildren(span("offset", label), ...cells, ...free);
    },
  });
  rows.set(count);
  return host;
}

/** Return how many bytes of a layout are padding, as a phrase. @param {Layout} layout */
function padding(layout) {
  const count = Math.ceil(layout.size / ROW);
  if (count > 4096 || layout.registers) return "";
  let sum = 0;
  for (let row = 0; row < count; row++) {
    for (const [from, to] of holes(layout, piecesOf(layout, row), row)) sum += to - from;
  }
  return sum ? `${sum} of ${layout.size} bytes are padding` : "no padding";
}
