import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DARK, House, PHONE } from "./house.mjs";

let house;
before(async () => {
  house = await House.open();
});
after(() => house.close());

const GAME = "/r#3,3,3/A1-A2-B1-C1-B2-B3-C3";

test("a game in a link is replayed with the keyboard, with values and mistakes", async () => {
  const ann = await house.person();
  await ann.go(GAME);
  await ann.reads("X wins");
  await ann.reads("A1–B2–C3", "why");
  await ann.sees("C3", "last move");
  await ann.page.keyboard.press("Home");
  await ann.sees("A1", "empty");
  await ann.page.keyboard.press("v");
  await ann.sees("B2", "centre, empty, draw");
  await ann.look("replay-start");
  await ann.page.keyboard.press("ArrowRight");
  await ann.page.keyboard.press("ArrowRight");
  await ann.reads("O A2 is a blunder", "verdict");
  await ann.reads("Punished by", "verdict");
  await ann.sees("B1", "win in 5");
  await ann.look("replay-mistake");
  await ann.page.keyboard.press("f");
  const first = await ann.page.locator(".cell").first().getAttribute("data-square");
  assert.equal(first, "C3");
  await ann.page.keyboard.press("f");
  await ann.page.keyboard.press("End");
  await ann.reads("X wins");
  await ann.leave();
});

test("one learns from one's mistakes", async () => {
  const ann = await house.person();
  await ann.go(GAME);
  await ann.page.getByRole("button", { name: "Learn from 1 mistake" }).click();
  await ann.reads("Find a better move", "verdict");
  await ann.play("B1");
  await ann.reads("no better", "verdict");
  await ann.look("lesson");
  await ann.play("B2");
  await ann.reads("Yes: O B2", "verdict");
  await ann.page.getByRole("button", { name: "Next" }).click();
  await ann.reads("That was the last mistake", "verdict");
  await ann.leave();
});

test("variations, sharing, record, picture, and play from here", async () => {
  const ann = await house.person();
  await ann.go(GAME);
  await ann.reads("X wins");
  await ann.page.keyboard.press("Home");
  await ann.page.keyboard.press("ArrowRight");
  await ann.play("B2");
  await ann.reads("A variation from move 2", "variation");
  await ann.reads("X to move");
  assert.ok(ann.page.url().endsWith("#3,3,3/A1-B2"));
  await ann.page.getByRole("button", { name: "Share" }).first().click();
  assert.ok((await ann.page.inputValue("#link")).endsWith("/r#3,3,3/A1-B2"));
  await ann.page.waitForFunction(() => document.getElementById("qr")?.naturalWidth > 0);
  await ann.look("share");
  await ann.page.getByRole("button", { name: "Close" }).click();
  const record = ann.page.waitForEvent("download");
  await ann.page.getByRole("button", { name: "Record" }).click();
  assert.equal((await record).suggestedFilename(), "game.ttt");
  const picture = await ann.page.request.get(await ann.page.getAttribute("#picture", "href"));
  assert.match(await picture.text(), /^<svg/);
  await ann.page.getByRole("button", { name: "Play from here" }).click();
  await ann.page.waitForURL(/\/g\/\w+$/);
  await ann.sees("A1", "X");
  await ann.reads("Your move");
  await ann.play("C3");
  await ann.sees("C3", "X");
  await ann.leave();
});

test("larger boards and several boards are judged by the server", async () => {
  const ann = await house.person({ ...PHONE, ...DARK });
  await ann.go("/r#4,3,3/B2-A1-C2");
  await ann.page.locator("#values").click();
  await ann.sees("A2", "loss in");
  await ann.look("replay-4x3-phone-dark");
  await ann.go("about:blank");
  await ann.go("/r#notakto+boards=2/1.B2-2.B2");
  await ann.page.locator("#values").click();
  await ann.sees("1.A1", "loss");
  await ann.look("replay-notakto-phone-dark");
  await ann.leave();
});

test("the table on 3×3 and the server agree on every move", async () => {
  const ann = await house.person();
  await ann.go("/r");
  const differences = await ann.page.evaluate(async () => {
    const base = document.querySelector("script[type=module]").src;
    const { Solved } = await import(new URL("solved.js", base).href);
    const { readRules } = await import(new URL("notation.js", base).href);
    const solved = await Solved.load();
    const games = [
      ["3,3,3", ["X A1", "O B2", "X C3", "O A2"]],
      ["3,3,3", ["O A1", "X A2", "O B2", "X C1"]],
      ["3,3,3 misere", ["X B2", "O A1", "X C3", "O A3", "X A2"]],
      ["3,3,3 wild", ["X B2", "O A1", "O C3"]],
      ["3,3,3 wild misere", ["X B2", "O A1", "X A3"]],
      ["notakto", ["X A1", "X B3", "X C2"]],
      ["3,3,3 x-only", ["X A1", "X B3"]],
    ];
    const found = [];
    for (const [rules, moves] of games) {
      const body = JSON.stringify({ rules, moves });
      const answer = await fetch("/api/v1/judge", { method: "POST", headers: { "content-type": "application/json" }, body });
      const { plies } = await answer.json();
      // Before the first move the table speaks for X, whoever opens in this game.
      for (let ply = 1; ply <= moves.length; ply++) {
        const here = solved.facts(readRules(rules), moves.slice(0, ply));
        const text = (facts) => JSON.stringify([facts.value, facts.distance, facts.outcome, facts.dead, [...facts.moves].map(({ move, value, distance }) => [move, value, distance]).sort()]);
        if (text(here) !== text(plies[ply])) found.push([rules, ply, text(here), text(plies[ply])]);
      }
    }
    return found;
  });
  assert.deepEqual(differences, []);
  await ann.leave();
});

test("a bad record shows the caret where it is bad, and a good one leads to its replay", async () => {
  const ann = await house.person();
  await ann.go("/check");
  await ann.look("check");
  await ann.page.fill("#record", "1 X B2\n2 O B2\n");
  await ann.page.waitForSelector(".fault");
  const fault = await ann.page.textContent(".fault");
  assert.match(fault, /error\[E0207\]: B2 is already taken/);
  assert.match(fault, /\n2 \| 2 O B2\n {2}\| {5}\^\^\n/);
  assert.match(fault, /help: free squares: A1/);
  await ann.look("check-fault");
  await ann.page.fill("#record", "1 X B2\n2 O A1\n");
  await ann.page.waitForSelector(".banner.good");
  await ann.page.getByRole("button", { name: "Check and replay" }).click();
  await ann.page.waitForURL(/\/r#3,3,3\/B2-A1$/);
  await ann.reads("X to move");
  await ann.leave();
});

test("a dropped file is read", async () => {
  const ann = await house.person();
  await ann.go("/check");
  await ann.page.waitForSelector("#file-field:not([hidden])");
  await ann.page.setInputFiles("#file", { name: "game.ttt", mimeType: "text/plain", buffer: Buffer.from("1 X B2\n2 Q A1\n") });
  await ann.page.waitForSelector(".fault");
  await ann.leave();
});

test("a link that holds no game says so", async () => {
  const ann = await house.person();
  await ann.go("/r#nonsense");
  await ann.reads("no game that can be read", "trouble");
  await ann.go("about:blank");
  await ann.go("/r#3,3,3/B2-B2");
  await ann.reads("Move 2, O B2, is not legal here. The game is shown up to move 1.", "trouble");
  await ann.reads("O to move");
  await ann.sees("B2", "X, last move");
  await ann.look("replay-illegal");
  await ann.leave();
});

test("a game with an illegal move is shown and judged up to there", async () => {
  const ann = await house.person();
  ann.excuse(/422/);
  for (const [link, fault, status] of [
    ["3,3,3/A1-B1-A2-B2-A3-B3", "Move 6, O B3, is not legal here. The game is shown up to move 5.", "X wins"],
    ["4,3,3/B2-A1-B2-A2", "Move 3, X B2, is not legal here. The game is shown up to move 2.", "X to move"],
    ["notakto+boards=2/1.B2-2.A1-1.B2", "Move 3, X 1.B2, is not legal here. The game is shown up to move 2.", "First player to move"],
  ]) {
    await ann.go("about:blank");
    await ann.go(`/r#${link}`);
    await ann.reads(fault, "trouble");
    await ann.reads(status);
    assert.doesNotMatch(await ann.page.textContent("#why"), /Asking/);
    assert.equal(await ann.page.isVisible("#values"), true);
    // Nobody asks for ever, and the fault stays while one looks around.
    await ann.page.keyboard.press("Home");
    await ann.reads(fault, "trouble");
  }
  await ann.leave();
});

test("where nobody can be asked, nothing is promised", async () => {
  const ann = await house.person();
  ann.excuse(/503|Failed to load/);
  await ann.page.route("**/api/v1/judge", (route) => route.fulfill({ status: 503, contentType: "application/json", body: '{"message": "the server thinks of others"}' }));
  await ann.go("/r#4,3,3/B2-A1");
  await ann.reads("No analysis: the server thinks of others.", "trouble");
  await ann.reads("After move 2");
  assert.equal(await ann.page.textContent("#why"), "");
  assert.equal(await ann.page.isVisible("#values"), false);
  await ann.leave();
});

test("a lost side is told of moves that lose sooner, a winning one of moves that win later", async () => {
  const ann = await house.person();
  await ann.go("/r#3,3,3/A1-B1-A2-B2-A3");
  await ann.reads("X wins");
  await ann.page.keyboard.press("ArrowLeft");
  await ann.reads("O B2 loses sooner than needed: A3 was better (loss in 4).", "verdict");
  await ann.go("about:blank");
  await ann.go("/r#3,3,3/A1-B1-A2-C1-B2");
  await ann.reads("X B2 is not the quickest way: A3 was better (win in 1).", "verdict");
  await ann.leave();
});

test("records are checked without the page getting wider than a phone", async () => {
  for (const width of [320, 360, 390]) {
    const ann = await house.person({ ...PHONE, viewport: { width, height: 740 } });
    await ann.go("/check");
    await ann.page.waitForSelector("#file-field:not([hidden])");
    await ann.look(`check-${width}`);
    await ann.page.fill("#record", `1 X B2 ${"and a long story ".repeat(12)}\n2 O B2\n`);
    await ann.page.waitForSelector(".fault");
    await ann.look(`check-long-${width}`);
    const scrolls = await ann.page.locator(".fault").first().evaluate((fault) => fault.scrollWidth > fault.clientWidth);
    assert.equal(scrolls, true, "the line scrolls inside its box");
    await ann.leave();
  }
});
