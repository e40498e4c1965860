"use strict";
// Findings of verify, at the bytes, fields and lines that they are about.

const SEVERITIES = ["", "note", "warning", "error"];

/** @typedef {{severity: string, code: string, offset: number, node: number, message: string}}
 *   Diagnostic */

class Marks {
  /** @param {Index} index @param {Diagnostic[]} findings */
  constructor(index, findings) {
    this.findings = findings;
    /** Numbers in SEVERITIES: of nodes, of groups with such nodes below, and of lines. */
    this.node = new Uint8Array(index.count);
    this.inside = new Uint8Array(index.count);
    this.line = new Uint8Array(index.lines.length);
    this.places = findings.map((each) => placeOf(index, each));
    this.places.forEach(({ node = -1, line = -1 }, at) => {
      const grade = SEVERITIES.indexOf(findings[at].severity);
      if (node >= 0 && grade > this.node[node]) this.node[node] = grade;
      for (let above = index.parent(node); above >= 0; above = index.parent(above)) {
        if (grade > this.inside[above]) this.inside[above] = grade;
      }
      if (line >= 0 && grade > this.line[line]) this.line[line] = grade;
    });
  }

  /** Return the class of a mark, empty if there is none. @param {number} grade */
  static kind(grade) {
    return grade ? ` marked-${SEVERITIES[grade]}` : "";
  }

  /** Return the messages at a node or a line. @param {{node?: number, line?: number}} place */
  at({ node = -1, line = -1 }) {
    return this.findings.filter((_, at) => {
      const place = this.places[at];
      return (node >= 0 && place.node === node) || (line >= 0 && place.line === line);
    });
  }

  /** Let the rows of a table of findings lead to their places. @param {Element} table
   * @param {(place: Place) => void} go
   */
  link(table, go) {
    table.classList.add("leads");
    table.querySelectorAll("tbody tr").forEach((row, at) => {
      const place = this.places[at];
      if (place?.bit === undefined || !(row instanceof HTMLElement)) return;
      row.tabIndex = 0;
      row.setAttribute("role", "link");
      row.addEventListener("click", () => go(place));
      row.addEventListener("keydown", (event) => {
        if (event.key === "Enter") go(place);
      });
    });
  }
}

/** Return the place of a finding: its node, else the innermost field at its offset.
 * @param {Index} index @param {Diagnostic} finding @returns {Place}
 */
function placeOf(index, finding) {
  const { offset } = finding;
  if (finding.node < 0 && offset < 0) return {};
  const node = finding.node >= 0 ? finding.node : index.atByte(offset);
  const bit = offset >= 0 ? offset * 8 : index.start[node];
  return { bit, node, line: node >= 0 ? index.lineOf[node] : -1 };
}
