import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { DARK, person, PHONE } from "./fixture.mjs";

export default function local() {
  for (const [look, options] of [["light", {}], ["dark", DARK], ["phone", PHONE], ["forced", { forcedColors: "active" }]]) {
    test(`home, solo, help and offline are accessible (${look})`, async () => {
      const ann = await person(options);
      // The offline page would reload itself as soon as the server answers.
      ann.expectErrors(/503/);
      await ann.page.route("**/healthz", (route) => route.fulfill({ status: 503 }));
      for (const [name, path] of [["home", "/"], ["solo", "/solo"], ["help", "/help"], ["offline-page", "/offline"]]) {
        await ann.go(path);
        if (name === "solo") await ann.reads("Your turn");
        await ann.look(`${name}-${look}`);
      }
      await ann.leave();
    });
  }

  test("on a phone, the first screen has both buttons and a board to try", async () => {
    const ann = await person({ ...PHONE, viewport: { width: 375, height: 667 } });
    await ann.go("/");
    for (const place of [".big[value=friend]", ".big[value=computer]", 'button[value="C3"]']) {
      const box = await ann.page.locator(place).boundingBox();
      assert.ok(box.y + box.height <= 667, `${place} ends at ${box.y + box.height}`);
    }
    await ann.page.locator('button[value="B2"]').click();
    await ann.sees("B2", "X");
    await ann.reads("Your turn");
    for (let n = 0; n < 4; n++) {
      await ann.page.waitForFunction(() => !document.getElementById("status")?.textContent?.includes("thinking"));
      if (!(await ann.page.textContent("#status")).includes("Your turn")) break;
      await ann.page.locator('.cell[aria-disabled="false"]').first().click();
    }
    await ann.page.getByRole("button", { name: "Play again" }).click();
    await ann.sees("B2", "empty");
    await ann.leave();
  });

  for (const locale of ["en-GB", "de-DE"]) {
    test(`no field of a form is wider than a phone (${locale})`, async () => {
      const ann = await person({ ...PHONE, viewport: { width: 360, height: 740 }, locale });
      const widest = async (path) => {
        await ann.go(path);
        const fields = await ann.page.evaluate(() => {
          for (const details of document.querySelectorAll("details")) details.open = true;
          const visible = [...document.querySelectorAll("input, select, textarea, button, fieldset, .field")].filter((field) => field.checkVisibility());
          return visible.map((field) => ({ field: field.outerHTML.slice(0, 80), right: Math.round(field.getBoundingClientRect().right) }));
        });
        assert.ok(fields.length > 5, `${path} has a form`);
        assert.deepEqual(fields.filter(({ right }) => right > 360), [], path);
      };
      await widest("/");
      await widest("/tournaments");
      await ann.page.fill("form.open-tournament [name=name]", "A name that is rather long for a phone");
      await ann.page.locator("form.open-tournament button[type=submit]").click();
      await ann.page.waitForURL(/\/t\/\w+$/);
      await widest(new URL(ann.page.url()).pathname);
      await ann.leave();
    });
  }

  test("lessons are solved, remembered, and checked by the server", async () => {
    const ann = await person(PHONE);
    await ann.go("/lessons");
    await ann.look("lessons-phone");
    await ann.page.getByRole("link", { name: "Fork", exact: true }).click();
    await ann.look("lesson-phone");
    await ann.page.locator('button[value="A3"]').click();
    await ann.page.getByText("Not the best move.").waitFor();
    await ann.page.getByRole("link", { name: "Try again" }).click();
    await ann.page.locator('button[value="B1"]').click();
    await ann.page.getByText("Correct!").waitFor();
    await ann.look("lesson-solved-phone");
    for (const square of ["A1", "A1"]) {
      await ann.page.getByRole("link", { name: "Next position" }).click();
      await ann.page.getByText("You are X.", { exact: true }).waitFor();
      await ann.page.locator(`button[value="${square}"]`).click();
      await ann.page.getByText("Correct!").waitFor();
    }
    await ann.page.getByRole("link", { name: "All lessons" }).click();
    await ann.page.getByText("1 of 13 lessons solved").waitFor();
    // One move was wrong, so the lesson comes again tomorrow, which is simulated.
    const due = await ann.page.evaluate(() => localStorage.getItem("tictac-lessons-due"));
    assert.match(due ?? "", /^fork:0:\d+$/u);
    await ann.page.evaluate(() => localStorage.setItem("tictac-lessons-due", "fork:0:1"));
    await ann.page.reload();
    await ann.page.getByText("repeat", { exact: true }).waitFor();
    // Hints come in steps; a lesson whose square was shown comes again, too.
    await ann.go("/lessons/finish");
    for (const step of ["Show a hint", "Another hint", "Show the move"]) {
      await ann.page.getByText(step, { exact: true }).click();
    }
    await ann.page.getByText("A3 is a best move.").waitFor();
    await ann.page.waitForFunction(() => localStorage.getItem("tictac-lessons-due")?.includes("finish:-1:"));
    await ann.leave();
  });

  test("a game and a replay can be shown on another site", async (t) => {
    const ann = await person();
    await ann.newGame({ against: "self" });
    const game = new URL(ann.page.url()).pathname;
    const site = await person();
    const frames = [`/embed${game}`, "/embed/r#3,3,3/A1-B2"].map((path) => `<iframe src="${new URL(path, ann.page.url())}"></iframe>`);
    // To browsers, "localhost" is another site than 127.0.0.1.
    const blog = createServer((_, response) => response.setHeader("content-type", "text/html").end(`<title>blog</title>${frames.join("")}`));
    await new Promise((resolve) => blog.listen(0, "127.0.0.1", resolve));
    t.after(() => blog.close());
    await site.go(`http://localhost:${blog.address().port}/`);
    const frame = (n) => site.page.frames()[n];
    await frame(1).waitForSelector("[data-square=B2]");
    await ann.play("B2");
    await frame(1).waitForSelector('[data-square="B2"] .mark');
    await frame(2).waitForSelector('[data-square="B2"] .mark.o');
    await frame(2).click("#back");
    await frame(2).waitForSelector('[data-square="B2"]:not(:has(.mark))');
    const alone = await person(PHONE);
    await alone.go(`/embed${game}`);
    await alone.look("embed-game");
    await alone.go("/embed/r#3,3,3/A1-B2");
    await alone.sees("B2", "O, last move");
    await alone.look("embed-replay");
    // The server checks a larger board, but does not analyse it.
    const analyses = [];
    alone.page.on("request", (request) => /judge|analyse/.test(request.url()) && analyses.push(request.url()));
    await alone.go("about:blank");
    await alone.go("/embed/r#4,4,3/A1-B1-A2-B2-A3");
    await alone.reads("X wins");
    await alone.page.click("#back");
    await alone.reads("After move 4");
    assert.deepEqual(analyses, []);
    await Promise.all([ann.leave(), site.leave(), alone.leave()]);
  });

  test("unknown addresses get a page that says so", async () => {
    const ann = await person();
    ann.expectErrors(/404|400/);
    await ann.go("/nothing");
    await ann.page.getByRole("heading", { name: "Page not found" }).waitFor();
    await ann.go("/g/000000000000");
    await ann.page.getByRole("heading", { name: "Game not found" }).waitFor();
    await ann.look("not-found");
    await ann.go("/join/nonsense");
    await ann.page.getByRole("heading", { name: "Something went wrong" }).waitFor();
    await ann.leave();
  });

  test("after the first visit 3×3 can be played and analysed without a network", async () => {
    const ann = await person();
    ann.expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
    await ann.go("/");
    await ann.page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      if (worker.active?.state !== "activated") await new Promise((resolve) => worker.active?.addEventListener("statechange", resolve));
    });
    await ann.context.setOffline(true);
    await ann.go("/help");
    await ann.page.getByRole("heading", { name: "Squares" }).waitFor();
    await ann.go("/solo");
    await ann.reads("Your turn");
    await ann.page.selectOption("[name=level]", "perfect");
    await ann.page.getByRole("button", { name: "New game" }).click();
    // A perfect computer does not lose.
    for (let n = 0; n < 5; n++) {
      await ann.page.waitForFunction(() => !document.getElementById("status")?.textContent?.includes("thinking"));
      if (!(await ann.page.textContent("#status")).includes("Your turn")) break;
      await ann.page.locator('.cell[aria-disabled="false"]').first().click();
    }
    await ann.page.waitForFunction(() => /Draw!|computer wins/.test(document.getElementById("status")?.textContent ?? ""));
    await ann.look("solo-over-offline");
    await ann.page.getByRole("link", { name: "Replay and analyse" }).click();
    await ann.page.waitForURL(/\/r#/);
    await ann.page.waitForSelector("#moves [aria-current]");
    await ann.page.keyboard.press("Home");
    await ann.page.keyboard.press("v");
    await ann.sees("B2", "draw");
    await ann.go("/");
    await ann.page.getByText("You are offline.").waitFor();
    await ann.page.getByRole("link", { name: "Try again" }).click();
    await ann.page.getByText("You are offline.").waitFor();
    // The page is loaded as soon as the network is back.
    await ann.context.setOffline(false);
    await ann.page.getByRole("button", { name: "Play a friend" }).waitFor();
    await ann.leave();
  });

  test("the solo game survives a reload, and every variant has its end", async () => {
    const ann = await person();
    await ann.go("/solo");
    await ann.reads("Your turn");
    await ann.play("B2");
    await ann.sees("B2", "X");
    await ann.reads("Your turn");
    await ann.page.reload();
    await ann.sees("B2", "X");
    for (const rules of ["3,3,3 misere", "3,3,3 wild", "notakto"]) {
      await ann.page.selectOption("[name=rules]", rules);
      await ann.page.getByRole("button", { name: "New game" }).click();
      for (let n = 0; n < 9; n++) {
        await ann.page.waitForFunction(() => !document.getElementById("status")?.textContent?.includes("thinking"));
        if (!(await ann.page.textContent("#status")).includes("Your turn")) break;
        await ann.page.locator('.cell[aria-disabled="false"]').first().click();
      }
      await ann.page.waitForFunction(() => /wins|win|Draw/.test(document.getElementById("status")?.textContent ?? ""));
    }
    await ann.leave();
  });

  test("the first visit loads little, only from this server, and sets no cookie", async () => {
    const ann = await person();
    let bytes = 0;
    const hosts = new Set();
    const session = await ann.context.newCDPSession(ann.page);
    await session.send("Network.enable");
    session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
    ann.page.on("request", (request) => hosts.add(new URL(request.url()).host));
    await ann.go("/");
    await ann.page.waitForLoadState("networkidle");
    assert.ok(bytes > 0 && bytes < 60 * 1024, `${bytes} bytes`);
    assert.deepEqual([...hosts], [new URL(ann.page.url()).host]);
    assert.deepEqual(await ann.context.cookies(), []);
    console.log(`first load: ${bytes} bytes over the wire`);
    await ann.leave();
  });

  test("without scripts, a game is played with forms", async () => {
    const ann = await person({ javaScriptEnabled: false });
    const bob = await person({ javaScriptEnabled: false, ...PHONE });
    await ann.go("/");
    await ann.page.getByRole("button", { name: "Play a friend" }).click();
    const link = await ann.page.inputValue("#invitation");
    await bob.go(link);
    await bob.page.getByRole("button", { name: "Play", exact: true }).click();
    const press = async (person, square) => {
      await person.go(new URL(person.page.url()).pathname);
      await person.page.locator(`button[value="${square}"]`).click();
    };
    await ann.go(new URL(ann.page.url()).pathname);
    assert.equal(await ann.page.textContent("#status"), "Your turn");
    // An outdated form is refused with the reason.
    const stale = await ann.context.newPage();
    await stale.goto(ann.page.url());
    await press(ann, "A1");
    await stale.locator('button[value="B2"]').click();
    assert.match(await stale.textContent(".banner.bad"), /the game has changed/i);
    for (const [person, square] of [[bob, "B1"], [ann, "A2"], [bob, "B2"], [ann, "A3"]]) await press(person, square);
    assert.equal(await ann.page.textContent("#status"), "You win!");
    assert.match(await ann.page.textContent("#why"), /Line: A1–A2–A3/);
    await ann.page.screenshot({ path: new URL("../../target/browser/forms-won.png", import.meta.url).pathname, fullPage: true });
    await bob.go(new URL(bob.page.url()).pathname);
    assert.match(await bob.page.textContent("#status"), /wins$/);
    await bob.page.getByRole("button", { name: "Rematch" }).click();
    await ann.go(new URL(ann.page.url()).pathname);
    await ann.page.getByRole("button", { name: "Accept" }).click();
    await ann.page.getByRole("link", { name: "Go to the rematch" }).click();
    await ann.page.waitForURL(/\/g\/\w+$/);
    assert.match(await ann.page.textContent("#status"), /'s turn$/);
    // A record can be checked without scripts, too.
    await ann.go("/check");
    await ann.page.fill("#record", "1 X B2\n2 O B2\n");
    await ann.page.getByRole("button", { name: "Check and replay" }).click();
    assert.match(await ann.page.textContent(".fault"), /\n2 \| 2 O B2\n {2}\| {5}\^\^\n/);
    ann.expectErrors(/409|Conflict/);
    await ann.leave();
    await bob.leave();
  });

  test("a solo game can be taken back, shows values, and lets the computer begin", async () => {
    const ann = await person();
    await ann.go("/solo");
    await ann.reads("Your turn");
    await ann.reads("You are X.", "why");
    await ann.play("A1");
    await ann.page.waitForFunction(() => document.querySelectorAll(".cell .mark.o").length === 1);
    await ann.page.getByRole("button", { name: "Take back" }).click();
    await ann.sees("A1", "empty");
    assert.equal(await ann.page.locator(".cell .mark").count(), 0);
    await ann.page.getByRole("button", { name: "Show values" }).click();
    await ann.sees("B2", "centre, empty, draw");
    await ann.page.selectOption("[name=begins]", "opponent");
    // The computer thinks for a moment only, so what the page says is recorded.
    await ann.page.evaluate(() => {
      globalThis.said = [];
      const status = document.getElementById("status");
      new MutationObserver(() => globalThis.said.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
    });
    await ann.page.getByRole("button", { name: "New game" }).click();
    await ann.page.waitForFunction(() => document.querySelectorAll(".cell .mark.x").length === 1);
    await ann.reads("Your turn");
    await ann.reads("You are O.", "why");
    assert.match((await ann.page.evaluate(() => globalThis.said)).join(), /The computer is thinking/);
    await ann.leave();
  });
}
