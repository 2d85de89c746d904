import assert from "node:assert/strict";
import { test } from "node:test";
import { DARK, person, PHONE } from "./fixture.mjs";

export default function replay() {
  const GAME = "/r#3,3,3/A1-A2-B1-C1-B2-B3-C3";

  test("a game in a link is replayed with the keyboard, and shows values and mistakes", async () => {
    const ann = await person();
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
    await ann.reads("O A2 is a blunder. Better: B2 (draw).", "verdict");
    await ann.reads("Best play from here: X B1", "verdict");
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

  test("a player can correct their mistakes", async () => {
    const ann = await person();
    await ann.go(GAME);
    await ann.page.getByRole("button", { name: "Learn from 1 mistake" }).click();
    await ann.reads("Find a better move", "verdict");
    await ann.play("B1");
    await ann.reads("O B1 is not better", "verdict");
    await ann.look("lesson");
    await ann.play("B2");
    await ann.reads("Correct: O B2 (draw)", "verdict");
    await ann.page.getByRole("button", { name: "Next" }).click();
    await ann.reads("That was the last mistake", "verdict");
    await ann.leave();
  });

  test("a replay offers variations, sharing, downloads and a game from there", async () => {
    const ann = await person();
    await ann.go(GAME);
    await ann.reads("X wins");
    await ann.page.keyboard.press("Home");
    await ann.page.keyboard.press("ArrowRight");
    await ann.play("B2");
    await ann.reads("You left the game at move 2", "variation");
    await ann.reads("X's turn");
    assert.ok(ann.page.url().endsWith("#3,3,3/A1-B2"));
    await ann.page.getByRole("button", { name: "Back to the game" }).click();
    assert.ok(ann.page.url().endsWith("#3,3,3/A1-A2-B1-C1-B2-B3-C3"));
    await ann.page.waitForSelector("#variation", { state: "hidden" });
    await ann.sees("A1", "X, last move");
    await ann.play("B2");
    await ann.reads("You left the game at move 2", "variation");
    await ann.page.getByRole("button", { name: "Share" }).first().click();
    assert.ok((await ann.page.inputValue("#link")).endsWith("/r#3,3,3/A1-B2"));
    await ann.page.waitForFunction(() => document.getElementById("qr")?.naturalWidth > 0);
    await ann.look("share");
    await ann.page.getByRole("button", { name: "Close" }).click();
    const record = ann.page.waitForEvent("download");
    await ann.page.getByRole("button", { name: "Download moves" }).click();
    assert.equal((await record).suggestedFilename(), "game.ttt");
    const picture = await ann.page.request.get(await ann.page.getAttribute("#picture", "href"));
    assert.match(await picture.text(), /^<svg/);
    await ann.page.getByRole("button", { name: "Play from here" }).click();
    await ann.page.waitForURL(/\/g\/\w+$/);
    await ann.sees("A1", "X");
    await ann.reads("Your turn");
    await ann.play("C3");
    await ann.sees("C3", "X");
    await ann.leave();
  });

  test("no button moves when the analysis arrives or another move is shown", async () => {
    for (const language of ["en-GB", "de-DE"]) {
      const ann = await person({ ...PHONE, locale: language });
      let answer = () => {};
      const held = new Promise((resolve) => (answer = resolve));
      await ann.page.route("**/api/v1/judge", (route) => held.then(() => route.continue()));
      await ann.go("/r#4,3,3/B2-A1-C2");
      const places = () => Promise.all(["#back", "#values"].map((id) => ann.page.locator(id).boundingBox()));
      await ann.page.locator("#values").waitFor();
      const before = await places();
      answer();
      await ann.page.locator(".moves .verdict").waitFor();
      assert.deepEqual(await places(), before, language);
      // What is wrong with this move is said below the buttons that step.
      await ann.page.locator("#back").click();
      assert.deepEqual((await places())[0], before[0], language);
      await ann.leave();
    }
  });

  test("the server analyses larger boards and several boards", async () => {
    const ann = await person({ ...PHONE, ...DARK });
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
    const ann = await person();
    await ann.go("/r");
    const differences = await ann.page.evaluate(async () => {
      const base = document.querySelector("script[type=module]").src;
      const { Solved } = await import(new URL("solved.js", base).href);
      const { parseRules } = await import(new URL("notation.js", base).href);
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
        // Before the first move, the table assumes that X opens.
        for (let ply = 1; ply <= moves.length; ply++) {
          const here = solved.facts(parseRules(rules), moves.slice(0, ply));
          const text = (facts) => JSON.stringify([facts.value, facts.distance, facts.outcome, facts.dead, [...facts.moves].map(({ move, value, distance, verdict }) => [move, value, distance, verdict]).sort()]);
          if (text(here) !== text(plies[ply])) found.push([rules, ply, text(here), text(plies[ply])]);
        }
      }
      return found;
    });
    assert.deepEqual(differences, []);
    await ann.leave();
  });

  test("an error in a record is marked in place, and a correct record leads to its replay", async () => {
    const ann = await person();
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
    await ann.reads("X's turn");
    await ann.leave();
  });

  test("a chosen file is checked, unless it is too large", async () => {
    const ann = await person();
    await ann.go("/check");
    await ann.page.waitForSelector("#file-field:not([hidden])");
    await ann.page.setInputFiles("#file", { name: "game.ttt", mimeType: "text/plain", buffer: Buffer.from("1 X B2\n2 Q A1\n") });
    await ann.page.waitForSelector(".fault");
    await ann.page.setInputFiles("#file", { name: "games.ttt", mimeType: "text/plain", buffer: Buffer.alloc(65 * 1024, " ") });
    await ann.reads("too large", "result");
    await ann.leave();
  });

  test("an empty board has no game that a move could leave", async () => {
    const ann = await person();
    await ann.go("/r#3,3,3/");
    for (const square of ["B2", "A1", "C3"]) {
      await ann.play(square);
      await ann.sees(square, "last move");
    }
    assert.equal(await ann.page.isVisible("#variation"), false);
    await ann.leave();
  });

  test("the field for a game takes links, positions, squares and PGN, and an error is first a sentence", async () => {
    const ann = await person(PHONE);
    await ann.go("/check");
    for (const text of ["B2 A1 C3", "http://localhost/r#3,3,3/B2-A1-C3", "XO./.X./O.. X", "[Result \"*\"]\n\n{X B2, O A1} *"]) {
      await ann.page.fill("#record", text);
      await ann.page.locator("#result .good", { hasText: "No errors" }).waitFor();
      await ann.page.fill("#record", "");
      await ann.page.waitForFunction(() => document.getElementById("result")?.childElementCount === 0);
    }
    await ann.page.fill("#record", "1 X B2\n2 O B2\n");
    await ann.page.locator("#result > .fault").waitFor();
    assert.equal(await ann.page.locator("#result > *").first().textContent(), "There is a mistake in line 2.");
    await ann.look("mistake-phone");
    await ann.leave();
  });

  test("the page says if a link contains no game", async () => {
    const ann = await person();
    await ann.go("/r#nonsense");
    await ann.reads("There is no game in this link", "trouble");
    await ann.go("about:blank");
    await ann.go("/r#3,3,3/B2-B2");
    await ann.reads("Move 2, O B2, is illegal. The game is shown up to move 1.", "trouble");
    await ann.reads("O's turn");
    await ann.sees("B2", "X, last move");
    await ann.look("replay-illegal");
    await ann.leave();
  });

  test("a game with an illegal move is shown up to that move", async () => {
    const ann = await person();
    ann.expectErrors(/422/);
    for (const [link, fault, status] of [
      ["3,3,3/A1-B1-A2-B2-A3-B3", "Move 6, O B3, is illegal. The game is shown up to move 5.", "X wins"],
      ["4,3,3/B2-A1-B2-A2", "Move 3, X B2, is illegal. The game is shown up to move 2.", "X's turn"],
      ["notakto+boards=2/1.B2-2.A1-1.B2", "Move 3, X 1.B2, is illegal. The game is shown up to move 2.", "Player 1's turn"],
    ]) {
      await ann.go("about:blank");
      await ann.go(`/r#${link}`);
      await ann.reads(fault, "trouble");
      await ann.reads(status);
      assert.doesNotMatch(await ann.page.textContent("#why"), /Analysing/);
      assert.equal(await ann.page.isVisible("#values"), true);
      // The message stays while the player steps through the game.
      await ann.page.keyboard.press("Home");
      await ann.reads(fault, "trouble");
    }
    await ann.leave();
  });

  test("without an answer from the server, the page offers no values", async () => {
    const ann = await person();
    ann.expectErrors(/503|Failed to load/);
    await ann.page.route("**/api/v1/judge", (route) => route.fulfill({ status: 503, contentType: "application/json", body: '{"message": "the server is busy"}' }));
    await ann.go("/r#4,3,3/B2-A1");
    await ann.reads("Analysis failed: the server is busy.", "trouble");
    await ann.reads("After move 2");
    assert.equal(await ann.page.textContent("#why"), "");
    assert.equal(await ann.page.isVisible("#values"), false);
    await ann.leave();
  });

  test("the page points out moves that win late or lose early", async () => {
    const ann = await person();
    await ann.go("/r#3,3,3/A1-B1-A2-B2-A3");
    await ann.reads("X wins");
    await ann.page.keyboard.press("ArrowLeft");
    await ann.reads("O B2 loses faster than necessary. Better: A3 (loss in 4).", "verdict");
    await ann.go("about:blank");
    await ann.go("/r#3,3,3/A1-B1-A2-C1-B2");
    await ann.reads("X B2 wins, but not as fast as possible. Better: A3 (win in 1).", "verdict");
    await ann.leave();
  });

  test("a long record makes no page wider than a phone", async () => {
    for (const width of [320, 360, 390]) {
      const ann = await person({ ...PHONE, viewport: { width, height: 740 } });
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
}
