// @ts-check
// Building elements without a template language: names, attributes, children.

/**
 * Returns a new element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  setAll(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Sets attributes; false, null and undefined remove, functions listen.
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} attributes
 */
export function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * The element with this id, which the page surely has.
 * @template {HTMLElement} T
 * @param {string} id @param {new () => T} type @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${type.name} called ${id}`);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A mark as a small drawing; the words are said elsewhere. @param {string} mark */
export function drawn(mark) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 48 48");
  svg.setAttribute("class", `mark ${mark.toLowerCase()}`);
  svg.setAttribute("aria-hidden", "true");
  const strokes = mark === "X" ? ["M11 12C19 19 29 30 38 37", "M37 11C30 18 18 29 11 38"] : ["M25 9.500C15 9 9 16 9.500 25C10 34 17 39 25 38.500C34 38 39 31 38.500 23C38 15 32 9.500 23 9.800"];
  for (const stroke of strokes) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", stroke);
    path.setAttribute("pathLength", "1");
    svg.append(path);
  }
  return svg;
}
