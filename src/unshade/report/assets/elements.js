"use strict";
// Elements, made in one call.

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string} kind
 * @returns {HTMLElementTagNameMap[T]}
 */
function element(tag, kind) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  return made;
}

/** Return a list to choose from. @param {string} label @param {string[][]} options value, text */
function choice(label, options) {
  const made = element("select", "");
  made.setAttribute("aria-label", label);
  for (const [value, text] of options) {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = text;
    made.append(option);
  }
  return made;
}

/** Return a number in few digits. @param {number} number */
function short(number) {
  return String(Number(number.toPrecision(5)));
}

/** @param {string} kind @param {string} text */
function span(kind, text) {
  const made = element("span", kind);
  made.textContent = text;
  return made;
}
