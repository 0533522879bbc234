/** When the right server is tried again, after runs that showed nothing of the client. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Phase } from "../../../src/kit/faults/misbehaviour.ts";
import { createRightAgain } from "../../../src/kit/examine/right_again.ts";
import { test } from "../../runner.ts";

test("right again: a phase that ends in silence while another one is checked is checked, too", async () => {
  const checked: Phase[] = [];
  const { promise: loginEnds, resolve: endLogin } = Promise.withResolvers<void>();
  const rightAgain = createRightAgain(async (phase) => {
    checked.push(phase);
    if (checked.length === 1) await loginEnds;
    return phase === "refresh" ? "it is gone" : undefined;
  });
  const first = rightAgain.after({ name: "id_token.alg_none", phase: "login", outcome: "hung" });
  await rightAgain.after({ name: "refresh.slow", phase: "refresh", outcome: "not_reached" });
  await rightAgain.after({ name: "refresh.rotated", phase: "refresh", outcome: "unknown" });
  endLogin();
  await first;
  assertEquals(checked, ["login", "refresh"]);
  assertMatch(await rightAgain.atEnd() ?? "", /^After refresh\.slow, the client failed .*: it is gone\. /);
});

test("right again: a verdict needs no check, and the end has one", async () => {
  const checked: Phase[] = [];
  const rightAgain = createRightAgain((phase) => {
    checked.push(phase);
    return Promise.resolve("it is gone");
  });
  for (const outcome of ["noticed", "fooled", "tolerated"] as const) {
    await rightAgain.after({ name: "id_token.alg_none", phase: "logout", outcome });
  }
  assertMatch(await rightAgain.atEnd() ?? "", /^At the end, the client failed/);
  assertEquals(checked, ["login"]);
});
