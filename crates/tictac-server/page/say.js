// @ts-check
// Speaks to screen readers: a polite voice for moves, an assertive one for what must not be missed.

/** @param {string} id @param {string} text */
function say(id, text) {
  const region = document.getElementById(id);
  if (!region) return;
  // The same sentence twice is said twice only if the region changes in between.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Says something when there is a pause. @param {string} text */
export const sayPolitely = (text) => say("polite", text);

/** Says something at once. @param {string} text */
export const sayAtOnce = (text) => say("assertive", text);
