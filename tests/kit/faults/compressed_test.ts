/** A token response that is compressed often: a client that reads one coding only says nothing about a limit (CVE-2026-22036). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { examine } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { createClient } from "./clients/client.ts";
import { naive, quickAlg } from "./clients/habits.ts";

/** Examines a client that refuses a response with more codings. */
async function examineWith(mostCodings: number) {
  const { rows: [row] } = await examine({
    client: async (as, scenario) =>
      await createClient(naive)({
        ...as,
        fetch: async (...request) => {
          const response = await as.fetch(...request);
          const codings = response.headers.get("content-encoding")?.split(",") ?? [];
          if (codings.length > mostCodings) throw new Error("too many codings");
          return response;
        },
      }, scenario),
    only: ["transport.compressed_chain"],
    options: { alg: quickAlg },
    within: 60,
  });
  return row!;
}

test("transport.compressed_chain: a client that limits the codings notices it, and one without a limit is fooled (RFC 9110 §8.4)", async () => {
  assertEquals((await examineWith(5)).outcome, "noticed");
  assertEquals((await examineWith(99)).outcome, "noticed");
  assertEquals((await examineWith(100)).outcome, "fooled");
});

test("transport.compressed_chain: a client that also refuses two codings shows no limit", async () => {
  for (const most of [0, 1]) {
    const { outcome, because } = await examineWith(most);
    assertEquals(outcome, "unknown");
    assertStringIncludes(because, "The client also failed with a right answer");
  }
  assertEquals((await examineWith(2)).outcome, "noticed");
});
