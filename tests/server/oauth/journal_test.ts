/** The journal has one entry for each exchange, and the redacted entry has no secret. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { redact } from "../../../src/mod.ts";
import { findAll, readHtml } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { basic, challenge, createBrowser, createWorld, inWorld, redirectUri, verifier } from "../../world.ts";
import { assertTokens } from "./refusals.ts";

const it = testWith();

it("journal: an entry has the facts of a redemption", async ({ world }) => {
  const code = await world.code({ client_id: "basic", scope: "read write" });
  const form = { client_id: undefined, scope: "read" };
  const response = await world.redeem(code, form, basic("basic", "basic secret: a+b%c"));
  const body = await response.text();
  const [first, entry] = world.journal;
  const flow = first!.facts.flow!;
  assertEquals(entry!.facts, {
    endpoint: "token",
    clientId: "basic",
    clientAuth: "client_secret_basic",
    grantType: "authorization_code",
    flow,
    subject: "alice",
    scope: ["read", "write"],
    resource: [],
    pkce: "S256",
  });
  const { request } = entry!;
  assertEquals([request.method, request.path, request.query], ["POST", "/oauth2/token", ""]);
  assertEquals(new URLSearchParams(request.body).get("code_verifier"), verifier);
  assertEquals(entry!.response.body, body);
  assertEquals(entry!.response.status, 200);
  assertEquals(new Map(entry!.response.headers).get("cache-control"), "no-store");
  assert(new Map(request.headers).get("authorization")?.startsWith("Basic "));
});

it("journal: an entry has the facts of an authorization request, and the flow of its code", async ({ world }) => {
  const code = await world.code({ resource: "https://api.example/" });
  const [entry] = world.journal;
  assertEquals(entry!.facts, {
    endpoint: "authorize",
    clientId: "public",
    flow: code.split(".")[0]!,
    scope: ["read"],
    resource: ["https://api.example/"],
    pkce: "S256",
    subject: "alice",
  });
  const { request, response } = entry!;
  assertEquals([request.method, request.path, request.body], ["GET", "/oauth2/authorize", undefined]);
  assertEquals(new URLSearchParams(request.query).get("code_challenge"), challenge);
  assertEquals([response.status, response.body], [303, undefined]);
});

it("journal: the entry of a refused request has the facts found before the refusal", async ({ world }) => {
  const factsAfter = async (response: Promise<Response>) => {
    await response;
    return world.journal.at(-1)!.facts;
  };
  const without = await factsAfter(
    world.authorize({ code_challenge: undefined, code_challenge_method: undefined }),
  );
  assertEquals([without.pkce, without.refusal?.reason], ["none", "challenge_missing"]);
  const code = await world.code({ client_id: "basic" });
  const wrong = await factsAfter(world.redeem(code, { client_id: undefined }, basic("basic", "wrong")));
  assertEquals([wrong.grantType, wrong.refusal?.reason], ["authorization_code", "secret_wrong"]);
  // An unknown value may be a secret.
  const unknown = await factsAfter(world.redeem(code, { grant_type: "hunter2" }));
  assertEquals(unknown.grantType, undefined);
  const tokens = await assertTokens(await world.redeem(await world.code({ scope: "openid" })));
  const form = { token: String(tokens["access_token"]) };
  const shown = await factsAfter(
    world.post("/oauth2/introspect", form, basic("basic", "basic secret: a+b%c")),
  );
  assertEquals([shown.subject, shown.flow === undefined], ["alice", false]);
});

test("journal: a sign-out has its person and the client that asks for it", () =>
  inWorld({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
    await browser.submit(consent, { decision: "approve" });
    const asked = await browser.open("/connect/logout?client_id=public");
    assertEquals([world.journal.at(-1)!.facts.subject, world.journal.at(-1)!.facts.clientId], [
      "alice",
      "public",
    ]);
    await browser.submit(asked, { decision: "sign_out" });
    assertEquals(world.journal.at(-1)!.facts.subject, "alice");
  }));

test("journal: the pages of one sign-in share one flow", () =>
  inWorld({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
    const answer = await browser.submit(consent, { decision: "approve" });
    const flows = world.journal.map(({ facts }) => facts.flow);
    assertEquals(flows, Array(4).fill(new URL(answer.leftFor!).searchParams.get("code")!.split(".")[0]));
  }));

it("journal: a refusal has the rule, the expected and the received value, and the answer is shorter", async ({ world }) => {
  const response = await world.redeem(await world.code(), { redirect_uri: `${redirectUri}/` });
  assertEquals(await response.json(), {
    error: "invalid_grant",
    error_description: "The redirect_uri is not that of the authorization request",
  });
  assertEquals(world.lastRefusal(), {
    error: "invalid_grant",
    reason: "redirect_uri_differs",
    description: "The redirect_uri is not that of the authorization request",
    spec: "RFC 6749 §4.1.3",
    expected: redirectUri,
    received: `${redirectUri}/`,
    change: "Send the same redirect_uri as in the authorization request, character by character.",
  });
});

test("journal: each exchange has an entry with its own id and time, refused or not", async () => {
  let tick = 0;
  await using world = createWorld({ now: () => 1_800_000_000 + tick++ / 8 });
  const paths = ["/", "/nothing", "/oauth2/token", "/oauth2/jwks", "/static/postern.css"];
  for (const path of paths) await (await world.get(path)).text();
  await (await world.get("https://evil.test/x")).text();
  await world.fetch(new Request(`${world.issuer}/oauth2/jwks`, { method: "HEAD" }));
  assertEquals(world.journal.map(({ request }) => request.path), [...paths, "/x", "/oauth2/jwks"]);
  assertEquals(world.journal.map(({ response }) => response.status), [200, 404, 405, 200, 200, 421, 200]);
  assertEquals(new Set(world.journal.map(({ id }) => id)).size, world.journal.length);
  for (const { id, duration, receivedAt } of world.journal) {
    assertMatch(id, /^[\w-]{12}$/);
    assert(duration > 0 && duration < 1 && receivedAt >= 1_800_000_000);
  }
});

test("journal: an answer with two cookies keeps both", () =>
  inWorld({ login: "picker" }, async (world) => {
    const page = await (await world.get(world.authorizeUrl())).text();
    const cookie = /^[^;]*/.exec(new Map(world.journal[0]!.response.headers).get("set-cookie")!)![0];
    const request = findAll(readHtml(page), "input")[0]!.attributes.get("value")!;
    const response = await world.post("/oauth2/sign_in", { request, person: "alice" }, { cookie });
    assertEquals(response.headers.getSetCookie().length, 1);
    const headers = world.journal.at(-1)!.response.headers.filter(([name]) => name === "set-cookie");
    assertEquals(headers.map(([, value]) => value), response.headers.getSetCookie());
  }));

it("redact: hides the code in a redirect_uri that is the client's whole address", async ({ world }) => {
  const code = await world.code();
  await world.redeem(code, { redirect_uri: `${redirectUri}?code=${code}&state=s&continue=c` });
  assertEquals(world.lastRefusal()?.received?.includes(code), true);
  const shown = redact(world.journal.at(-1)!);
  assertEquals(JSON.stringify(shown).includes(code), false);
  const type = "application/x-www-form-urlencoded";
  assertEquals(new Map(shown.request.headers).get("content-type"), type);
  assertEquals(
    shown.facts.refusal?.received,
    `${redirectUri}?code=[redacted]&state=[redacted]&continue=[redacted]`,
  );
  await assertTokens(await world.redeem(code));
});
