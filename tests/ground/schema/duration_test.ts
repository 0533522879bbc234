/** Durations: what is read, and what people see. */

import { assertEquals } from "@std/assert";
import * as durations from "../../../src/ground/schema/duration.ts";
import { test } from "../../runner.ts";

const read = {
  ...{ "90s": 90, "1d 3h": 97_200, "1d3h2m1s250ms": 97_321.25, "250ms": 0.25, "1.1h": 3960 },
  ...{ "-1d  3h": -97_200, "+10.25m": 615, "1.0000004s": 1, "1d 1.5h": 91_800 },
};
const unread = ",90,s, 9s,9s ,1d 3,1d -3h,--1d,.5h,5.h,1d 5.h,1d 5.xh,1h 1d,5m 1m,1w,1D".split(",");

test("durations: text has units, each once, the largest first", () => {
  for (const [text, seconds] of Object.entries(read)) {
    assertEquals(durations.parseDuration(text), seconds, text);
  }
  for (const text of unread) assertEquals(durations.parseDuration(text), undefined, text);
});

const shown = {
  ...{
    0: "0 ms",
    0.0124: "12 ms",
    0.999: "999 ms",
    0.9995: "1 s",
    3.44: "3.4 s",
    9.96: "10 s",
    12.4: "12 s",
  },
  ...{ 59.4: "59 s", 59.5: "1 min", 3600: "1 h", 3605: "1 h", 90_060: "1 d 1 h", 86_520: "1 d" },
};

test("durations: people see the two largest units, without the zeros", () => {
  for (const [seconds, text] of Object.entries(shown)) {
    assertEquals([durations.formatDuration(Number(seconds)), durations.formatDuration(-Number(seconds))], [
      text,
      text,
    ]);
  }
  const delays = { 0.4: "400 ms", 1: "1 s", 1.9: "1 s", 61.9: "1 min 1 s" };
  for (const [seconds, text] of Object.entries(delays)) {
    assertEquals(durations.formatDelay(Number(seconds)), text);
  }
});
