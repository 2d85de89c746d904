import assert from "node:assert/strict";
import { test } from "node:test";
import { DARK, invite, person, PHONE, playing, README_PICTURE, Server } from "./fixture.mjs";

/** Something to wait for: `opened` is fulfilled by `open`. */
function latch() {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return { opened, open };
}

export default function play() {
  test("two people play a whole game by link while a third one watches", async () => {
    const { ann, bob } = await invite({}, PHONE);
    await ann.look("invitation");
    await bob.look("invited-phone");
    await bob.page.getByRole("button", { name: "Play", exact: true }).click();
    await ann.reads("Your turn");
    const watcher = await person(DARK);
    await watcher.go(new URL(ann.page.url()).pathname);
    await watcher.reads("Ann's turn");

    const moves = [ann, "B2", bob, "A1", ann, "A3", bob, "C1", ann, "B1", bob, "B3"];
    for (let n = 0; n < moves.length; n += 2) {
      const [player, other] = moves[n] === ann ? [ann, bob] : [bob, ann];
      await player.reads("Your turn");
      await player.play(moves[n + 1]);
      await other.sees(moves[n + 1], "last move");
    }
    await ann.look("midgame");
    await bob.look("midgame-phone");
    await ann.play("A2");
    await bob.sees("A2", "X");
    await bob.reads("Your turn");
    await bob.play("C2");
    await ann.reads("Your turn");
    await ann.play("C3");
    await bob.reads("Draw!");
    await watcher.reads("Draw!");
    await ann.reads("The board is full", "why");
    assert.match(await ann.page.textContent("#assertive"), /Draw!/);
    await ann.look("drawn");
    await watcher.look("drawn-watched-dark");
    // A player who leaves is shown as away.
    await ann.reads("1 person is watching", "watching");
    await bob.leave();
    await ann.page.locator(".presence", { hasText: "away" }).waitFor();
    await Promise.all([ann.leave(), watcher.leave()]);
  });

  test("both clocks are shown and run, and the server ends the game when a player's time is over", async () => {
    const { ann, bob } = await playing({ clock: "5+3" }, PHONE);
    const running = (player) => player.page.locator(".clock.is-running");
    await ann.page.waitForFunction(() => document.querySelector(".clock.is-running")?.textContent !== "5:00");
    assert.match(await running(ann).getAttribute("aria-label"), /^Ann: 4 minutes \d+ seconds? left$/);
    assert.equal(await ann.page.locator(".clock").count(), 2);
    await ann.look("clock");
    await ann.play("B2");
    await bob.reads("Your turn");
    await bob.page.waitForFunction(() => /^4:5/.test(document.querySelector(".is-me .clock.is-running")?.textContent ?? ""));
    await bob.look("clock-phone");
    const title = await bob.page.textContent("#polite");
    assert.doesNotMatch(title, /left/, "a running clock is not announced");
    await Promise.all([ann.leave(), bob.leave()]);

    const short = await invite({ clock: "0+9" }, { ...PHONE, ...DARK });
    await short.bob.page.fill("[name=name]", "Bob");
    // The game is short, so the wait begins before it.
    const isLow = short.ann.page.locator(".is-me .clock.is-low").waitFor();
    await short.bob.page.getByRole("button", { name: "Play", exact: true }).click();
    await isLow;
    await short.bob.look("clock-low-phone-dark");
    await short.ann.look("clock-low");
    await short.bob.reads("You win!");
    await short.bob.reads("Ann ran out of time.", "why");
    await short.ann.reads("Your time ran out.", "why");
    assert.match(await short.ann.page.textContent("#assertive"), /Bob wins/);
    await short.ann.look("clock-over");
    await Promise.all([short.ann.leave(), short.bob.leave()]);
  });

  test("a player is told once that their time is short, and the opponent is not", async () => {
    const { ann, bob } = await playing({ clock: "5+3" });
    for (const player of [ann, bob]) {
      // From here on the test lets the time of the page pass.
      await player.page.clock.install();
      await player.page.reload();
      await player.page.locator(".clock.is-running").waitFor();
      await player.page.evaluate(() => {
        globalThis.spoken = [];
        const region = document.getElementById("polite");
        new MutationObserver(() => globalThis.spoken.push(region.textContent)).observe(region, { childList: true });
      });
      await player.page.clock.fastForward(281_000);
      await player.page.locator(".clock.is-low").waitFor();
      await player.page.clock.runFor(3_000);
    }
    const warnings = (player) => player.page.evaluate(() => globalThis.spoken.filter((text) => /left/.test(text)));
    const [warning, ...more] = await warnings(ann);
    assert.match(warning ?? "", /^\d+ seconds left$/);
    assert.ok(Number.parseInt(warning, 10) <= 20, warning);
    assert.deepEqual(more, []);
    assert.deepEqual(await warnings(bob), []);
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("a public game is listed while it is played, and others are not", async () => {
    const { ann, bob } = await playing({ public: "yes", clock: "3d" }, PHONE);
    const watcher = await person(PHONE);
    await watcher.go("/games");
    await watcher.look("public-games-phone");
    const link = watcher.page.locator(`a[href="${new URL(ann.page.url()).pathname}"]`);
    await link.getByText("Ann against Bob").waitFor();
    await link.click();
    await watcher.reads("Ann's turn");
    await Promise.all([ann.leave(), bob.leave(), watcher.leave()]);
  });

  test("a message is asked for by a button, and only then", async () => {
    const server = await Server.start({ push: true });
    const { ann, bob } = await playing({}, { server });
    const button = ann.page.getByRole("button", { name: "Tell me when it is my turn" });
    await ann.look("push");
    assert.notEqual(await ann.page.evaluate(() => Notification.permission), "granted", "nothing was asked");
    // There is no push service here, so the browser's part is played by the test.
    await ann.page.evaluate(() => {
      Object.defineProperty(Notification, "permission", { value: "granted" });
      Notification.requestPermission = async () => "granted";
      const keys = { p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg" };
      const subscription = { endpoint: "https://push.example/a", toJSON: () => ({ endpoint: "https://push.example/a", expirationTime: null, keys }) };
      PushManager.prototype.subscribe = async () => subscription;
      PushManager.prototype.getSubscription = async () => subscription;
    });
    for (const [pressed, words] of [["true", /You get a message/], ["false", /no more messages/]]) {
      await button.click();
      await ann.page.locator(`#push[aria-pressed="${pressed}"]:enabled`).waitFor();
      assert.match(await ann.page.textContent("#polite"), words);
    }
    await Promise.all([ann.leave(), bob.leave()]);
    await server.remove();
  });

  test("a dead draw is announced with its reason, and a draw can be agreed", async () => {
    const { ann, bob } = await playing();
    for (const [player, square] of [[ann, "A1"], [bob, "B2"], [ann, "C3"], [bob, "A3"], [ann, "C1"], [bob, "C2"], [ann, "A2"], [bob, "B1"]]) {
      await player.reads("Your turn");
      await player.play(square);
      await (player === ann ? bob : ann).sees(square, "last move");
    }
    await ann.reads("Dead draw", "why");
    await bob.page.getByRole("button", { name: "Offer a draw" }).click();
    await ann.reads("Bob offers a draw", "offer");
    await ann.look("offered");
    await ann.page.getByRole("button", { name: "Accept" }).click();
    await bob.reads("Draw!");
    await bob.reads("Both players agreed.", "why");
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("a move can be taken back if both agree, resigning ends the game, a rematch swaps the sides", async () => {
    const { ann, bob } = await playing();
    await ann.play("B2");
    await bob.sees("B2", "X");
    await ann.page.getByRole("button", { name: "Take back" }).click();
    await bob.reads("Ann wants to take back their last move.", "offer");
    await ann.reads("You asked to take back your last move.", "offer");
    await bob.page.getByRole("button", { name: "Accept" }).click();
    await ann.sees("B2", "empty");
    await ann.play("A1");
    await bob.sees("A1", "X");
    // The keyboard focus stays on a button that the server has rendered again.
    const resign = () => bob.page.getByRole("button", { name: "Resign" });
    await resign().focus();
    await ann.page.getByRole("button", { name: "Offer a draw" }).click();
    await bob.reads("Ann offers a draw.", "offer");
    assert.equal(await bob.page.evaluate(() => document.activeElement?.getAttribute("value")), "resign");
    // Resigning needs a confirmation.
    bob.page.once("dialog", (dialog) => dialog.dismiss());
    await resign().click();
    assert.equal(await bob.page.textContent("#status"), "Your turn");
    bob.page.once("dialog", (dialog) => dialog.accept());
    await resign().click();
    await ann.reads("You win!");
    await ann.reads("Bob resigned.", "why");
    await bob.reads("Ann wins");
    await bob.reads("You resigned.", "why");
    await ann.page.getByRole("button", { name: "Rematch" }).click();
    await bob.reads("Ann wants a rematch.", "offer");
    const before = ann.page.url();
    await bob.page.getByRole("button", { name: "Accept" }).click();
    await ann.page.waitForFunction((old) => location.href !== old && document.getElementById("status")?.textContent === "Bob's turn", before);
    await bob.reads("Your turn");
    await bob.play("C3");
    await ann.sees("C3", "X");
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("a reload while a move is being saved loses nothing", async () => {
    const { ann, bob } = await playing();
    // Nothing is sent, so the move is still pending when the page is closed.
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
    await ann.reads("Bob's turn");
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("the page says that it is offline, and the game goes on when the network is back", async () => {
    const { ann, bob } = await playing();
    ann.expectErrors(/ERR_INTERNET_DISCONNECTED|WebSocket/);
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

  test("the page says that the connection is lost, and the game goes on with a new server", async (t) => {
    const server = await Server.start();
    t.after(() => server.remove());
    const { ann, bob } = await playing({}, { server });
    for (const player of [ann, bob]) player.expectErrors(/WebSocket|ERR_CONNECTION_REFUSED/);
    await ann.play("B2");
    await bob.sees("B2", "X");
    await server.kill();
    await bob.reads("Connection lost", "connection");
    await bob.play("A1");
    await bob.sees("A1", "not saved yet");
    await server.run();
    await ann.sees("A1", "O, last move");
    await bob.sees("A1", "O, last move");
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("the computer can be played with the keyboard alone", async () => {
    const ann = await person();
    await ann.go("/");
    await ann.page.focus(".options > summary");
    await ann.page.keyboard.press("Enter");
    await ann.page.focus("#start [name=level]");
    await ann.page.keyboard.type("perfect");
    await ann.page.focus("#start button[value=computer]");
    await ann.page.keyboard.press("Enter");
    await ann.reads("Your turn");
    // The whole board is a single tab stop.
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
    await ann.reads("Your turn");
    await ann.page.keyboard.type("b");
    await ann.page.keyboard.type("3");
    await ann.sees("B3", "X");
    await ann.page.keyboard.press("?");
    await ann.page.waitForSelector("#keys[open]");
    await ann.look("keys");
    await ann.page.keyboard.press("Escape");
    await ann.leave();
  });

  test("wild, Notakto on three boards and eight by eight can be played on a phone", async () => {
    const ann = await person(PHONE);
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
    const desk = await person(DARK);
    await desk.newGame({ against: "self", rules: "notakto", boards: 5 });
    await desk.play("5.B2");
    await desk.sees("5.B2", "X");
    await desk.look("notakto-dark");
    await desk.leave();
  });

  test("a long name makes no page wider than its screen", async () => {
    const name = "Donaudampfschifffahrtsgesellschaftskapit";
    const { ann, bob } = await invite({ name }, { ...PHONE, viewport: { width: 360, height: 740 } });
    await bob.look("long-name-invited-phone");
    await bob.page.fill("[name=name]", name.toUpperCase());
    await bob.page.getByRole("button", { name: "Play", exact: true }).click();
    await ann.reads("Your turn");
    await bob.page.getByRole("button", { name: "Offer a draw" }).click();
    await ann.reads(`${name.toUpperCase()} offers a draw`, "offer");
    await ann.look("long-name");
    await bob.look("long-name-phone");
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("an offer is visible at once on a phone with several boards, and only the last line is named", async () => {
    const { ann, bob } = await playing({ rules: "notakto", boards: 3 }, { ...PHONE, viewport: { width: 360, height: 740 } });
    await ann.play("1.A1");
    await bob.sees("1.A1", "last move");
    const boards = () => bob.page.locator("#act").boundingBox();
    const before = await boards();
    await ann.page.getByRole("button", { name: "Take back" }).click();
    await bob.reads("Ann wants to take back", "offer");
    assert.deepEqual(await boards(), before, "the boards do not move");
    const box = await bob.page.locator("#offer").boundingBox();
    assert.ok(box.y + box.height < 740, `the offer ends at ${box.y + box.height}`);
    await bob.look("offer-phone");
    await bob.page.getByRole("button", { name: "Decline" }).click();
    await ann.page.waitForSelector("#offer", { state: "hidden" });
    for (const [n, square] of ["1.A2", "1.A3", "2.A1", "2.A2", "2.A3", "3.A1", "3.A2", "3.A3"].entries()) {
      const player = n % 2 === 0 ? bob : ann;
      await player.reads("Your turn");
      await player.play(square);
      await (player === ann ? bob : ann).sees(square, "last move");
    }
    await bob.reads("You win!");
    assert.equal(await bob.page.textContent("#why"), "Ann completed the last line. In this variant, that loses. Line: 3.A1–3.A2–3.A3.");
    await Promise.all([ann.leave(), bob.leave()]);
  });

  for (const [width, height] of [[375, 553], [320, 568], [375, 667], [1280, 800]]) {
    test(`an offer on a screen of ${width} × ${height} covers no square, moves none, and ignores a tap that was meant for something else`, async () => {
      const { ann, bob } = await playing({}, { viewport: { width, height }, hasTouch: true });
      await ann.play("B2");
      await bob.sees("B2", "X, last move");
      const board = () => bob.page.locator("#act").boundingBox();
      for (const scrolled of [0, 120]) {
        await bob.page.evaluate((top) => scrollTo(0, top), scrolled);
        const before = await board();
        // A tap at the moment when the offer appears, as by a finger that was already on its way.
        await bob.page.evaluate(() => {
          globalThis.taps = 0;
          new MutationObserver(() => {
            const accept = document.querySelector("#offer button[value=accept]");
            if (accept && globalThis.taps++ === 0) accept.click();
          }).observe(document.body, { childList: true, subtree: true });
        });
        await ann.page.getByRole("button", { name: "Offer a draw" }).click();
        await bob.reads("Ann offers a draw.", "offer");
        const [offer, after] = [await bob.page.locator("#offer").boundingBox(), await board()];
        assert.deepEqual(after, before, "the board does not move");
        assert.ok(offer.y + offer.height <= after.y || offer.y >= after.y + after.height, `the offer at ${offer.y} covers the board at ${after.y}`);
        assert.ok(offer.y >= 0 && offer.y + offer.height <= height, `the offer at ${offer.y} is visible`);
        if (scrolled === 0) await bob.look(`offer-${width}x${height}`);
        await bob.page.locator("#offer button[value=decline]:enabled").click();
        await bob.page.waitForSelector("#offer", { state: "hidden" });
        assert.ok((await bob.page.evaluate(() => globalThis.taps)) > 0);
        assert.equal(await bob.page.textContent("#status"), "Your turn");
      }
      await Promise.all([ann.leave(), bob.leave()]);
    });
  }

  test("a player who moves in two windows sees a message until the next event", async () => {
    const { ann, bob } = await playing();
    // The second window ignores the move of the first one until it has sent its own.
    const second = await ann.context.newPage();
    await second.addInitScript(() => {
      const { addEventListener } = WebSocket.prototype;
      WebSocket.prototype.addEventListener = function (type, listener, ...rest) {
        const isIgnored = (event) => type === "message" && globalThis.ignoresUpdates && ["page", "update"].includes(JSON.parse(event.data).type);
        addEventListener.call(this, type, (event) => (isIgnored(event) ? undefined : listener.call(this, event)), ...rest);
      };
    });
    // Before its socket has answered, the page would send a form.
    const isConnected = new Promise((resolve) => second.on("websocket", (socket) => socket.once("framereceived", resolve)));
    await second.goto(ann.page.url());
    await isConnected;
    await second.waitForFunction(() => document.getElementById("status")?.textContent === "Your turn");
    await second.evaluate(() => (globalThis.ignoresUpdates = true));
    await ann.play("B2");
    await bob.sees("B2", "X");
    await second.locator('[data-square="A1"]').click();
    await second.waitForSelector("#problem:not([hidden])");
    assert.equal(await second.textContent("#problem"), "You have already moved in another window.");
    assert.match(await second.getAttribute('[data-square="B2"]', "aria-label"), /X, last move/);
    await second.evaluate(() => (globalThis.ignoresUpdates = false));
    await bob.play("C3");
    await second.waitForSelector("#problem", { state: "hidden" });
    await second.waitForFunction(() => document.getElementById("status")?.textContent === "Your turn");
    // The other way round: the move of the first window arrives while that of the second one is pending.
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

  test("keys move between boards, follow a turned board, choose a mark, and can be turned off", async () => {
    const ann = await person();
    const { page } = ann;
    const focus = () => page.evaluate(() => document.activeElement?.getAttribute("data-square"));
    await ann.newGame({ against: "self", rules: "notakto", boards: 2 });
    await ann.square("1.B2").focus();
    await page.keyboard.press("PageDown");
    assert.equal(await focus(), "2.B2");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focus(), "1.B3");
    await page.keyboard.type("2.c1");
    await ann.sees("2.C1", "X, last move");
    await ann.newGame({ against: "self", rules: "3,3,3 wild" });
    await ann.square("B2").focus();
    await page.keyboard.press("o");
    await page.keyboard.press("f");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focus(), "C1");
    await page.keyboard.press("Home");
    assert.equal(await focus(), "C3");
    await page.keyboard.press("Enter");
    await ann.sees("C3", "O, last move");
    // Without single letters, "f" does nothing.
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await page.uncheck("#letters");
    await page.getByRole("button", { name: "Close" }).click();
    const first = () => page.locator(".cell").first().getAttribute("data-square");
    assert.equal(await first(), "C3");
    await page.keyboard.press("f");
    assert.equal(await first(), "C3");
    await page.reload();
    await ann.sees("C3", "O");
    assert.equal(await page.isChecked("#letters"), false);
    await ann.leave();
  });

  test("the invitation is copied, and disappears when the friend has joined", async () => {
    const { ann, bob } = await invite();
    await ann.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    // What disappears by itself is waited for before it is caused.
    const isCopied = ann.page.getByRole("button", { name: "Copied" }).waitFor();
    await ann.page.getByRole("button", { name: "Copy invite" }).click();
    await isCopied;
    assert.equal(await ann.page.evaluate(() => navigator.clipboard.readText()), await ann.page.inputValue("#invitation"));
    await ann.reads("Waiting for your friend");
    // Ann tests the link herself and keeps her seat.
    await ann.go(await ann.page.inputValue("#invitation"));
    await ann.page.getByRole("heading", { name: "This is your own invitation" }).waitFor();
    await ann.look("own-invitation");
    await ann.page.getByRole("link", { name: "Back to your game" }).click();
    await ann.reads("Waiting for your friend");
    await bob.page.fill("[name=name]", "Bob");
    await bob.page.getByRole("button", { name: "Play", exact: true }).click();
    await ann.page.waitForSelector("#invite", { state: "hidden" });
    assert.match(await ann.page.textContent("#assertive"), /Your friend has joined. Your turn/);
    assert.equal(await ann.page.title(), "● Your turn – tictac");
    assert.match(await ann.page.getAttribute("#icon", "href"), /icon-turn/);
    assert.match(await bob.page.getAttribute("#icon", "href"), /icon\.svg/);
    assert.equal(await bob.page.title(), "Ann's turn – tictac");
    // An offer that is withdrawn disappears on both sides.
    await ann.page.getByRole("button", { name: "Offer a draw" }).click();
    await bob.reads("Ann offers a draw.", "offer");
    assert.equal(await bob.page.textContent("#assertive"), "Ann offers a draw.");
    await ann.page.getByRole("button", { name: "Withdraw" }).click();
    await bob.page.waitForSelector("#offer", { state: "hidden" });
    // The player who offered is told that it was declined.
    await ann.page.getByRole("button", { name: "Offer a draw" }).click();
    await bob.page.getByRole("button", { name: "Decline" }).click();
    await ann.reads("Bob declined the draw.", "notice");
    assert.equal(await ann.page.textContent("#assertive"), "Bob declined the draw.");
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("on a phone, the invitation is above the board and shared with the system's dialog", async () => {
    const ann = await person({ ...PHONE, viewport: { width: 375, height: 667 } });
    await ann.page.addInitScript(() => {
      navigator.share = async (data) => {
        globalThis.shared = data;
      };
    });
    await ann.newGame();
    await ann.page.waitForSelector("[data-square]");
    const share = ann.page.getByRole("button", { name: "Share invite" });
    await share.waitFor();
    const [button, board] = await Promise.all([share.boundingBox(), ann.page.locator("#board").boundingBox()]);
    assert.ok(button.y + button.height < board.y, "the link comes before the board");
    assert.equal(await ann.page.isVisible("#invite .qr"), false);
    await share.click();
    const { url } = await ann.page.evaluate(() => globalThis.shared);
    assert.equal(url, await ann.page.inputValue("#invitation"));
    await ann.page.getByText("QR code to scan").click();
    assert.equal(await ann.page.isVisible("#invite .qr"), true);
    await ann.look("waiting-phone");
    await ann.leave();
  });

  test("a player goes on with their phone, the other one is told, and the phone can be revoked", async () => {
    const { ann, bob } = await playing();
    await bob.page.getByText("Play on another device").click();
    await bob.page.getByRole("button", { name: "Make a link" }).click();
    await bob.page.locator("#devices .qr").waitFor();
    const link = await bob.page.inputValue("#device-link");
    await bob.look("device-link");
    const phone = await person(PHONE);
    await phone.go(link);
    await phone.look("device-joined-phone");
    await phone.page.getByRole("button", { name: "Continue on this device" }).click();
    await phone.reads("Ann's turn");
    await ann.reads("Bob opened the game on another device.", "notice");
    await bob.reads("You opened the game on another device.", "notice");
    await ann.play("B2");
    await phone.reads("Your turn");
    await phone.play("A1");
    await ann.sees("A1", "O, last move");
    // The link does not work a second time.
    const third = await person();
    third.expectErrors(/410/);
    await third.go(link);
    await third.page.getByRole("heading", { name: "This link has already been used" }).waitFor();
    await third.look("used-link");
    await bob.page.reload();
    await bob.page.getByText("Play on another device").click();
    await bob.page.getByRole("button", { name: "Revoke" }).click();
    await phone.reads("You are watching", "watching");
    assert.equal(await phone.page.locator(".emoji").count(), 0, "a revoked device sends no reactions");
    await ann.play("C3");
    await bob.reads("Your turn");
    await Promise.all([ann.leave(), bob.leave(), phone.leave(), third.leave()]);
  });

  test("a move is repeated if the server is busy or does not answer", async () => {
    const ann = await person();
    // The first two attempts get an error, the third one no answer. Each waits until the message about the one
    // before has been read: a slow browser would miss a message that is replaced at once.
    let busy = latch();
    const [connected, full, lost] = [latch(), latch(), latch()];
    let attempts = 0;
    await ann.page.routeWebSocket(/\/socket/, (socket) => {
      const server = socket.connectToServer();
      connected.open();
      server.onMessage(async (message) => {
        if (attempts === 3) await lost.opened;
        socket.send(message);
      });
      socket.onMessage(async (message) => {
        attempts += 1;
        const attempt = attempts;
        const refuse = (code) => socket.send(JSON.stringify({ type: "error", re: attempt, version: 1, code, message: code }));
        if (attempt === 1) return refuse("unavailable");
        await busy.opened;
        if (attempt === 2) return refuse("storage-full");
        await full.opened;
        if (attempt > 3) server.send(message);
      });
    });
    await ann.newGame({ against: "self" });
    // Before that, a click would send the form.
    await connected.opened;
    await ann.play("B2");
    await ann.reads("The server is busy.", "connection");
    await ann.sees("B2", "X, not saved yet");
    busy.open();
    await ann.reads("its disk is full.", "connection");
    full.open();
    await ann.reads("Connection lost", "connection");
    lost.open();
    await ann.sees("B2", "X, last move");
    await ann.page.waitForSelector("#connection", { state: "hidden" });
    assert.equal(attempts, 4);
    // The banner also goes away if the connection was never lost.
    attempts = 0;
    busy = latch();
    await ann.play("A1");
    await ann.reads("The server is busy.", "connection");
    attempts = 4;
    busy.open();
    await ann.sees("A1", "O, last move");
    await ann.page.waitForSelector("#connection", { state: "hidden" });
    await ann.leave();
  });

  test("the winner sees the line on the board", async () => {
    const { ann, bob } = await playing();
    await ann.page.setViewportSize({ width: 900, height: 740 });
    for (const [n, square] of ["B2", "A1", "C1", "B1", "A3"].entries()) {
      const [player, other] = n % 2 === 0 ? [ann, bob] : [bob, ann];
      await player.play(square);
      await other.sees(square, "last move");
    }
    await ann.reads("You win!");
    await bob.reads("Ann wins");
    await ann.sees("B2", "in the line");
    assert.equal(await ann.page.getAttribute(".stroke path", "d"), "M2.82 0.18L0.18 2.82");
    await ann.page.mouse.move(0, 0);
    await ann.page.evaluate(() => document.activeElement?.blur());
    await ann.look("won");
    await ann.page.evaluate(() => scrollTo(0, 0));
    await ann.page.screenshot({ path: README_PICTURE, clip: { x: 0, y: 0, width: 900, height: 740 } });
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("a win is celebrated with sound and confetti, the score is kept, and sides alternate", async () => {
    const { ann, bob } = await playing({}, { reducedMotion: "no-preference" });
    // The tones that a player hears, which are not made before the first click.
    for (const player of [ann, bob]) {
      await player.page.evaluate(() => {
        globalThis.tones = 0;
        const { start } = OscillatorNode.prototype;
        OscillatorNode.prototype.start = function (...when) {
          globalThis.tones += 1;
          start.apply(this, when);
        };
      });
    }
    await ann.page.emulateMedia({ reducedMotion: "no-preference" });
    const beats = async (winner, loser) => {
      for (const [player, square] of [[winner, "A1"], [loser, "B1"], [winner, "A2"], [loser, "B2"]]) {
        await player.reads("Your turn");
        await player.play(square);
      }
      await winner.reads("Your turn");
      await winner.play("A3");
    };
    // The confetti lasts for two seconds, so it is waited for from the start.
    const confetti = ann.page.waitForSelector(".confetti .mark", { timeout: 0 });
    await beats(ann, bob);
    await confetti;
    await ann.reads("1 : 0", "players");
    await bob.reads("0 : 1", "players");
    assert.equal(await bob.page.locator(".confetti").count(), 0);
    await ann.page.waitForFunction(() => globalThis.tones >= 8);
    // The mute button is remembered.
    await bob.page.getByRole("button", { name: "Sound" }).click();
    const rematch = ann.page.getByRole("button", { name: "Rematch" });
    assert.match(await rematch.getAttribute("class"), /first/);
    await rematch.click();
    const before = bob.page.url();
    await bob.page.getByRole("button", { name: "Accept" }).click();
    await bob.page.waitForFunction((old) => location.href !== old && document.getElementById("status")?.textContent === "Your turn", before);
    assert.equal(await bob.page.getAttribute("#sound", "aria-pressed"), "false");
    await ann.reads("Bob's turn");
    await beats(bob, ann);
    await bob.reads("1 : 1", "players");
    await bob.look("series");
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("a reaction appears next to the player, and reactions can be hidden", async () => {
    const { ann, bob } = await playing();
    // A reaction is not repeated, so both sockets must be open; a move in each direction shows that they are.
    await ann.play("B2");
    await bob.sees("B2", "X, last move");
    await bob.play("A1");
    await ann.sees("A1", "O, last move");
    await Promise.all([
      bob.page.locator(".bubble", { hasText: "👍" }).waitFor(),
      bob.reads("Ann reacts: Thumbs up", "polite"),
      ann.page.locator(".bubble").waitFor(),
      ann.page.getByRole("button", { name: "Thumbs up" }).click(),
    ]);
    await bob.look("reaction");
    await bob.page.getByRole("button", { name: "Hide reactions" }).click();
    await bob.page.reload();
    await bob.page.waitForSelector("#hide-reactions[aria-pressed=true]");
    assert.equal(await bob.page.getByRole("button", { name: "Party" }).isVisible(), false);
    await ann.page.waitForSelector(".emoji[aria-disabled=false]");
    await Promise.all([ann.page.locator(".bubble", { hasText: "🎉" }).waitFor(), ann.page.getByRole("button", { name: "Party" }).click()]);
    assert.equal(await bob.page.locator(".bubble").count(), 0);
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("the home page lists your games with whose turn it is, and after a game the computer can be easier or harder", async () => {
    const { ann, bob } = await playing();
    for (const one of [ann, bob]) await one.go("/");
    await ann.page.locator("#yours .is-due", { hasText: "your turn" }).waitFor();
    await bob.page.locator("#yours li", { hasText: "running" }).waitFor();
    await ann.look("your-games");
    await ann.page.locator("#yours a").first().click();
    await ann.reads("Your turn");
    await ann.newGame({ against: "computer", level: "casual" });
    ann.page.once("dialog", (dialog) => dialog.accept());
    await ann.page.getByRole("button", { name: "Resign" }).click();
    await ann.page.getByRole("button", { name: "Easier" }).waitFor();
    await ann.look("easier-harder");
    await ann.page.getByRole("button", { name: "Harder" }).click();
    await ann.page.locator("#players", { hasText: "club" }).waitFor();
    await ann.go("/");
    assert.equal(await ann.page.locator("#yours li").count(), 3);
    await ann.page.locator("#yours li", { hasText: "over" }).waitFor();
    await Promise.all([ann.leave(), bob.leave()]);
  });

  test("a name and a language are remembered", async () => {
    const ann = await person({ locale: "en-GB" });
    await ann.newGame({ name: "Ann" });
    await ann.go("/");
    assert.equal(await ann.page.inputValue("#start [name=name]"), "Ann");
    await ann.page.getByRole("link", { name: "Deutsch" }).click();
    await ann.page.getByRole("button", { name: "Mit einem Freund" }).waitFor();
    await ann.look("home-german");
    await ann.page.getByRole("button", { name: "Mit einem Freund" }).click();
    await ann.reads("Warten auf deinen Freund");
    await ann.look("waiting-german");
    const link = await ann.page.inputValue("#invitation");
    const bob = await person({ ...PHONE, locale: "de-AT" });
    await bob.go(link);
    await bob.look("invited-german-phone");
    await bob.page.getByRole("button", { name: "Spielen", exact: true }).click();
    await ann.reads("Du bist dran");
    await bob.reads("Ann ist dran");
    await bob.look("playing-german-phone");
    const [logo, menu] = await Promise.all([".brand img", ".masthead nav"].map((part) => bob.page.locator(part).boundingBox()));
    const first = await bob.page.locator(".masthead nav a").first().boundingBox();
    assert.ok(logo.x + logo.width <= Math.min(menu.x, first.x), "the menu does not lie over the logo");
    await ann.play("B2");
    await ann.sees("B2", "X, letzter Zug");
    await bob.reads("Du bist dran");
    // Another address without the choice keeps the language, too.
    await ann.go("/solo");
    await ann.reads("Du bist dran");
    await ann.page.getByRole("link", { name: "English" }).click();
    await ann.reads("Your turn");
    await ann.go("/help");
    await ann.page.getByRole("heading", { name: "Squares" }).waitFor();
    await Promise.all([ann.leave(), bob.leave()]);
  });
}
