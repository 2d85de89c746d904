// @ts-check
// The home page. The board to try is a form until the first move, so that the page loads quickly and works without scripts.

import { byId } from "./dom.js";

/** Starts the page. */
export function start() {
  import("./yours.js").then(({ show }) => show(byId("yours", HTMLElement)), () => {});
  const form = byId("try", HTMLFormElement);
  /** @type {ReturnType<typeof import("./tryout.js").load> | undefined} */
  let loading;
  const load = () => (loading ??= import("./tryout.js").then((module) => module.load()));
  form.addEventListener("pointerenter", () => load().catch(() => {}), { once: true });
  form.addEventListener(
    "submit",
    (event) => {
      const square = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
      if (!square) return;
      event.preventDefault();
      load().then(
        (open) => open().play(square.value),
        // Without the table, the board starts a game on the server. This listener is gone by then.
        () => form.requestSubmit(square),
      );
    },
    { once: true },
  );
}
