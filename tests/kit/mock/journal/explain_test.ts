/** Exchanges in words: a refusal in three lines, and nothing in them that is a secret. */

import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { describeOutcome } from "../../../../src/kit/mock/journal/describe_request.ts";
import { explainLast, explainRefusal } from "../../../../src/kit/mock/journal/explain.ts";
import { recordRequest } from "../../../../src/kit/mock/journal/recorded_request.ts";
import { createMock } from "../../../../src/kit/mod.ts";
import type { Refusal } from "../../../../src/mod.ts";
import { test } from "../../../runner.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { entryOf } from "./journal_entries.ts";
import { createBrowser, createWorld, inWorld, redirectUri } from "../../../world.ts";

const refusal: Refusal = {
  error: "invalid_grant",
  reason: "verifier_wrong",
  description: "The code_verifier does not match the code_challenge",
};

const it = testInWorld({});

it("explain: the rule, the expected and the received value stand in a column below the refusal", async (world) => {
  await world.redeem(await world.code(), { redirect_uri: `${redirectUri}/` });
  const entry = world.journal.at(-1)!;
  const lines = [
    "invalid_grant (redirect_uri_differs): The redirect_uri is not that of the authorization request",
    "fix       Send the same redirect_uri as in the authorization request, character by character.",
    "rule      RFC 6749 §4.1.3",
    `expected  ${redirectUri}`,
    `received  ${redirectUri}/`,
  ];
  assertEquals(explainLast([entry])?.split("\n"), lines);
  assertEquals(explainRefusal(entry.facts.refusal!).split("\n"), lines);
});

it("explain: the last refusal is explained, and a success is not", async (world) => {
  const code = await world.code();
  assertEquals([explainLast(world.journal), explainLast([])], [undefined, undefined]);
  await world.redeem(code, { redirect_uri: "https://other.example/" });
  await world.redeem("unknown");
  await world.get("/oauth2/jwks");
  assertMatch(explainLast(world.journal)!, /^invalid_grant \(code_unknown\): /);
});

test("explain: the first refusal since the last success is named below the last refusal", () =>
  inWorld({
    clients: [
      { client_id: "public", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
      { client_id: "robot", client_secret: "robot-secret", grant_types: ["client_credentials"] },
    ],
  }, async (world) => {
    const robot = { authorization: `Basic ${btoa("robot:robot-secret")}` };
    const refused = async () => {
      await world.authorize({ code_challenge: undefined, code_challenge_method: undefined });
      await world.get("/oauth2/jwks");
      await world.redeem("unknown");
    };
    const earlier = () => explainLast(world.journal)?.split("\n").filter((line) => /^earlier/.test(line));
    await refused();
    const named = "earlier   invalid_request (challenge_missing): ";
    assertEquals(earlier()?.map((line) => line.slice(0, named.length)), [named]);
    assertMatch(explainLast(world.journal)!, /^invalid_grant \(code_unknown\): /);
    await world.redeem("unknown");
    assertEquals(earlier()?.map((line) => line.slice(0, named.length)), [named]);

    // A success changes nothing in the explanation. The next refusal has no earlier one.
    const successes = [
      () => world.code(),
      () => world.post("/oauth2/token", { grant_type: "client_credentials" }, robot),
    ];
    for (const succeed of successes) {
      await succeed();
      assertEquals(earlier()?.length, 1);
      await world.redeem("unknown");
      await world.redeem("unknown");
      assertEquals(earlier(), []);
      await refused();
    }
  }));

test("explain: a page that asks a signed-in person is no success", () =>
  inWorld({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    await world.authorize({ code_challenge: undefined, code_challenge_method: undefined });
    const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
    await world.redeem("unknown");
    assertStringIncludes(explainLast(world.journal)!, "\nearlier   invalid_request (challenge_missing): ");
    await browser.submit(consent, { decision: "approve" });
    await world.redeem("unknown");
    assertEquals(explainLast(world.journal)!.includes("\nearlier"), false);
  }));

it("explain: the earlier refusal has no secret of the client", async (world) => {
  const code = await world.code();
  await world.redeem(code, { redirect_uri: `${redirectUri}?code=${code}` });
  await world.redeem("unknown");
  const text = explainLast(world.journal)!;
  assertStringIncludes(text, "\nearlier   invalid_grant (redirect_uri_differs): ");
  assertEquals(text.includes(code), false);
});

test("explain: the configuration that would allow the request can be pasted", () => {
  const remedy = JSON.stringify({ clients: [{ client_id: "a" }] }, null, 2);
  const [, pasted = ""] = explainRefusal({ ...refusal, remedy }).split(
    "add this to the configuration (to the entry of the client, if it has one):\n",
  );
  assertEquals(JSON.parse(pasted), { clients: [{ client_id: "a" }] });
});

test("explain: a configuration with first use says how to allow only the listed clients", () => {
  const remedy = JSON.stringify({ firstUse: true, clients: [{ client_id: "a" }] }, null, 2);
  const lead = "this configuration would allow it (leave firstUse out if only these clients may come):";
  assertEquals(explainRefusal({ ...refusal, remedy }).split("\n").slice(1, 3), [lead, "{"]);
});

test("explain: no secret is in a text that a hook or a client has written", () => {
  const secret = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.SECRET";
  const written = { ...refusal, description: `The token ${secret}` };
  const texts = [
    explainRefusal(written),
    explainRefusal(refusal, { fault: new Error(secret) }),
    explainRefusal(refusal, { earlier: written }),
    explainLast([entryOf({ facts: { advice: { reason: "r", description: secret } } })]),
  ];
  for (const text of texts) {
    assertEquals([text!.includes("redacted"), text!.includes("SECRET")], [true, false]);
  }
});

test("explain: advice stands below the last refusal, or alone", () =>
  inWorld({
    clients: [{ client_id: "raw", client_secret: "a+b", redirect_uris: [redirectUri] }],
  }, async (world) => {
    const headers = { authorization: `Basic ${btoa("raw:a+b")}` };
    await world.post("/oauth2/token", { grant_type: "client_credentials", scope: "read" }, headers);
    const advice = [
      "advice (basic_not_encoded): " +
      "The client_id and the client_secret in the Authorization header are not form-encoded",
      "fix       Form-encode the client_id and the secret before they are joined and base64-encoded.",
      "rule      RFC 6749 §2.3.1",
      "expected  Basic base64(urlencode(client_id):urlencode(client_secret))",
    ];
    assertEquals(explainLast(world.journal)?.split("\n"), advice);
    const recorded = recordRequest(world.journal.at(-1)!, "token");
    assertEquals(recorded.advice?.reason, "basic_not_encoded");
    assertEquals(describeOutcome(recorded), "200 with advice (basic_not_encoded)");
    await world.redeem("unknown", { client_id: undefined }, headers);
    assertMatch(explainLast(world.journal)!, /^invalid_grant \(code_unknown\): /);
    assertEquals(explainLast(world.journal)!.endsWith(advice.join("\n")), true);
  }));

test("explain: shows the error that the server or a hook threw", async () => {
  const seams = { token_response: () => Promise.reject(new RangeError("the hook is wrong")) };
  await using world = createWorld({ seams });
  await world.redeem(await world.code());
  assertMatch(explainLast(world.journal)!, /^server_error [^]*\nfault {5}RangeError: the hook is wrong$/);
});

test("explain: an error that a hook made of a token response has the words of login()", async () => {
  await using as = await createMock({ alg: "ES256" });
  await assertRejects(() => as.login("bob", { deny: true }), Error, "access_denied");
  as.on("token_response", () => ({ status: 400, members: { error: "invalid_grant" } }));
  const { message } = await assertRejects(() => as.login(), Error) as Error;
  assertEquals(message, `Cannot log in: ${as.explain()}`);
  assertMatch(
    as.explain()!,
    /^invalid_grant \(answer_changed\): .*\nfix {7}Remove the hook .*\nreceived {2}status 400: changed by "token_response"$/,
  );
});

test("explain: an error status from a hook is explained, a changed success is not", async () => {
  await using as = await createMock({ alg: "ES256" });
  const broken = as.on("response", (answer) => ({ ...answer, status: 502, body: "canary" }));
  await (await as.fetch(`${as.issuer}/oauth2/jwks`)).text();
  broken[Symbol.dispose]();
  as.on("jwks", () => ({ keys: [] }));
  await (await as.fetch(`${as.issuer}/oauth2/jwks`)).text();
  assertEquals(
    as.explain(),
    "no OAuth error (answer_changed): the server did not make this error\n" +
      "fix       Remove the hook or the misbehaviour: without it, the server would have answered otherwise.\n" +
      'received  status 502: changed by "response"',
  );
});

test("explain: a refusal that a hook changed keeps the server's reason", async () => {
  await using as = await createMock({ alg: "ES256" });
  as.on("response", (answer) => ({ ...answer, headers: { ...answer.headers, "x-request": "1" } }));
  await (await as.fetch(`${as.issuer}/nowhere`)).text();
  assertMatch(as.explain()!, /^not_found \(path_unknown\): /);
  assertMatch(as.explain()!, /\nchanged {3}by "response"$/);
});

it("explain: hides a code in a redirect URI, and shows its other parameters", async (world) => {
  const code = await world.code();
  await world.redeem(code, { redirect_uri: `${redirectUri}?tenant=7&code=${code}&state=STATE-CANARY` });
  assertStringIncludes(JSON.stringify(world.lastRefusal()), code);
  const text = explainLast(world.journal)!;
  assertStringIncludes(text, `received  ${redirectUri}?tenant=7&code=[redacted]&state=[redacted]`);
});

test("explain: text from the client stays on its line and is cut", () => {
  const received = `a\nb\u001b[31m${"x".repeat(400)}`;
  const [, came = "", ...more] = explainRefusal({ ...refusal, received }).split("\n");
  assertMatch(came, /^received {2}a\\u\{A\}b\\u\{1B\}\[31mx+…$/);
  assertEquals([came.length, more], [311, []]);
});
