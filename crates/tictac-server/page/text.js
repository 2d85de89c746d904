// @ts-check
// The texts of the scripts in the language of the page, and paths that keep a chosen language.

const { lang } = document.documentElement;

/** @type {Record<string, string>} */
const dictionary = lang === "en" ? {} : (await import(`./${lang}.js`)).default;

/**
 * Returns a text in the language of the page, with its placeholders filled in.
 * @param {string} english @param {Record<string, string | number>} [values]
 */
export function t(english, values = {}) {
  return (dictionary[english] ?? english).replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** Returns a path of this server with the language that the user has chosen. @param {string} path */
export function localPath(path) {
  const chosen = new URLSearchParams(location.search).get("lang");
  const url = new URL(path, location.href);
  if (chosen) url.searchParams.set("lang", chosen);
  return url.pathname + url.search + url.hash;
}
