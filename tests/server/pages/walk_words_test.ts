/** What the pages of a walk say of a time and of a response. */

import { assertEquals } from "@std/assert";
import { describeOutcome } from "../../../src/server/pages/callback/walk_outcome.ts";
import { describeDistance, describeMoment } from "../../../src/server/pages/value.tsx";
import type { WalkStepName } from "../../../src/server/oauth/contracts/pages.ts";
import { test } from "../../runner.ts";
import { exchangeStep } from "./examples.ts";

test("walk page: a time is in UTC and to the second, and a distance says its direction", () => {
  assertEquals([0, 1_800_000_000.4, NaN].map(describeMoment), [
    "1970-01-01 00:00:00 UTC",
    "2027-01-15 08:00:00 UTC",
    "?",
  ]);
  assertEquals([0, 0.9, -0.9, 1, -1, 2_520].map(describeDistance), [
    ...["now", "now", "now", "in 1 s", "1 s ago", "in 42 min"],
  ]);
});

test("walk page: a step that shall be refused is refused on purpose only for invalid_grant", () => {
  const rows: readonly (readonly [name: WalkStepName, status: number, error: string, outcome: string])[] = [
    ["exchange", 200, "", "The code was exchanged true undefined"],
    ["exchange", 400, "invalid_grant", "The server refused the code false invalid_grant"],
    ["replay_code", 400, "invalid_grant", "The code did not work twice false undefined"],
    ["replay_code", 401, "invalid_client", "The server refused the request false invalid_client"],
    ["tamper_verifier", 399, "invalid_grant", "A wrong verifier was accepted true undefined"],
    ["reuse_refresh_token", 400, "", "The server refused the request false undefined"],
  ];
  for (const [name, status, error, expected] of rows) {
    const response = { status, headers: [], body: JSON.stringify(error === "" ? {} : { error }) };
    const { heading, isDone, unexplained } = describeOutcome({
      name,
      call: { ...exchangeStep.call, response },
    });
    assertEquals(`${heading} ${isDone} ${unexplained}`, expected);
  }
});
