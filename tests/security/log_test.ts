/** LOG, the journal: what is shown of it opens no door, wherever a secret came from or went astray to. */

import { assert, assertEquals } from "@std/assert";
import { inspect } from "node:util";
import { type JournalEntry, redact } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { createWorld, inWorld, type World } from "../world.ts";
import { everyFlowOptions, runEveryFlow, type Secret } from "./every_flow.ts";
import { formType, requestTo } from "./site.ts";

/** The entry as a console, a file or a page would show it. */
function show(entry: JournalEntry): string {
  const seen = redact(entry);
  return `${JSON.stringify(seen)}\n${
    inspect(seen, { depth: 20, maxStringLength: Infinity, maxArrayLength: Infinity })
  }`;
}

function assertSilent(journal: readonly JournalEntry[], secrets: readonly Secret[]): void {
  for (const entry of journal) {
    const text = show(entry);
    const told = secrets.filter((secret) => text.includes(secret.text.slice(0, 8))).map(({ what }) => what);
    assertEquals(told, [], `${entry.request.method} ${entry.request.path}`);
  }
}

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`LOG-01 journal, ${accessTokens} tokens: no secret of any flow passes redact(), nor its first eight characters`, async () => {
    const world = createWorld({ ...everyFlowOptions, accessTokens });
    const secrets = await runEveryFlow(world).finally(() => world.close());
    assert(secrets.length > 30, `only ${secrets.length} secrets`);
    const raw = JSON.stringify(world.journal);
    // the one secret that is never written as it is
    for (const { what, text } of secrets.filter((each) => each.what !== "secret of the client basic")) {
      assert(raw.includes(text), `${what} was not in the raw journal, so nothing was looked for`);
    }
    assertSilent(world.journal, secrets);
  });
}

test("LOG-01 journal: what helps is still there: who, where, what for, and the rule that refused", async () => {
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

/** Where a secret ends up by mistake: nobody reads it there, and the journal must not tell it either. */
const astray: Readonly<Record<string, (world: World) => Request>> = {
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
  "a token that a proxy hands on": (world) => headed(world, "x-forwarded-access-token", canary),
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

for (const [what, build] of Object.entries(astray)) {
  test(`LOG-01 journal: a secret that went astray into ${what} does not pass redact()`, async () => {
    await inWorld({}, async (world) => {
      await world.fetch(build(world));
      assertEquals(world.journal.length, 1);
      assertSilent(world.journal, [{ what, text: canary }]);
    });
  });
}
