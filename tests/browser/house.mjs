// What every test needs: a server of its own, a browser, people in it, and an eye for errors and barriers.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SHOTS = join(ROOT, "target", "browser");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// A busy machine is no failure.
const PATIENCE = 20_000;

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A server with its own database, and a browser. */
export class House {
  static async open() {
    const house = new House();
    house.folder = mkdtempSync(join(tmpdir(), "tictac-browser-"));
    mkdirSync(SHOTS, { recursive: true });
    await house.startServer("127.0.0.1:0");
    house.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: FLAGS,
      env: { ...process.env, HOME: house.folder, XDG_CONFIG_HOME: house.folder, XDG_CACHE_HOME: house.folder },
    });
    return house;
  }

  /** Starts the server, or starts it again where it was. */
  async startServer(listen = new URL(this.address).host) {
    const program = process.env.TICTAC ?? join(ROOT, "target", "debug", "tictac");
    this.server = spawn(program, ["serve", "--listen", listen, "--database", `sqlite:${join(this.folder, "games.db")}`, "--games-per-minute", "10000", "--requests-per-minute", "100000"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: this.server.stdout });
    const first = await new Promise((resolve, reject) => {
      lines.once("line", resolve);
      this.server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    this.address = /http:\/\/[\d.:]+/.exec(first)?.[0];
    assert.ok(this.address, `no address in: ${first}`);
  }

  /** Kills the server as a power cut does. */
  async killServer() {
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    this.server.kill("SIGKILL");
    await ended;
  }

  async close() {
    await this.browser.close();
    await this.killServer();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Somebody with a browser of his own. */
  async person(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1200, height: 850 }, baseURL: this.address, reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(PATIENCE);
    return new Person(context, await context.newPage());
  }
}

/** Somebody at a screen; what goes wrong in his browser fails the test. */
export class Person {
  constructor(context, page) {
    this.context = context;
    this.page = page;
    this.errors = [];
    this.excused = [];
    page.on("pageerror", (error) => this.errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.errors.push(message.text());
    });
  }

  /** Errors that the test itself causes, such as a cut line. */
  excuse(pattern) {
    this.excused.push(pattern);
  }

  async go(path) {
    await this.page.goto(path);
  }

  /** Chooses what a new game shall be, and starts it. */
  async newGame(choices = {}) {
    await this.go("/");
    for (const [name, value] of Object.entries(choices)) {
      const field = this.page.locator(`[name="${name}"]`).first();
      const isRadio = (await field.getAttribute("type")) === "radio";
      if (isRadio) await this.page.check(`input[name="${name}"][value="${value}"]`);
      else if (name === "level" || name === "marks" || name === "misere") await field.selectOption(value);
      else await field.fill(String(value));
    }
    await this.page.getByRole("button", { name: "Start the game" }).click();
    await this.page.waitForURL(/\/g\/\w+$/);
  }

  square(name) {
    return this.page.locator(`[data-square="${name}"]`);
  }

  async play(name) {
    await this.square(name).click();
  }

  /** Waits until a square says this to screen readers. */
  async sees(name, words) {
    await this.page.waitForFunction(([square, text]) => document.querySelector(`[data-square="${square}"]`)?.getAttribute("aria-label")?.includes(text), [name, words], { timeout: PATIENCE });
  }

  /** Waits until the heading says this. */
  async reads(text, id = "status") {
    await this.page.waitForFunction(([where, what]) => document.getElementById(where)?.textContent?.includes(what), [id, text], { timeout: PATIENCE });
  }

  /** A picture for people to look at, and a search for barriers. */
  async look(name) {
    await this.page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    const violations = found.violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")})`);
    assert.deepEqual(violations, [], `barriers on ${name}`);
    const isTooWide = await this.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1);
    assert.equal(isTooWide, false, `${name} scrolls sideways`);
  }

  async leave() {
    await this.context.close();
    const errors = this.errors.filter((error) => !this.excused.some((pattern) => pattern.test(error)));
    assert.deepEqual(errors, [], "errors in the browser");
  }
}

export const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const DARK = { colorScheme: "dark" };
