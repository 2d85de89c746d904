// @ts-check
// The button that asks for a message when it is the player's turn and the page is closed. Nothing is asked without a click.

import { alertUser, announce, recall, remember } from "./dom.js";
import { t } from "./text.js";

/** Shows the button if this browser and this server can send messages. @param {string} game */
export function offerPush(game) {
  const button = document.getElementById("push");
  if (!(button instanceof HTMLButtonElement) || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  const setting = `tictac-push-${game}`;
  const show = () => button.setAttribute("aria-pressed", String(recall(setting) === "on" && Notification.permission === "granted"));
  button.hidden = false;
  show();
  button.addEventListener("click", async () => {
    const isOn = button.getAttribute("aria-pressed") === "true";
    button.disabled = true;
    try {
      await (isOn ? unsubscribe(game) : subscribe(game, button.dataset.key ?? ""));
      remember(setting, isOn ? "off" : "on");
      announce(isOn ? t("You get no more messages about this game.") : t("You get a message when it is your turn."));
    } catch {
      alertUser(t("Your browser does not allow messages from this site."));
    }
    button.disabled = false;
    show();
    button.focus();
  });
}

/** @param {string} game @param {string} key */
async function subscribe(game, key) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("not permitted");
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await send(game, "POST", { ...subscription.toJSON(), lang: document.documentElement.lang });
}

/** Other games may use the same subscription, so only the server forgets it. @param {string} game */
async function unsubscribe(game) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.getSubscription();
  if (subscription) await send(game, "DELETE", { endpoint: subscription.endpoint });
}

/** @param {string} game @param {string} method @param {object} body */
async function send(game, method, body) {
  const response = await fetch(`/api/v1/games/${game}/push`, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`status ${response.status}`);
}
