"use strict";
// Where a value comes from, as a list of steps to go to.

class OriginPane {
  /** @param {HTMLElement} host @param {StepsPane} steps */
  constructor(host, steps) {
    this.steps = steps;
    /** @type {Link[]} */
    this.links = [];
    this.at = -1; // the access whose origin is shown
    this.box = element("section", "origin");
    this.box.setAttribute("aria-label", "origin of a value");
    this.box.hidden = true;
    this.title = span("title", "");
    const close = element("button", "");
    close.textContent = "×";
    close.setAttribute("aria-label", "close");
    close.addEventListener("click", () => {
      this.box.hidden = true;
    });
    const bar = element("div", "bar");
    bar.append(this.title);
    if (live.lens) bar.append(this.lensButton(live.lens));
    bar.append(close);
    this.list = element("ol", "");
    this.box.append(bar, this.list);
    host.append(this.box);
  }

  /** Return a button that shows the place after its line in every lane, components together.
   * @param {(place: string, line: number) => void} show
   */
  lensButton(show) {
    const made = element("button", "");
    made.textContent = "picture";
    made.title = "this place after its line, in every pixel or thread";
    made.addEventListener("click", () => {
      const { trace, shown } = this.steps;
      const row = shown.find((each) => each.accesses.includes(this.at));
      const place = row?.name ?? trace.places[trace.place[this.at]];
      show(place, trace.line[trace.stepAt(this.at)] + 1);
    });
    return made;
  }

  /** @param {number} at an access */
  show(at) {
    const { trace, index, uses } = this.steps;
    this.at = at;
    this.links = originOf(trace, index, uses, at);
    this.title.textContent = `${trace.places[trace.place[at]]} = ${trace.value(at)} comes from`;
    const links = this.links.length > 24
      ? [...this.links.slice(0, 8), null, ...this.links.slice(-15)] : this.links;
    this.list.replaceChildren(...links.map((link) => this.row(link)));
    this.box.hidden = false;
  }

  /** @param {Link | null} link */
  row(link) {
    const { trace, index, uses } = this.steps;
    const made = element("li", "");
    if (!link) {
      made.textContent = `… ${this.links.length - 23} more`;
      return made;
    }
    const { at, step, end } = link;
    const go = element("button", "link");
    const sign = trace.flags[at] & WRITES ? "→" : "←";
    go.textContent = `step ${step + 1}: ${index.lines[trace.line[step]].trim()}`;
    go.addEventListener("click", () => this.steps.go(step));
    made.append(go, span("chain", `${sign} ${trace.places[trace.place[at]]} = ${trace.value(at)}`));
    if (end) made.append(span("end", end));
    const last = link === this.links[this.links.length - 1];
    if (last && trace.flags[at] & WRITES) {
      const inputs = inputsOf(trace, uses, at);
      if (inputs.length) made.append(span("dim", "from"));
      for (const each of inputs.slice(0, 12)) {
        const ask = valueButton(trace, each, "");
        ask.textContent = `${trace.places[trace.place[each]]} = ${ask.textContent}`;
        ask.addEventListener("click", () => this.show(each));
        made.append(ask);
      }
    }
    return made;
  }
}
