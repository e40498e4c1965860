"use strict";
// Fields for numbers and colours.

/** @param {string} text @param {string} title @param {() => void} work */
function actionButton(text, title, work) {
  const made = button(text, work);
  made.title = title;
  return made;
}

/** @param {string} text @param {HTMLElement} field */
function labelled(text, field) {
  const made = document.createElement("label");
  made.append(span("", text), field);
  return made;
}

/** @param {number} value @param {number | null} least @param {number | null} most
 * @param {number | null} step null for any number
 */
function numberField(value, least, most, step) {
  const made = document.createElement("input");
  made.type = "number";
  if (least !== null) made.min = String(least);
  if (most !== null) made.max = String(most);
  made.step = step === null ? "any" : String(step);
  made.value = String(value);
  return made;
}

/** Return the ends of a slider for a number. @param {number} value @param {string} kind */
function sliderEnds(value, kind) {
  if (kind === "bool") return [0, 1];
  const most = kind === "float" && Math.abs(value) <= 1 ? 1 : Math.max(10, 2 * Math.abs(value));
  return [value < 0 ? -most : 0, most];
}

/** Return a slider and a number for one component. @param {string} name @param {string} kind
 * @param {number[]} value @param {number} at @param {() => void} set
 * @param {(() => void)[]} shown what shows the value again
 */
function componentFields(name, kind, value, at, set, shown) {
  const whole = kind !== "float";
  const [least, most] = sliderEnds(value[at], kind);
  const slider = numberField(value[at], least, most, whole ? 1 : (most - least) / 1000);
  slider.type = "range";
  const number = numberField(value[at], kind === "uint" ? 0 : null, null, whole ? 1 : null);
  slider.setAttribute("aria-label", name);
  number.setAttribute("aria-label", `${name}, as a number`);
  for (const input of [slider, number]) {
    input.addEventListener("input", () => {
      const given = Number(input.value);
      if (input.value === "" || !Number.isFinite(given)) return;
      value[at] = whole ? Math.round(given) : given;
      set();
    });
  }
  shown.push(() => {
    if (document.activeElement !== slider) slider.value = String(value[at]);
    if (document.activeElement !== number) number.value = String(value[at]);
  });
  const made = document.createElement("div");
  made.className = "component";
  made.append(slider, number);
  return made;
}

/** Return a field for the first three components as a colour. @param {string} name
 * @param {number[]} value @param {() => void} set @param {(() => void)[]} shown
 */
function colourField(name, value, set, shown) {
  const made = document.createElement("input");
  made.type = "color";
  made.setAttribute("aria-label", `${name}, as a colour`);
  made.addEventListener("input", () => {
    for (let at = 0; at < 3; at++) {
      value[at] = parseInt(made.value.slice(1 + 2 * at, 3 + 2 * at), 16) / 255;
    }
    set();
  });
  shown.push(() => {
    const bytes = value.slice(0, 3).map((each) => Math.round(255 * Math.min(Math.max(each, 0), 1)));
    made.value = `#${bytes.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
  });
  return made;
}
