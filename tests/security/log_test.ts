/** No redacted entry shows a secret, not even one that a client sent in the wrong place. */

import { assert, assertEquals } from "@std/assert";
import { inspect } from "node:util";
import { recordRequest } from "../../src/cli/request_record.ts";
import { type JournalEntry, redact } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { createWorld, inWorld, type World } from "../world.ts";
import { everyFlowOptions, runEveryFlow, type Secret } from "./every_flow.ts";
import { formType, requestTo } from "./site.ts";

/** The entry as a console, a file or a page would show it. */
function show(entry: JournalEntry): string {
  const seen = redact(entry);
  return `${JSON.stringify(seen)}\n${JSON.stringify(recordRequest(entry))}\n${
    inspect(seen, { depth: 20, maxStringLength: Infinity, maxArrayLength: Infinity })
  }`;
}

function assertLeaksNothing(journal: readonly JournalEntry[], secrets: readonly Secret[]): void {
  for (const entry of journal) {
    const text = show(entry);
    const leaked = secrets.filter((secret) => text.includes(secret.text.slice(0, 8))).map(({ what }) => what);
    assertEquals(leaked, [], `${entry.request.method} ${entry.request.path}`);
  }
}

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`journal, ${accessTokens} tokens: redact() removes every secret of every flow, and its first eight characters`, async () => {
    const world = createWorld({ ...everyFlowOptions, accessTokens });
    const secrets = await runEveryFlow(world).finally(() => world.close());
    assert(secrets.length > 30, `only ${secrets.length} secrets`);
    const raw = JSON.stringify(world.journal);
    // This client's secret is only ever sent encoded.
    for (const { what, text } of secrets.filter((each) => each.what !== "secret of the client basic")) {
      assert(raw.includes(text), `${what} is not in the raw journal, so its absence proves nothing`);
    }
    assertLeaksNothing(world.journal, secrets);
  });
}

test("journal: redact() keeps client, subject, parameter names and the reason of a refusal", async () => {
  await inWorld({}, async (world) => {
    await world.redeem(await world.code(), { code_verifier: undefined });
    const [authorized, refused] = world.journal.map(redact);
    assertEquals(authorized!.facts.clientId, "public");
    assertEquals(authorized!.facts.subject, "alice");
    assert(/(^|&)code_challenge=/.test(authorized!.request.query), authorized!.request.query);
    assertEquals([refused!.response.status, refused!.facts.refusal?.reason], [400, "verifier_missing"]);
    assert(/(^|&)grant_type=/.test(refused!.request.body ?? ""), refused!.request.body);
  });
});

const canary = "c4n4ry-51d3kn0ck-0f-4-s3cr3t";

/** Places where a client sends a secret by mistake. */
const misplaced: Readonly<Record<string, (world: World) => Request>> = {
  "JSON in a form": (world) => formOf(world, JSON.stringify({ client_id: "public", client_secret: canary })),
  "JSON in a form, with an equal sign": (world) =>
    formOf(world, JSON.stringify({ url: "?a=b", code: canary })),
  "a form of one word": (world) => formOf(world, canary),
  "a form with a word beside its parameters": (world) => formOf(world, `client_id=public&${canary}&code=x`),
  "a word with padding": (world) => formOf(world, `${canary}==`),
  "a query of one word": (world) => new Request(`${world.issuer}/oauth2/authorize?${canary}`),
  "a query at the token endpoint": (world) =>
    new Request(`${world.issuer}/oauth2/token?code=${canary}`, { method: "POST" }),
  "the credentials of another scheme": (world) => headed(world, "authorization", `Bearer ${canary}`),
  "a proxy's credentials": (world) => headed(world, "proxy-authorization", `Basic ${canary}`),
  "a cookie of another program": (world) => headed(world, "cookie", `other=${canary}`),
  "a referrer": (world) => headed(world, "referer", `https://app.example/cb?code=${canary}`),
  "a key in a header": (world) => headed(world, "x-api-key", canary),
  "a token that a proxy forwards": (world) => headed(world, "x-forwarded-access-token", canary),
  "a proof of possession": (world) => headed(world, "dpop", canary),
  "an assertion": (world) => formOf(world, `client_id=public&client_assertion=${canary}`),
};

function formOf(world: World, body: string): Request {
  return new Request(`${world.issuer}/oauth2/token`, { method: "POST", headers: formType, body });
}

function headed(world: World, name: string, value: string): Request {
  return requestTo(world, { method: "POST", path: "/oauth2/token" }, { client_id: "public" }, {
    [name]: value,
  });
}

for (const [what, build] of Object.entries(misplaced)) {
  test(`journal: redact() removes a secret in ${what}`, async () => {
    await inWorld({}, async (world) => {
      await world.fetch(build(world));
      assertEquals(world.journal.length, 1);
      assertLeaksNothing(world.journal, [{ what, text: canary }]);
    });
  });
}
