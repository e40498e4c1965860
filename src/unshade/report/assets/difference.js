"use strict";
// The page of a difference: code and fields follow one place, which the address holds.

class DifferencePage {
  /** @param {Block} block */
  constructor(block) {
    this.block = block;
    this.code = /** @type {HTMLElement} */ (document.getElementById("aligned"));
    const fields = /** @type {HTMLElement} */ (document.getElementById("fields"));
    this.number = 0;
    /** @type {CodeDiff | null} */
    this.pane = null;
    this.marking = false;
    this.fields = new FieldDiff(fields, block, (program, row) => {
      this.marking = true;
      this.show(program, row);
      this.marking = false;
    });
    fields.hidden = !this.fields.path.length;
    /** @type {{name: string, tally: string}[]} */
    this.programs = block.values.programs;
    this.place = span("place", "");
    this.about = span("about", "");
    this.holder = element("div", "");
    if (this.programs.length) {
      this.code.append(this.bar(), this.holder);
      this.code.hidden = false;
      this.open(0);
    }
    this.follow();
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => this.key(event));
    this.fields.rows.resize();
  }

  bar() {
    const made = element("div", "bar");
    if (this.programs.length > 1) {
      const names = this.programs.map(({ name }, at) => [String(at), name]);
      this.programChoice = choice("Program", names);
      this.programChoice.addEventListener("change", () => {
        this.open(Number(this.programChoice?.value));
        this.pane?.go(1);
      });
      made.append(this.programChoice);
    } else {
      const title = document.createElement("h2");
      title.textContent = this.programs[0].name;
      made.append(title);
    }
    made.append(this.about, this.place);
    for (const [label, step, key] of /** @type {[string, number, string][]} */ ([
      ["↑ Previous", -1, "p"], ["↓ Next", 1, "n"],
    ])) {
      const button = document.createElement("button");
      button.textContent = label;
      button.title = `${label.slice(2)} change (${key})`;
      button.setAttribute("aria-keyshortcuts", key);
      button.addEventListener("click", () => this.pane?.go(step));
      made.append(button);
    }
    this.toggle = document.createElement("label");
    this.box = element("input", "");
    this.box.type = "checkbox";
    this.box.addEventListener("change", () => {
      if (this.pane && this.box) this.pane.quiet = !this.box.checked;
      this.said();
    });
    this.toggle.append(this.box, " Stop at renumbered registers");
    made.append(this.toggle);
    return made;
  }

  /** Show the code of a program. @param {number} number */
  open(number) {
    this.number = number;
    this.holder.replaceChildren();
    const alignment = new Alignment(this.block, number);
    this.pane = new CodeDiff(this.holder, alignment, (row) => this.chose(row));
    this.pane.layout();
    if (this.programChoice) this.programChoice.value = String(number);
    const renumbered = alignment.kind.some((kind) => kind === RENUMBERED);
    const others = alignment.kind.some((kind) => kind !== EQUAL && kind !== RENUMBERED);
    this.pane.quiet = others;
    if (this.box) this.box.checked = !others;
    if (this.toggle) this.toggle.hidden = !renumbered || !others;
    this.about.textContent = this.programs[number].tally;
  }

  said() {
    const stops = this.pane?.stops() ?? [];
    const chosen = this.pane?.chosen ?? -1;
    const at = stops.filter((row) => row <= chosen).length;
    this.place.textContent = stops.length ? `change ${Math.max(at, 1)} of ${stops.length}` : "";
  }

  /** @param {number} row */
  chose(row) {
    this.said();
    this.fields.mark(this.number, row);
    this.pane?.rows.render();
    if (location.protocol === "about:") return; // a frame's content (srcdoc) has no address
    history.replaceState(null, "", `#program=${this.number}&row=${row}`);
  }

  /** @param {number} program @param {number} row */
  show(program, row) {
    if (program !== this.number) this.open(program);
    this.pane?.choose(row);
  }

  /** Go where the address leads, else to the first change. */
  follow() {
    const given = new URLSearchParams(location.hash.slice(1));
    const program = Number(given.get("program") ?? 0);
    const row = Number(given.get("row") ?? -1);
    if (!this.pane) return;
    if (program in this.programs && row >= 0) this.show(program, row);
    else this.pane.go(1);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLSelectElement) return;
    const step = { n: 1, p: -1 }[event.key];
    if (!step) return;
    this.pane?.go(step);
    event.preventDefault();
  }
}

async function showDifference() {
  const held = /** @type {HTMLElement} */ (document.getElementById("without-script"));
  const kept = new DOMParser().parseFromString(held.textContent ?? "", "text/html");
  const packed = /** @type {HTMLElement} */ (document.getElementById("block"));
  const block = await Block.of(packed.textContent ?? "");
  packed.remove();
  new DifferencePage(block);
  const summary = kept.getElementById("summary");
  const overview = document.getElementById("overview");
  if (summary && overview) new Sections(overview, summary, []);
  document.documentElement.dataset.ready = "";
}

if (document.getElementById("verdict")) showDifference();
