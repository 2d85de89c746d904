import assert from "node:assert/strict";
import { test } from "node:test";
import { DARK, person, PHONE, Server } from "./fixture.mjs";

/** Opens a tournament with the form and returns its path. */
async function open(host, name, format) {
  await host.go("/tournaments");
  await host.page.fill("form.open-tournament [name=name]", name);
  await host.page.check(`[name=format][value="${format}"]`);
  await host.page.getByLabel("Clock").selectOption("10+5");
  await host.page.getByRole("button", { name: "Open the tournament" }).click();
  await host.page.waitForURL(/\/t\/\w+$/);
  return new URL(host.page.url()).pathname;
}

async function join(player, path, name) {
  await player.go(path);
  await player.page.fill("#enter [name=name]", name);
  await player.page.getByRole("button", { name: "Join the tournament" }).click();
  await player.reads(`You play as ${name}.`, "you");
}

/** Plays every game to which the page leads, until the player is out or has won. */
async function playOn({ page }) {
  const isOver = () => page.evaluate(() => document.getElementById("you")?.textContent?.includes("Thank you for playing"));
  for (;;) {
    // However long the other games take. The page may lead to another game meanwhile.
    await page.waitForFunction(
      () => document.getElementById("status")?.textContent === "Your turn" || document.getElementById("you")?.textContent?.includes("Thank you for playing"),
      undefined,
      { timeout: 0 },
    );
    // A navigation interrupts what is being read or clicked, which is then tried again.
    if (await isOver().catch(() => false)) return;
    await page.locator('[data-square][aria-label*="empty"]').first().click({ timeout: 2000 }).catch(() => {});
  }
}

export default function tournament() {
  test("eight people play a knock-out by one link, and the server is killed in between", async () => {
    const server = await Server.start();
    const host = await person({ server });
    await host.go("/tournaments");
    await host.look("tournaments");
    const path = await open(host, "Class 7b", "knock-out");
    const names = ["Ann", "Bob", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana"];
    const players = await Promise.all(names.map((_, at) => person({ server, ...(at === 0 ? PHONE : {}), ...(at === 1 ? DARK : {}) })));
    await players[0].go(path);
    await players[0].look("tournament-join-phone");
    await Promise.all(players.map((player, at) => join(player, path, names[at])));
    await host.reads("Hana", "standings");
    await host.reads("10 minutes each, 5 seconds more per move", "head");
    await host.look("tournament-open");
    const screen = await person({ server, viewport: { width: 1600, height: 900 } });
    await screen.go(`${path}/screen`);
    await screen.look("tournament-screen-open");
    for (const one of [host, screen, ...players]) one.expectErrors(/WebSocket|Failed to load resource|ERR_/);

    await host.page.getByRole("button", { name: "Start the tournament" }).click();
    // Every player is led to the first game.
    await Promise.all(players.map(({ page }) => page.waitForURL(/\/g\/\w+$/)));
    const games = new Set(players.map(({ page }) => page.url()));
    assert.equal(games.size, 4);
    assert.equal(await players[0].page.locator(".clock").count(), 2);
    await server.kill();
    await server.run();
    await host.page.reload();
    // Every board shows the times of both players, and one of them runs.
    for (const { page } of [host, screen]) {
      await page.locator("#round .clock.is-running").nth(3).waitFor();
      assert.equal(await page.locator("#round .clock").count(), 8);
      const before = await page.locator("#round .clock.is-running").first().textContent();
      await page.waitForFunction((text) => document.querySelector("#round .clock.is-running")?.textContent !== text, before);
    }
    await host.look("tournament-round");
    await screen.look("tournament-screen-round");
    const guest = await person({ server, ...PHONE, ...DARK });
    await guest.go(path);
    await guest.look("tournament-round-phone-dark");
    await guest.leave();
    const playing = Promise.all(players.map(playOn));
    await screen.reads("Round 2", "round");
    await screen.look("tournament-screen");
    await playing;
    await host.reads("The tournament is over.", "head");
    await screen.reads("The tournament is over.", "head");
    await host.look("tournament-over");
    await players[0].look("tournament-over-phone");
    await players[1].look("tournament-over-dark");
    const standings = await host.page.locator("#standings tbody tr").allInnerTexts();
    assert.equal(standings.length, 8);
    assert.deepEqual(standings.map((row) => row.trim().split(/\s+/)[0]), ["1", "2", "3", "3", "5", "5", "5", "5"]);
    const csv = await (await fetch(`${server.address}/api/v1${path.replace("/t/", "/tournaments/")}/standings.csv`)).text();
    assert.equal(csv.trim().split("\r\n").length, 9);
    await Promise.all([host, screen, ...players].map((one) => one.leave()));
    await server.remove();
  });

  test("a latecomer is let in with one tap, a pupil comes back on another phone, and a dead server is said everywhere", async (t) => {
    const server = await Server.start();
    t.after(() => server.remove());
    const host = await person({ server, ...PHONE, viewport: { width: 375, height: 667 } });
    const path = await open(host, "Class 7b", "swiss");
    const [ann, bob, cem] = await Promise.all([1, 2, 3].map(() => person({ server })));
    await join(ann, path, "Ann");
    await join(bob, path, "Bob");
    await host.reads("Bob", "standings");
    for (const one of [host, ann, bob, cem]) one.expectErrors(/WebSocket|Failed to load resource|ERR_/);

    // The server dies while the organiser presses a button, which is carried out as soon as it is back.
    await server.kill();
    for (const one of [host, ann]) await one.reads("Connection lost", "connection");
    await host.look("tournament-lost-phone");
    await host.page.getByRole("button", { name: "Start the tournament" }).click();
    await server.run();
    await ann.page.waitForURL(/\/g\/\w+$/);
    assert.match(host.page.url(), /\/t\/\w+$/);
    await host.page.waitForSelector("#connection", { state: "hidden" });

    await cem.go(path);
    await cem.page.fill("#enter [name=name]", "Cem");
    await cem.look("tournament-late");
    await cem.page.getByRole("button", { name: "Ask to join" }).click();
    await cem.reads("You have asked to join.", "you");
    const admit = host.page.getByRole("button", { name: "Let Cem in" });
    await admit.waitFor();
    await host.look("tournament-requests-phone");
    await admit.click();
    await cem.reads("You play as Cem.", "you");

    // Ann's phone has died.
    await ann.leave();
    await host.page.getByText("A player needs another device").click();
    await host.page.locator("form", { hasText: "Make a link" }).locator("select").selectOption({ label: "Ann" });
    await host.page.getByRole("button", { name: "Make a link" }).click();
    const link = host.page.locator("#player-link");
    await link.waitFor();
    await host.look("tournament-new-link-phone");
    const phone = await person({ server, ...PHONE });
    await phone.go(await link.inputValue());
    await phone.page.getByRole("button", { name: "Continue on this device" }).click();
    await phone.page.waitForURL(/\/g\/\w+$/);
    await bob.reads("Ann opened the game on another device.", "notice");
    await phone.page.locator(".is-me", { hasText: "Ann" }).waitFor();
    // A form of any page leads to a page of ours when the server is dead.
    await phone.go("/");
    await phone.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await server.kill();
    await phone.page.locator("#start button.big[value=friend]").click();
    await phone.page.getByText("The server cannot be reached right now.").waitFor();
    assert.equal(await phone.page.getByText("You are offline.").isVisible(), false);
    await server.run();
    await Promise.all([host, bob, cem, phone].map((one) => one.leave()));
  });

  test("the pages of a tournament speak German", async () => {
    const host = await person({ locale: "de-DE" });
    await host.go("/tournaments");
    await host.page.fill("form.open-tournament [name=name]", "Klasse 7b");
    await host.page.getByRole("button", { name: "Turnier eröffnen" }).click();
    await host.page.waitForURL(/\/t\/\w+$/);
    await host.reads("Offen zum Mitspielen", "head");
    await host.page.locator("summary", { hasText: "Spieler hinzufügen" }).click();
    await host.page.getByRole("button", { name: "Computer hinzufügen" }).click();
    await host.reads("Computer club", "standings");
    await host.look("tournament-german");
    await host.leave();
  });
}
