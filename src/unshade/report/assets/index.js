"use strict";
// What is where: the fields as intervals of bits, and the lines that show them.

class Index {
  /**
   * @param {Block} block
   * @param {string[]} lines of the listing
   */
  constructor(block, lines) {
    this.file = block.raw("file");
    this.lines = lines;
    this.depth = block.numbers("node.depth");
    this.up = this.distances();
    this.kind = block.numbers("node.kind");
    const places = this.placed(block.numbers("node.start"), block.numbers("node.size"));
    this.start = places.start;
    this.size = places.size;
    this.name = this.named(block.numbers("node.name"));
    this.value = block.numbers("node.value");
    this.doc = block.numbers("node.doc");
    this.strings = block.texts("strings");
    this.lineNode = block.numbers("line.node");
    this.also = block.numbers("also.node");
    this.firstAlso = starts(block.numbers("line.also"));
    this.lineOperation = block.numbers("line.operation");
    /** Names of operations, each with labels and texts. @type {[string, [string, string][]][]} */
    this.operations = block.values.operations;
    this.terms = block.numbers("line.term");
    this.firstTerm = starts(block.numbers("line.terms"));
    /** Other words, each with labels and texts. @type {[string, [string, string][]][]} */
    this.explainedTerms = block.values.terms;
    /** Names of fields that hold numbers of the listing. @type {Set<string>} */
    this.constants = new Set(block.values.constants);
    this.count = this.start.length;
    this.after = this.subtrees();
    this.leaves = this.sorted();
    this.lineOf = this.shown();
  }

  /** Return how many nodes before each node its parent is; 0 for those without one. */
  distances() {
    const { depth } = this;
    const found = new Int32Array(depth.length);
    /** @type {number[]} */
    const latest = []; // node of each depth
    for (let at = 0; at < depth.length; at++) {
      if (depth[at]) found[at] = at - latest[depth[at] - 1];
      latest[depth[at]] = at;
    }
    return found;
  }

  /** Return the first bit of each node and its size, of groups by the fields below them.
   * @param {Numbers} stored bits from the end of the field before; 0 of groups
   * @param {Numbers} sizes 0 of groups
   */
  placed(stored, sizes) {
    const { up, kind } = this;
    const numbers = this.file.length < 1 << 27 ? Int32Array : Float64Array;
    const found = new numbers(stored.length);
    const end = new numbers(stored.length);
    let last = 0;
    for (let at = 0; at < stored.length; at++) {
      found[at] = kind[at] ? last + stored[at] : -1;
      if (kind[at]) last = end[at] = found[at] + sizes[at];
    }
    for (let at = stored.length - 1; at >= 0; at--) {
      const above = at - up[at];
      if (above === at || kind[above]) continue;
      found[above] = found[above] < 0 ? found[at] : Math.min(found[above], found[at]);
      end[above] = Math.max(end[above], end[at]);
    }
    for (let at = 0; at < stored.length; at++) end[at] -= found[at];
    return { start: found, size: end };
  }

  /** Return numbers of names, for an index -1 - index. @param {Numbers} stored -1 for an index that
   * follows the one before, -2 - index for others
   */
  named(stored) {
    const { up } = this;
    const found = new Int32Array(stored.length);
    const next = new Int32Array(stored.length + 1); // index expected below a node, 0 without one
    for (let at = 0; at < stored.length; at++) {
      if (stored[at] >= 0) {
        found[at] = stored[at];
        continue;
      }
      const above = up[at] ? at - up[at] + 1 : 0;
      const index = stored[at] === -1 ? next[above] : -2 - stored[at];
      next[above] = index + 1;
      found[at] = -1 - index;
    }
    return found;
  }

  /** Return for each node the first node that is not below it. */
  subtrees() {
    const after = Int32Array.from({ length: this.count }, (_, at) => at + 1);
    for (let at = this.count - 1; at >= 0; at--) {
      const above = at - this.up[at];
      if (above !== at && after[above] < after[at]) after[above] = after[at];
    }
    return after;
  }

  /** Return the nodes without nodes below them, by their first bit. */
  sorted() {
    const { after, start, size, count } = this;
    const found = new Int32Array(count);
    let length = 0;
    let sorted = true;
    for (let at = 0; at < count; at++) {
      if (after[at] !== at + 1) continue;
      sorted &&= !length || start[found[length - 1]] < start[at];
      found[length++] = at;
    }
    const leaves = found.subarray(0, length);
    return sorted ? leaves : leaves.sort((a, b) => start[a] - start[b] || size[b] - size[a]);
  }

  /** Return for each node its first line: about it, showing it, or of the closest group above. */
  shown() {
    const found = new Int32Array(this.count).fill(-1);
    for (let line = this.lineNode.length - 1; line >= 0; line--) {
      for (let at = this.firstAlso[line]; at < this.firstAlso[line + 1]; at++) {
        found[this.also[at]] = line;
      }
    }
    for (let line = this.lineNode.length - 1; line >= 0; line--) {
      if (this.lineNode[line] >= 0) found[this.lineNode[line]] = line;
    }
    for (let at = 0; at < this.count; at++) {
      if (found[at] < 0 && this.up[at]) found[at] = found[at - this.up[at]];
    }
    return found;
  }

  /** Return the innermost field at a bit, -1 if there is none. @param {number} bit */
  at(bit) {
    const { leaves, start, size } = this;
    let low = 0;
    let high = leaves.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (start[leaves[middle]] <= bit) low = middle + 1;
      else high = middle;
    }
    // Fields seldom overlap, and then within a few words.
    for (let at = low - 1; at >= 0 && at > low - 80; at--) {
      const node = leaves[at];
      if (bit < start[node] + size[node]) return node;
    }
    return -1;
  }

  /** Return the first field with bits in a byte, -1 if there is none. @param {number} byte */
  atByte(byte) {
    for (let bit = byte * 8; bit < byte * 8 + 8; bit++) {
      const node = this.at(bit);
      if (node >= 0) return node;
    }
    return -1;
  }

  /** Tell whether a byte belongs to a node: is in a field below it, or in no field but between
   * its first bit and its last one. @param {number} byte @param {number} node
   */
  covers(byte, node) {
    if (node < 0) return false;
    const start = this.start[node];
    if (byte * 8 + 8 <= start || byte * 8 >= start + this.size[node]) return false;
    const leaf = this.atByte(byte);
    return leaf < 0 || this.after[node] === node + 1 || this.within(leaf, node);
  }

  /** Return the nodes that a line shows if a node is the one that it is about, else that node.
   * @param {number} node @param {number} line
   */
  shownWith(node, line) {
    if (line < 0 || node !== this.lineNode[line]) return [node];
    return [node, ...this.also.subarray(this.firstAlso[line], this.firstAlso[line + 1])];
  }

  /** Return labels and texts about a word of a line; null if there are none.
   * @param {number} line @param {string} word
   */
  explained(line, word) {
    const operation = this.lineOperation[line];
    if (operation >= 0 && this.operations[operation][0] === word) return this.operations[operation][1];
    for (let at = this.firstTerm[line]; at < this.firstTerm[line + 1]; at++) {
      const [name, rows] = this.explainedTerms[this.terms[at]];
      if (name === word) return rows;
    }
    return null;
  }

  /** Return a node's parent, -1 at the top. @param {number} node */
  parent(node) {
    return node >= 0 && this.up[node] ? node - this.up[node] : -1;
  }

  /** Return the name of a node as a step of a path. @param {number} node */
  step(node) {
    const name = this.name[node];
    return name < 0 ? `[${-1 - name}]` : this.strings[name];
  }

  /** Return what the first field of an element of an array contains: which instruction it is, which
   * record. @param {number} node
   */
  gist(node) {
    if (this.name[node] >= 0) return "";
    for (let at = node + 1; at < this.after[node]; at++) {
      if (this.after[at] === at + 1) return this.strings[this.value[at]];
    }
    return "";
  }

  /** Return the dotted path of a node. @param {number} node */
  path(node) {
    const steps = [];
    for (let at = node; at >= 0; at = this.parent(at)) steps.unshift(this.step(at));
    return steps.join(".").replaceAll(".[", "[");
  }

  /** Tell whether a node is another, or below it. @param {number} node @param {number} above */
  within(node, above) {
    return above >= 0 && above <= node && node < this.after[above];
  }
}
