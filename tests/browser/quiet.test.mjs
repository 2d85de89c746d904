import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DARK, House, PHONE } from "./house.mjs";

let house;
before(async () => {
  house = await House.open();
});
after(() => house.close());

test("every quiet page is free of barriers in light, dark, on a phone and in forced colours", async () => {
  for (const [look, options] of [["light", {}], ["dark", DARK], ["phone", PHONE], ["forced", { forcedColors: "active" }]]) {
    const ann = await house.person(options);
    for (const [name, path] of [["home", "/"], ["solo", "/solo"], ["help", "/help"], ["offline-page", "/offline"]]) {
      await ann.go(path);
      if (name === "solo") await ann.reads("Your move");
      await ann.look(`${name}-${look}`);
    }
    await ann.leave();
  }
});

test("what is not here says so", async () => {
  const ann = await house.person();
  ann.excuse(/404|400/);
  await ann.go("/nothing");
  await ann.page.getByRole("heading", { name: "Not here" }).waitFor();
  await ann.go("/g/000000000000");
  await ann.page.getByRole("heading", { name: "Not here" }).waitFor();
  await ann.look("not-here");
  await ann.go("/join/nonsense");
  await ann.page.getByRole("heading", { name: "That did not work" }).waitFor();
  await ann.leave();
});

test("after the first visit 3×3 can be played and analysed without a network", async () => {
  const ann = await house.person();
  ann.excuse(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await ann.go("/");
  await ann.page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    if (worker.active?.state !== "activated") await new Promise((resolve) => worker.active?.addEventListener("statechange", resolve));
  });
  await ann.context.setOffline(true);
  await ann.go("/help");
  await ann.page.getByRole("heading", { name: "How squares are called" }).waitFor();
  await ann.go("/solo");
  await ann.reads("Your move");
  await ann.page.selectOption("[name=level]", "perfect");
  await ann.page.getByRole("button", { name: "New game" }).click();
  // A corner, then an edge far from the answer: the computer must not lose.
  for (let n = 0; n < 5; n++) {
    await ann.page.waitForFunction(() => !document.getElementById("status")?.textContent?.includes("thinking"));
    if (!(await ann.page.textContent("#status")).includes("Your move")) break;
    await ann.page.locator('.cell[aria-disabled="false"]').first().click();
  }
  await ann.page.waitForFunction(() => /Draw|computer wins/.test(document.getElementById("status")?.textContent ?? ""));
  await ann.look("solo-over-offline");
  await ann.page.getByRole("link", { name: "Analyse" }).last().click();
  await ann.page.waitForURL(/\/r#/);
  await ann.page.waitForSelector("#moves [aria-current]");
  await ann.page.keyboard.press("Home");
  await ann.page.keyboard.press("v");
  await ann.sees("B2", "draw");
  await ann.go("/");
  await ann.page.getByRole("heading", { name: "No network" }).waitFor();
  await ann.context.setOffline(false);
  await ann.go("/");
  await ann.page.getByRole("button", { name: "Start the game" }).waitFor();
  await ann.leave();
});

test("the solo game survives a reload, and every variant has its end", async () => {
  const ann = await house.person();
  await ann.go("/solo");
  await ann.reads("Your move");
  await ann.play("B2");
  await ann.sees("B2", "X");
  await ann.reads("Your move");
  await ann.page.reload();
  await ann.sees("B2", "X");
  for (const rules of ["3,3,3 misere", "3,3,3 wild", "notakto"]) {
    await ann.page.selectOption("[name=rules]", rules);
    await ann.page.getByRole("button", { name: "New game" }).click();
    for (let n = 0; n < 9; n++) {
      await ann.page.waitForFunction(() => !document.getElementById("status")?.textContent?.includes("thinking"));
      if (!(await ann.page.textContent("#status")).includes("Your move")) break;
      await ann.page.locator('.cell[aria-disabled="false"]').first().click();
    }
    await ann.page.waitForFunction(() => /wins|win|Draw/.test(document.getElementById("status")?.textContent ?? ""));
  }
  await ann.leave();
});

test("the first visit loads little, nothing from elsewhere, and sets no cookie", async () => {
  const ann = await house.person();
  let bytes = 0;
  const hosts = new Set();
  const session = await ann.context.newCDPSession(ann.page);
  await session.send("Network.enable");
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  ann.page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await ann.go("/");
  await ann.page.waitForLoadState("networkidle");
  assert.ok(bytes > 0 && bytes < 60 * 1024, `${bytes} bytes`);
  assert.deepEqual([...hosts], [new URL(house.address).host]);
  assert.deepEqual(await ann.context.cookies(), []);
  console.log(`first load: ${bytes} bytes over the wire`);
  await ann.leave();
});

test("without script a game is played through forms", async () => {
  const ann = await house.person({ javaScriptEnabled: false });
  const bob = await house.person({ javaScriptEnabled: false, ...PHONE });
  await ann.go("/");
  await ann.page.getByRole("button", { name: "Start the game" }).click();
  const link = await ann.page.inputValue("#invitation");
  await bob.go(link);
  await bob.page.getByRole("button", { name: "Play" }).click();
  const press = async (person, square) => {
    await person.go(new URL(person.page.url()).pathname);
    await person.page.locator(`button[value="${square}"]`).click();
  };
  await ann.go(new URL(ann.page.url()).pathname);
  assert.equal(await ann.page.textContent("#status"), "Your move");
  // A stale form is refused with the reason, and nothing is lost.
  const stale = await ann.context.newPage();
  await stale.goto(ann.page.url());
  await press(ann, "A1");
  await stale.locator('button[value="B2"]').click();
  assert.match(await stale.textContent(".banner.bad"), /something else has happened/i);
  for (const [person, square] of [[bob, "B1"], [ann, "A2"], [bob, "B2"], [ann, "A3"]]) await press(person, square);
  assert.equal(await ann.page.textContent("#status"), "You win");
  assert.match(await ann.page.textContent("#why"), /X completed A1–A2–A3/);
  await ann.page.screenshot({ path: new URL("../../target/browser/forms-won.png", import.meta.url).pathname, fullPage: true });
  await bob.go(new URL(bob.page.url()).pathname);
  assert.equal(await bob.page.textContent("#status"), "You lose");
  await bob.page.getByRole("button", { name: "Rematch" }).click();
  await ann.go(new URL(ann.page.url()).pathname);
  await ann.page.getByRole("button", { name: "Accept" }).click();
  await ann.page.getByRole("link", { name: "To the next game" }).click();
  await ann.page.waitForURL(/\/g\/\w+$/);
  assert.equal(await ann.page.textContent("#status"), "The other player's move");
  // The record can be checked without script too.
  await ann.go("/check");
  await ann.page.fill("#record", "1 X B2\n2 O B2\n");
  await ann.page.getByRole("button", { name: "Check and replay" }).click();
  assert.match(await ann.page.textContent(".fault"), /\n2 \| 2 O B2\n {2}\| {5}\^\^\n/);
  ann.excuse(/409|Conflict/);
  await ann.leave();
  await bob.leave();
});
