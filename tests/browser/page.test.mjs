// All tests of the page, in one process with one browser. They wait for the page most of the time, so several run at once.

import { after, before, describe } from "node:test";
import { close, open } from "./fixture.mjs";
import local from "./local.mjs";
import play from "./play.mjs";
import replay from "./replay.mjs";
import tournament from "./tournament.mjs";

before(open);
after(close);

describe("the page", { concurrency: 4 }, () => {
  local();
  play();
  replay();
  tournament();
});
