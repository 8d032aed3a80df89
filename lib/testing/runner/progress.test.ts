import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutTime, Estimate, ProgressLine } from "./progress.ts";

test("the time left follows the durations of earlier runs, and the pace of this one", () => {
  const estimate = new Estimate({ long: 600_000, short: 60_000 });
  estimate.plan(["long", "short"], 2);
  assert.equal(estimate.leftMs(0), 330_000);
  estimate.finish("short");
  assert.equal(estimate.leftMs(30_000), 300_000);
  // Half as fast as expected: of the 60 s that this and the trusted start were to take, 120 s have passed.
  assert.equal(estimate.leftMs(90_000), 600_000);
  assert.equal(Math.round(estimate.doneShare() * 100), 9);
  estimate.finish("long");
  assert.equal(estimate.leftMs(1_000_000), 0);
});

test("a part that has never run counts as a usual one of its kind", () => {
  const estimate = new Estimate({});
  estimate.plan(["new.itest.ts"]);
  assert.equal(estimate.leftMs(0), 2_500);
});

test("times are given in whole minutes", () => {
  assert.equal(aboutTime(29_000), "less than a minute");
  assert.equal(aboutTime(290_000), "about 5 min");
});

test("a terminal gets one line that changes, a log gets a line from time to time", () => {
  const shown = (isTTY: boolean) => {
    let [text, now] = ["", 0];
    const line = new ProgressLine({ isTTY, write: (more) => (text += more) }, () => now);
    for (let second = 0; second < 30; second += 10) {
      now = second * 1_000;
      line.show(`${second} s`);
    }
    line.print("done");
    return text;
  };
  assert.equal(shown(false), "  20 s\ndone\n");
  assert.equal(shown(true), "\r\u001b[2K  0 s\r\u001b[2K  10 s\r\u001b[2K  20 s\r\u001b[2Kdone\n");
});
