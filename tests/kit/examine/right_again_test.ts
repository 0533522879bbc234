/** When the right server is tried again, after runs that showed nothing of the client. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Phase } from "../../../src/kit/faults/misbehaviour.ts";
import { createRightAgain, findKept } from "../../../src/kit/examine/right_again.ts";
import { examine, type ExamineTerms } from "../../../src/kit/mod.ts";
import { createClient } from "../faults/clients/client.ts";
import { quick, quickAlg, strict } from "../faults/clients/habits.ts";
import { seenAt } from "../faults/seen_requests.ts";
import { test } from "../../runner.ts";

test("right again: a phase that ends in silence while another one is checked is checked, too", async () => {
  const checked: Phase[] = [];
  const { promise: loginEnds, resolve: endLogin } = Promise.withResolvers<void>();
  const rightAgain = createRightAgain(async (phase) => {
    checked.push(phase);
    if (checked.length === 1) await loginEnds;
    return phase === "refresh" ? { error: "it is gone" } : undefined;
  });
  const first = rightAgain.after({ name: "id_token.alg_none", phase: "login", outcome: "hung" });
  await rightAgain.after({ name: "refresh.slow", phase: "refresh", outcome: "not_reached" });
  await rightAgain.after({ name: "refresh.rotated", phase: "refresh", outcome: "unknown" });
  endLogin();
  await first;
  assertEquals(checked, ["login", "refresh"]);
  assertMatch(await rightAgain.atEnd() ?? "", /^After refresh\.slow, the client failed .*: it is gone\. /);
});

test("right again: the rows of a phase that end in silence during a check have one check together", async () => {
  let checks = 0;
  const { promise: firstEnds, resolve: endFirst } = Promise.withResolvers<void>();
  const rightAgain = createRightAgain(async () => {
    if (++checks === 1) await firstEnds;
    return undefined;
  });
  const first = rightAgain.after({ name: "id_token.alg_none", phase: "login", outcome: "hung" });
  await rightAgain.after({ name: "id_token.iss_wrong", phase: "login", outcome: "hung" });
  await rightAgain.after({ name: "id_token.aud_wrong", phase: "login", outcome: "hung" });
  endFirst();
  await first;
  assertEquals(checks, 2);
});

test("right again: each row that ends in silence is checked once, and the last one is named", async () => {
  const checked: Phase[] = [];
  const rightAgain = createRightAgain((phase) =>
    Promise.resolve(checked.push(phase) === 3 ? { error: "it is gone" } : undefined)
  );
  await rightAgain.after({ name: "id_token.alg_none", phase: "login", outcome: "hung" });
  await rightAgain.after({ name: "refresh.slow", phase: "refresh", outcome: "hung" });
  await rightAgain.after({ name: "id_token.iss_wrong", phase: "login", outcome: "unknown" });
  assertEquals(checked, ["login", "refresh", "login"]);
  assertMatch(await rightAgain.atEnd() ?? "", /^After id_token\.iss_wrong, the client failed/);
});

test("right again: a verdict needs no check, and the end has one", async () => {
  const checked: Phase[] = [];
  const rightAgain = createRightAgain((phase) => {
    checked.push(phase);
    return Promise.resolve({ error: "it is gone" });
  });
  for (const outcome of ["noticed", "fooled", "tolerated"] as const) {
    await rightAgain.after({ name: "id_token.alg_none", phase: "logout", outcome });
  }
  assertMatch(await rightAgain.atEnd() ?? "", /^At the end, the client failed/);
  assertEquals(checked, ["login"]);
});

/** Keeps the first answer to such a request for all issuers. */
const keeping = (part: string): ExamineTerms["client"] => {
  let kept: string | undefined;
  const client = createClient({ ...strict, ...quick });
  return (as, scenario) => {
    const fetch: typeof as.fetch = async (url, init) => {
      if (!`${url}`.includes(part)) return await as.fetch(url, init);
      kept ??= await (await as.fetch(url, init)).text();
      return new Response(kept, { headers: { "content-type": "application/json" } });
    };
    return client({ ...as, fetch }, scenario);
  };
};

for (
  const [part, kept, end] of [
    ["/jwks", "keys", "succeeded with another issuer"],
    ["/.well-known/", "metadata", "failed although the server was right: .*"],
  ] as const
) {
  const examineKeeping = async (options: ExamineTerms["options"]) =>
    await examine({
      client: keeping(part),
      only: ["id_token.iss_wrong"],
      options: { alg: quickAlg, ...options },
      within: 60,
    });
  test(`right again: a client that uses the ${kept} of another issuer is told so first`, async () => {
    const { problem } = await examineKeeping({});
    assertMatch(
      problem ?? "",
      new RegExp(
        `^(?:At the end|After id_token.iss_wrong), the client ${end}\\. ` +
          `It asked this issuer for no ${kept}, and may use the ${kept} of an earlier one\\. ` +
          "This explains other rows, so mend it first\\.$",
      ),
    );
  });
  test(`right again: a client may keep the ${kept} of the only issuer`, async () => {
    assertEquals((await examineKeeping({ issuer: "https://as.test" })).problem, undefined);
  });
}

test("right again: a client that failed before it had tokens needed no keys", () => {
  const metadata = seenAt("metadata", { number: 1, body: '{"issuer":"https://one.test"}' });
  const usual = [metadata, seenAt("jwks", { number: 2 })];
  const terms = { issuer: "https://two.test", hasFailed: true };
  const redeemed = seenAt("token", { number: 2, form: { grant_type: "authorization_code" } });
  assertEquals(findKept(usual, [metadata], terms), undefined);
  assertEquals(findKept(usual, [metadata, redeemed], terms), "keys");
  // Without the metadata, it does not know where the keys are.
  assertEquals(findKept(usual, [redeemed], terms), "metadata");
});

test("right again: an answer that names no issuer is not of another one", () => {
  const metadata = seenAt("metadata", { number: 1, body: "{}" });
  const redeemed = seenAt("token", { number: 2, form: { grant_type: "authorization_code" } });
  const terms = { issuer: "https://two.test", hasFailed: false };
  assertEquals(findKept([metadata, seenAt("jwks", { number: 2 })], [metadata, redeemed], terms), undefined);
});

test("right again: after a failure, the client runs no more", async () => {
  const checked: Phase[] = [];
  const rightAgain = createRightAgain((phase) => {
    checked.push(phase);
    return Promise.resolve({ error: "it is gone" });
  });
  await rightAgain.after({ name: "refresh.slow", phase: "refresh", outcome: "hung" });
  await rightAgain.after({ name: "id_token.iss_wrong", phase: "login", outcome: "unknown" });
  assertMatch(await rightAgain.atEnd() ?? "", /^After refresh\.slow, the client failed/);
  assertEquals(checked, ["refresh"]);
});
