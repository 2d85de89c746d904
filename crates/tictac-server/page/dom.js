// @ts-check
// Elements of the page, and announcements for screen readers.

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * Creates an element. Functions become event listeners; false, null and undefined leave an attribute out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Attributes} [attributes] @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(attribute.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(attribute, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Returns the element with this id, which the page must contain.
 * @template {HTMLElement} T
 * @param {string} id @param {new () => T} type @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${type.name} with the id ${id}`);
  return element;
}

/** Creates the drawing of a mark from the page's template. @param {string} mark @returns {SVGElement} */
export function drawMark(mark) {
  const template = byId(`mark-${mark.toLowerCase()}`, HTMLTemplateElement);
  return /** @type {SVGElement} */ (/** @type {Element} */ (template.content.firstElementChild).cloneNode(true));
}

/** Returns the mark that is selected where the player can choose one. */
export function selectedMark() {
  const selected = document.querySelector("input[name=mark]:checked");
  return selected instanceof HTMLInputElement ? selected.value : "X";
}

/** Returns a setting of this browser; null if there is none. @param {string} key */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a setting in this browser, if it allows that. @param {string} key @param {string} value */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage, the setting lasts until the page is closed.
  }
}

/** @param {string} id @param {string} text */
function setLiveRegion(id, text) {
  const region = document.getElementById(id);
  // Screen readers announce only changes, so a repeated sentence gets a space.
  if (region) region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Announces something when the screen reader pauses. @param {string} text */
export const announce = (text) => setLiveRegion("polite", text);

/** Announces something immediately. @param {string} text */
export const alertUser = (text) => setLiveRegion("assertive", text);
