// What the tests share: one browser, servers, and players who report every error in their browser.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCREENSHOTS = join(ROOT, "target", "browser");
/** The picture for the README; docs/page-design.md says how to update it. */
export const README_PICTURE = join(SCREENSHOTS, "readme.png");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** How long to wait for the page to change, in milliseconds. Busy machines need more than Playwright's default. */
const TIMEOUT = 60_000;

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const DARK = { colorScheme: "dark" };

/** A running `tictac serve` with its own database. */
export class Server {
  /** @param {{ push?: boolean }} [options] whether the server sends messages to browsers */
  static async start({ push = false } = {}) {
    const server = new Server();
    server.folder = mkdtempSync(join(tmpdir(), "tictac-browser-"));
    server.options = [];
    if (push) {
      const key = join(server.folder, "push.pem");
      spawnSync(server.program, ["serve", "push-key", key]);
      server.options = ["--push-key", key];
    }
    await server.run("127.0.0.1:0");
    return server;
  }

  get program() {
    return process.env.TICTAC ?? join(ROOT, "target", "debug", "tictac");
  }

  /** Runs the program, by default at the same address as before. */
  async run(listen = new URL(this.address).host) {
    const database = `sqlite:${join(this.folder, "games.db")}`;
    const limits = ["--games-per-minute", "10000", "--requests-per-minute", "100000"];
    this.process = spawn(this.program, ["serve", "--listen", listen, "--database", database, ...limits, ...this.options], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: this.process.stdout });
    const first = await new Promise((resolve, reject) => {
      lines.once("line", resolve);
      this.process.once("exit", (code) => reject(new Error(`the server exited with status ${code}`)));
    });
    this.address = /http:\/\/[\d.:]+/.exec(first)?.[0];
    assert.ok(this.address, `no address in: ${first}`);
  }

  /** Kills the process, as a power failure would. */
  async kill() {
    const exited = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await exited;
  }

  async remove() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let browser;
/** The server of all tests that do not stop it. */
let shared;

/** Starts the browser and the shared server. */
export async function open() {
  mkdirSync(SCREENSHOTS, { recursive: true });
  shared = await Server.start();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
    env: { ...process.env, HOME: shared.folder, XDG_CONFIG_HOME: shared.folder, XDG_CACHE_HOME: shared.folder },
  });
}

export async function close() {
  await browser?.close();
  await shared?.remove();
}

/** Opens a browser window with its own cookies. */
export async function person({ server = shared, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 850 }, baseURL: server.address, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(TIMEOUT);
  return new Person(context, await context.newPage());
}

/** Opens two windows in one game. The first player, Ann, has created it; the second one sees the invitation. */
export async function invite(choices = {}, guestOptions = {}) {
  const { server } = guestOptions;
  const ann = await person({ server });
  await ann.newGame({ name: "Ann", ...choices });
  const link = await ann.page.inputValue("#invitation");
  const bob = await person(guestOptions);
  await bob.go(link);
  return { ann, bob };
}

/** Opens two windows in one game that has started. */
export async function playing(choices = {}, guestOptions = {}) {
  const { ann, bob } = await invite(choices, guestOptions);
  await bob.page.fill("[name=name]", "Bob");
  await bob.page.getByRole("button", { name: "Play", exact: true }).click();
  await ann.reads("Your turn");
  await bob.reads("Ann's turn");
  return { ann, bob };
}

/** A person at a browser window. Errors in the window fail the test. */
class Person {
  constructor(context, page) {
    this.context = context;
    this.page = page;
    this.errors = [];
    this.expected = [];
    page.on("pageerror", (error) => this.errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.errors.push(message.text());
    });
  }

  /** Ignores errors that the test causes, such as a lost connection. */
  expectErrors(pattern) {
    this.expected.push(pattern);
  }

  async go(path) {
    await this.page.goto(path);
  }

  /** Fills in the form on the home page and starts the game. */
  async newGame(choices = {}) {
    const { against = "friend", ...fields } = choices;
    await this.go("/");
    if (against === "self" || Object.keys(fields).length > 0) await this.page.locator(".options > summary").click();
    for (const [name, value] of Object.entries(fields)) {
      const field = this.page.locator(`#start [name="${name}"]`).first();
      const type = await field.getAttribute("type");
      if (type === "radio" || type === "checkbox") await this.page.check(`#start input[name="${name}"][value="${value}"]`);
      else if (name === "clock") await this.setClock(value);
      else if (name === "level" || name === "marks" || name === "misere") await field.selectOption(value);
      else await field.fill(String(value));
    }
    // The options have their own buttons at their end.
    await this.page.locator(`#start button[value="${against}"]:visible`).last().click();
    await this.page.waitForURL(/\/g\/\w+$/);
  }

  /** Chooses a clock, also one that is too short for the form to offer. @param {string} value */
  async setClock(value) {
    const field = this.page.locator("#start [name=clock]");
    await field.evaluate((list, clock) => list.append(new Option(clock, clock)), value);
    await field.selectOption(value);
  }

  square(name) {
    return this.page.locator(`[data-square="${name}"]`);
  }

  async play(name) {
    await this.square(name).click();
  }

  /** Waits until the label of a square contains the words. */
  async sees(name, words) {
    await this.waitFor(([square, text]) => document.querySelector(`[data-square="${square}"]`)?.getAttribute("aria-label")?.includes(text), name, words);
  }

  /** Waits until an element, by default the headline, contains the text. */
  async reads(text, id = "status") {
    await this.waitFor(([where, what]) => document.getElementById(where)?.textContent?.includes(what), id, text);
  }

  /** Waits until the page says something, and fails with what it says instead. */
  async waitFor(isSaid, where, words) {
    try {
      await this.page.waitForFunction(isSaid, [where, words], { timeout: TIMEOUT });
    } catch (error) {
      const page = await this.page.locator("body").ariaSnapshot({ timeout: 5000 }).catch(() => "");
      assert.fail(`${where} never said "${words}" (${error.message}), but this:\n${[page, ...this.errors].join("\n")}`);
    }
  }

  /** Takes a screenshot, and checks the page for accessibility and for its width. */
  async look(name) {
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    const violations = found.violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")})`);
    assert.deepEqual(violations, [], `accessibility of ${name}`);
    const isTooWide = await this.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1);
    assert.equal(isTooWide, false, `${name} scrolls sideways`);
  }

  async leave() {
    await this.context.close();
    const errors = this.errors.filter((error) => !this.expected.some((pattern) => pattern.test(error)));
    assert.deepEqual(errors, [], "errors in the browser");
  }
}
