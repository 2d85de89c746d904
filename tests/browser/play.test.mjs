import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DARK, House, PHONE } from "./house.mjs";

let house;
before(async () => {
  house = await House.open();
});
after(() => house.close());

/** Two people in one game: the one who made it plays X. */
async function two(choices = {}, guestOptions = {}) {
  const ann = await house.person();
  await ann.newGame({ name: "Ann", ...choices });
  const link = await ann.page.inputValue("#invitation");
  const bob = await house.person(guestOptions);
  await bob.go(link);
  return { ann, bob };
}

async function joined(choices = {}, guestOptions = {}) {
  const { ann, bob } = await two(choices, guestOptions);
  await bob.page.fill("[name=name]", "Bob");
  await bob.page.getByRole("button", { name: "Play" }).click();
  await ann.reads("Your move");
  await bob.reads("The other player's move");
  return { ann, bob };
}

test("two people play a whole game by link, and a third one watches", async () => {
  const { ann, bob } = await two({}, PHONE);
  await ann.look("invitation");
  await bob.look("invited-phone");
  await bob.page.getByRole("button", { name: "Play" }).click();
  await ann.reads("Your move");
  const watcher = await house.person(DARK);
  await watcher.go(new URL(ann.page.url()).pathname);
  await watcher.reads("X to move");

  const moves = [ann, "B2", bob, "A1", ann, "A3", bob, "C1", ann, "B1", bob, "B3"];
  for (let n = 0; n < moves.length; n += 2) {
    const [player, other] = moves[n] === ann ? [ann, bob] : [bob, ann];
    await player.reads("Your move");
    await player.play(moves[n + 1]);
    await other.sees(moves[n + 1], "last move");
  }
  await ann.look("midgame");
  await bob.look("midgame-phone");
  // A row for X: A3 and B2 are his, C1 is not; the column 2 is still open.
  await ann.play("A2");
  await bob.sees("A2", "X");
  await bob.reads("Your move");
  await bob.play("C2");
  await ann.reads("Your move");
  await ann.play("C3");
  await bob.reads("Draw");
  await watcher.reads("Draw");
  await ann.reads("The board is full", "why");
  assert.match(await ann.page.textContent("#assertive"), /Draw/);
  await ann.look("drawn");
  await watcher.look("drawn-watched-dark");
  // Who goes is seen to be away.
  await ann.reads("One person is watching", "watching");
  await bob.leave();
  await ann.page.locator(".presence", { hasText: "away" }).waitFor();
  await Promise.all([ann.leave(), watcher.leave()]);
});

test("a dead draw is announced with its reason, and a draw can be agreed", async () => {
  const { ann, bob } = await joined();
  for (const [player, square] of [[ann, "A1"], [bob, "B2"], [ann, "C3"], [bob, "A3"], [ann, "C1"], [bob, "C2"], [ann, "A2"], [bob, "B1"]]) {
    await player.reads("Your move");
    await player.play(square);
    await (player === ann ? bob : ann).sees(square, "last move");
  }
  await ann.reads("This can only be a draw now", "why");
  await bob.page.getByRole("button", { name: "Offer a draw" }).click();
  await ann.reads("Bob offers a draw", "offer");
  await ann.look("offered");
  await ann.page.getByRole("button", { name: "Accept" }).click();
  await bob.reads("Draw");
  await bob.reads("Both agreed", "why");
  await Promise.all([ann.leave(), bob.leave()]);
});

test("a move can be taken back by consent, resigning ends the game, a rematch swaps sides", async () => {
  const { ann, bob } = await joined();
  await ann.play("B2");
  await bob.sees("B2", "X");
  await ann.page.getByRole("button", { name: "Take back" }).click();
  await bob.reads("asks to take back", "offer");
  await bob.page.getByRole("button", { name: "Accept" }).click();
  await ann.sees("B2", "empty");
  await ann.play("A1");
  await bob.sees("A1", "X");
  bob.page.on("dialog", (dialog) => dialog.accept());
  await bob.page.getByRole("button", { name: "Resign" }).click();
  await ann.reads("You win");
  await bob.reads("You lose");
  await ann.page.getByRole("button", { name: "Rematch" }).click();
  await bob.reads("would like a rematch", "offer");
  const before = ann.page.url();
  await bob.page.getByRole("button", { name: "Accept" }).click();
  await ann.page.waitForFunction((old) => location.href !== old && document.getElementById("status")?.textContent?.includes("other player's"), before);
  await bob.reads("Your move");
  await bob.play("C3");
  await ann.sees("C3", "X");
  await Promise.all([ann.leave(), bob.leave()]);
});

test("a reload in mid-move loses nothing", async () => {
  const { ann, bob } = await joined();
  // The socket swallows what is sent: the move waits for its acknowledgement when the page goes away.
  await ann.page.evaluate(() => {
    WebSocket.prototype.send = () => {};
  });
  await ann.play("B2");
  await ann.sees("B2", "not saved yet");
  await ann.reads("Saving your move");
  await ann.look("pending");
  await ann.page.reload();
  await ann.sees("B2", "last move");
  await bob.sees("B2", "X, last move");
  await ann.reads("The other player's move");
  await Promise.all([ann.leave(), bob.leave()]);
});

test("offline is said, and the game goes on when the network is back", async () => {
  const { ann, bob } = await joined();
  ann.excuse(/ERR_INTERNET_DISCONNECTED|WebSocket/);
  await ann.context.setOffline(true);
  await ann.reads("offline", "connection");
  await ann.play("B2");
  await ann.sees("B2", "not saved yet");
  await ann.look("offline");
  await ann.context.setOffline(false);
  await bob.sees("B2", "X");
  await ann.sees("B2", "last move");
  await ann.page.waitForSelector("#connection", { state: "hidden" });
  await Promise.all([ann.leave(), bob.leave()]);
});

test("a killed server is said, and a new one goes on where it was", async () => {
  const { ann, bob } = await joined();
  for (const person of [ann, bob]) person.excuse(/WebSocket|ERR_CONNECTION_REFUSED/);
  await ann.play("B2");
  await bob.sees("B2", "X");
  await house.killServer();
  await bob.reads("lost", "connection");
  await bob.play("A1");
  await bob.sees("A1", "not saved yet");
  await house.startServer();
  await ann.sees("A1", "O, last move");
  await bob.sees("A1", "O, last move");
  await Promise.all([ann.leave(), bob.leave()]);
});

test("against the computer by keyboard only", async () => {
  const ann = await house.person();
  await ann.go("/");
  await ann.page.focus("[name=against][value=friend]");
  await ann.page.keyboard.press("ArrowDown");
  await ann.page.focus("[name=level]");
  await ann.page.keyboard.type("perfect");
  await ann.page.focus("text=Start the game");
  await ann.page.keyboard.press("Enter");
  await ann.reads("Your move");
  // One tab stop for the whole board.
  await ann.page.focus(".skip");
  for (let n = 0; n < 30 && !(await ann.page.evaluate(() => document.activeElement?.classList.contains("cell"))); n++) await ann.page.keyboard.press("Tab");
  const focus = () => ann.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  assert.equal(await focus(), "B2, centre, empty");
  await ann.page.keyboard.press("ArrowUp");
  await ann.page.keyboard.press("ArrowLeft");
  assert.equal(await focus(), "A1, empty");
  await ann.page.keyboard.press("Tab");
  assert.equal(await ann.page.evaluate(() => document.activeElement?.classList.contains("cell")), false);
  await ann.page.keyboard.press("Shift+Tab");
  await ann.page.keyboard.press("Enter");
  await ann.sees("A1", "X");
  await ann.reads("Your move");
  await ann.page.keyboard.type("b");
  await ann.page.keyboard.type("3");
  await ann.sees("B3", "X");
  await ann.page.keyboard.press("?");
  await ann.page.waitForSelector("#keys[open]");
  await ann.look("keys");
  await ann.page.keyboard.press("Escape");
  await ann.leave();
});

test("wild, Notakto on three boards and eight by eight can be played and fit on a phone", async () => {
  const ann = await house.person(PHONE);
  await ann.newGame({ against: "self", rules: "3,3,3 wild" });
  await ann.page.check("[name=mark][value=O]");
  await ann.play("B2");
  await ann.sees("B2", "O, last move");
  await ann.look("wild-phone");
  await ann.newGame({ against: "self", rules: "notakto", boards: 3 });
  for (const square of ["1.A1", "1.A2", "1.A3", "2.B2"]) {
    await ann.play(square);
    await ann.sees(square, "last move");
  }
  await ann.sees("1.B1", "board finished");
  await ann.look("notakto-phone");
  await ann.newGame({ against: "self", rules: "own", rows: 8, columns: 8, line: 5 });
  await ann.play("D4");
  await ann.sees("D4", "X");
  await ann.look("eight-phone");
  await ann.leave();
  const desk = await house.person(DARK);
  await desk.newGame({ against: "self", rules: "notakto", boards: 5 });
  await desk.play("5.B2");
  await desk.sees("5.B2", "X");
  await desk.look("notakto-dark");
  await desk.leave();
});

test("a name of one long word makes no page wider than its screen", async () => {
  const name = "Donaudampfschifffahrtsgesellschaftskapit";
  const { ann, bob } = await two({ name }, { ...PHONE, viewport: { width: 360, height: 740 } });
  await bob.look("long-name-invited-phone");
  await bob.page.fill("[name=name]", name.toUpperCase());
  await bob.page.getByRole("button", { name: "Play" }).click();
  await ann.reads("Your move");
  await bob.page.getByRole("button", { name: "Offer a draw" }).click();
  await ann.reads(`${name.toUpperCase()} offers a draw`, "offer");
  await ann.look("long-name");
  await bob.look("long-name-phone");
  await Promise.all([ann.leave(), bob.leave()]);
});

test("an offer is seen at once on a phone with several boards, and only the last line is named", async () => {
  const { ann, bob } = await joined({ rules: "notakto", boards: 3 }, { ...PHONE, viewport: { width: 360, height: 740 } });
  await ann.play("1.A1");
  await bob.sees("1.A1", "last move");
  const boards = () => bob.page.locator("#act").boundingBox();
  const before = await boards();
  await ann.page.getByRole("button", { name: "Take back" }).click();
  await bob.reads("Ann asks to take back", "offer");
  assert.deepEqual(await boards(), before, "nothing moves under the finger");
  const box = await bob.page.locator("#offer").boundingBox();
  assert.ok(box.y + box.height < 740, `the offer ends at ${box.y + box.height}`);
  await bob.look("offer-phone");
  await bob.page.getByRole("button", { name: "Decline" }).click();
  await ann.page.waitForSelector("#offer", { state: "hidden" });
  for (const [n, square] of ["1.A2", "1.A3", "2.A1", "2.A2", "2.A3", "3.A1", "3.A2", "3.A3"].entries()) {
    const player = n % 2 === 0 ? bob : ann;
    await player.reads("Your move");
    await player.play(square);
    await (player === ann ? bob : ann).sees(square, "last move");
  }
  await bob.reads("You win");
  assert.equal(await bob.page.textContent("#why"), "First player completed the last line, 3.A1–3.A2–3.A3, and that loses here.");
  await Promise.all([ann.leave(), bob.leave()]);
});

test("who moves in two windows is told so, until something else happens", async () => {
  const { ann, bob } = await joined();
  // The second window hears nothing of the first one's move before it has made its own.
  const second = await ann.context.newPage();
  await second.addInitScript(() => {
    const { addEventListener } = WebSocket.prototype;
    WebSocket.prototype.addEventListener = function (type, listener, ...rest) {
      const heard = (event) => (type === "message" && globalThis.isDeaf && JSON.parse(event.data).type === "update" ? undefined : listener.call(this, event));
      addEventListener.call(this, type, heard, ...rest);
    };
  });
  await second.goto(ann.page.url());
  await second.waitForFunction(() => document.getElementById("status")?.textContent === "Your move");
  await second.evaluate(() => (globalThis.isDeaf = true));
  await ann.play("B2");
  await bob.sees("B2", "X");
  await second.locator('[data-square="A1"]').click();
  await second.waitForSelector("#problem:not([hidden])");
  assert.equal(await second.textContent("#problem"), "You have already moved in another window.");
  assert.match(await second.getAttribute('[data-square="B2"]', "aria-label"), /X, last move/);
  await second.evaluate(() => (globalThis.isDeaf = false));
  await bob.play("C3");
  await second.waitForSelector("#problem", { state: "hidden" });
  await second.waitForFunction(() => document.getElementById("status")?.textContent === "Your move");
  // The other way round: news of the first window's move comes while the second one's is on its way.
  await second.evaluate(() => {
    WebSocket.prototype.send = () => {};
  });
  await second.locator('[data-square="A1"]').click();
  await ann.play("A2");
  await second.waitForSelector("#problem:not([hidden])");
  assert.equal(await second.textContent("#problem"), "You have already moved in another window.");
  assert.match(await second.getAttribute('[data-square="A1"]', "aria-label"), /empty/);
  await Promise.all([ann.leave(), bob.leave()]);
});
