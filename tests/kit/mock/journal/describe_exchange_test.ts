/** An exchange as a page shows it: what it explains, and which secrets it has. */

import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { Explained } from "../../../../src/kit/timeline/explained.tsx";
import { sha256 } from "../../../../src/ground/crypto/platform.ts";
import { describeExchange, listRemarks } from "../../../../src/kit/mock/journal/describe_exchange.ts";
import { describeSender } from "../../../../src/kit/mock/journal/describe_request.ts";
import { findRelated, findTurn } from "../../../../src/kit/mock/journal/relate.ts";
import { KeptEntry } from "../../../../src/kit/mock/journal/request_list.ts";
import { flowOf } from "../../../../src/kit/mock/journal/exchange_parts.ts";
import type { Relation, ShownExchange } from "../../../../src/kit/timeline/exchange_props.ts";
import { begin, deviceOptions } from "../../../server/features/device_login.ts";
import type { Seam } from "../../../../src/server/oauth/contracts/seams.ts";
import type { Facts, JournalEntry } from "../../../../src/server/oauth/contracts/journal.ts";
import { test } from "../../../runner.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { readTokens, refresh } from "../../../server/tokens/bearer.ts";
import { personJwt, present, trusting } from "../../../server/tokens/jwt_grants.ts";
import { basic, challenge, challengeOf, createBrowser, inWorld, type World } from "../../../world.ts";
import { askAs, assertingClients, assertion } from "../../../server/tokens/assertions.ts";
import { entryOf } from "./journal_entries.ts";
import { describeLast, keepWorld, termsOf } from "./kept_world.ts";
import { runWithSecrets, secretOptions } from "./secret_run.ts";

const otherVerifier = "another-verifier-of-another-login-0123456789-abc";

/** The index of the entry that a relation names, from the start of the journal. */
function find(shown: ShownExchange, relation: Relation, { journal }: World): number | undefined {
  const related = shown.related.find((each) => each.relation === relation);
  return related && journal.findIndex(({ id }) => id === related.id);
}

const it = testInWorld({});

it("exchange: a wrong verifier is shown beside its challenge (RFC 7636 §4.6)", async (world) => {
  await world.redeem(await world.code(), { code_verifier: otherVerifier });
  const shown = describeLast(world);
  assertEquals([shown.outcome, shown.refusal?.reason], ["refused", "verifier_wrong"]);
  assertEquals(shown.refusal?.spec, "RFC 7636 §4.6");
  assertEquals(shown.pkce?.challenge, challenge);
  assert(shown.pkce?.hash !== challenge);
  assertEquals(shown.pkce?.verifier?.length, otherVerifier.length);
  // No login in the journal has this verifier.
  assertEquals(shown.hints, [{ kind: "challenge_unknown" }]);
  assertEquals(find(shown, "issued", world), 0);
});

it("exchange: a response as a JWT is shown as it was sent, with the key only (JARM §2.3.1)", async (world) => {
  const sent = await world.authorize({ response_mode: "jwt" });
  const jwt = new URL(sent.headers.get("location")!).searchParams.get("response")!;
  const shownWith = (secrets: boolean) =>
    describeLast(world, { secrets }).response.parameters.map(({ name, text }) => [name, text]);
  assertEquals(shownWith(true), [["response", jwt]]);
  assertEquals(shownWith(false), [["response", undefined]]);
});

it("exchange: the verifier of another login names that login", async (world) => {
  const hash = challengeOf(otherVerifier);
  const code = await world.code();
  await world.code({ code_challenge: hash });
  await world.redeem(code, { code_verifier: otherVerifier });
  assertEquals(find(describeLast(world), "verifier_of", world), 1);
});

const secretText = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.SECRET";
const jsonType = [["content-type", "application/json"]] as const;
const formType = [["content-type", "application/x-www-form-urlencoded"]] as const;

test("exchange: an error that a hook has made shows no secret of the answer", () => {
  const body = JSON.stringify({ error: "invalid_grant", error_description: `The token ${secretText}` });
  const facts = { altered: [{ seam: "response", by: "response" }] } as const;
  const response = { status: 400, headers: jsonType, body };
  const kept = new KeptEntry(entryOf({ response, facts }), "token", false);
  const { refusal } = describeExchange(kept, termsOf([kept]));
  assertEquals([refusal?.reason, refusal?.description.includes("SECRET")], ["answer_changed", false]);
});

test("exchange: what a client has registered, and the names of its cookies, are shown", () => {
  const cookies = [["cookie", `${"x".repeat(100)}=1; ${"y".repeat(101)}=1; ${secretText}=1; z=1`]] as const;
  const request = { ...entryOf().request, headers: cookies };
  const response = { status: 201, headers: jsonType, body: '{"client_name":"Shop"}' };
  const kept = new KeptEntry(entryOf({ request, response }), "register", false);
  const shown = describeExchange(kept, termsOf([kept]));
  assertEquals(shown.response.body.map(({ name, text }) => [name, text]), [["client_name", "Shop"]]);
  const names = shown.request.headers.map(({ name }) => name);
  assertEquals([names[0], names[1], names[3]], [`cookie: ${"x".repeat(100)}`, "cookie", "cookie: z"]);
  assertFalse(JSON.stringify(shown).includes("SECRET"));
});

const publicParameters = ["code_challenge", "dpop_jkt", "prompt", "claims", "authorization_details"];
const publicMembers = {
  ...{ active: "true", client_id_issued_at: "1", client_secret_expires_at: "2" },
  registration_client_uri: "https://as.test/connect/register/app",
};

test("exchange: what anyone may know of a request and of its answer is shown without the key", () => {
  const texts = (values: readonly { readonly name: string; readonly text?: string }[]) =>
    Object.fromEntries(values.map(({ name, text }) => [name, text]));
  const sent = Object.fromEntries(publicParameters.map((name) => [name, `a-value-of-${name}`]));
  const unknown = { unknown: "a-value-of-unknown" };
  const request = {
    ...{ ...entryOf().request, query: `${new URLSearchParams({ ...sent, ...unknown })}` },
    ...{ body: `${new URLSearchParams({ ...sent, ...unknown })}`, headers: formType },
  };
  const answered = { ...sent, ...publicMembers };
  const response = { status: 200, headers: jsonType, body: JSON.stringify({ ...answered, ...unknown }) };
  const kept = new KeptEntry(entryOf({ request, response }), "par", false);
  const shown = describeExchange(kept, termsOf([kept]));
  const expected = { ...sent, unknown: undefined };
  assertEquals(texts(shown.request.parameters), expected);
  assertEquals(texts(shown.request.body), expected);
  assertEquals(texts(shown.response.body), { ...answered, unknown: undefined });
});

test("exchange: no secret is in an address, in a header or in the program to copy", () => {
  const own = ["referer", "origin", "cookie", "host", "user-agent", "sec-fetch-mode", "connection"];
  const headers = [["accept", `x/${secretText}`], ...own.map((name) => [name, "OWN"] as const)] as const;
  const request = { method: "GET", path: `/${secretText}`, query: `scope=${"s".repeat(5000)}`, headers };
  const response = { status: 303, headers: [["location", `https://app.test/${secretText}#x`]] } as const;
  const kept = new KeptEntry(entryOf({ request, response }), "page", false);
  const { copies, ...shown } = describeExchange(kept, termsOf([kept]));
  assertFalse(JSON.stringify([shown.response.headers, copies]).includes("SECRET"));
  const curl = copies.find(({ kind }) => kind === "curl")!.text;
  assertEquals([curl.includes("scope=<scope>"), curl.includes("OWN")], [true, false]);
});

test("exchange: the encoded id of the client in the header is shown, and another text there is not", () => {
  const nameOf = (clientId: string) => {
    const headers = [["authorization", `Basic ${btoa("my%20app:x")}`]] as const;
    const request = { ...entryOf().request, headers };
    const kept = new KeptEntry(entryOf({ request, facts: { clientId } }), "token", false);
    return describeExchange(kept, termsOf([kept])).request.headers[0]?.text;
  };
  assertEquals([nameOf("my app"), nameOf("other")], ["my app", undefined]);
});

for (const endpoint of ["sign_in", "sign_up"] as const) {
  test(`exchange: what a person types at ${endpoint} is never shown, also with the key`, () => {
    const headers = [["content-type", "application/x-www-form-urlencoded"]] as const;
    const request = { ...entryOf().request, headers, body: "username=TYPED&password=TYPED&x=TYPED" };
    const kept = new KeptEntry(entryOf({ request }), endpoint, false);
    assertFalse(JSON.stringify(describeExchange(kept, termsOf([kept], { secrets: true }))).includes("TYPED"));
  });
}

test("exchange: the length of a body that is not shown is said, if it is known", () => {
  const lengthOf = (bodyLength: number | "unknown" | undefined) => {
    const response = { status: 200, headers: [], ...bodyLength === undefined ? {} : { bodyLength } };
    const kept = new KeptEntry(entryOf({ response }), "token", false);
    return describeExchange(kept, termsOf([kept])).response.hiddenBody;
  };
  assertEquals([lengthOf(7), lengthOf("unknown"), lengthOf(undefined)], [7, undefined, undefined]);
});

/** Describes the response with this token, which the client got by its clock at `now`. */
function describeToken(name: string, claims: object, changed: { issuer?: string; now?: number } = {}) {
  const { issuer = "https://as.test", now = 1_800_000_000 } = changed;
  const token = ['{"alg":"ES256"}', JSON.stringify(claims), "x"].map((each) => btoa(each)).join(".")
    .replaceAll("=", "");
  const response = { status: 200, headers: jsonType, body: JSON.stringify({ [name]: token }) };
  const entry = entryOf({ response, receivedAt: now - 1000, duration: 1000 });
  const kept = new KeptEntry(entry, "token", false, now);
  return describeExchange(kept, termsOf([kept], { issuer }));
}

test("exchange: the times of a token are compared with that of its response, and not of its request", () => {
  const now = 1_800_000_000;
  const isMet = (exp: number) => describeToken("access_token", { exp }, { now }).checks[0]?.isMet;
  assertEquals([isMet(now - 500), isMet(now + 500)], [false, true]);
});

test("exchange: an issuer that differs by the slash at its end has a fault of its own", () => {
  for (
    const [iss, issuer, fault] of [
      ["https://as.test/", "https://as.test", "id_token.iss_slash"],
      ["https://as.test", "https://as.test/", "id_token.iss_slash"],
      ["https://as.test/x", "https://as.test", "id_token.iss_wrong"],
    ] as const
  ) {
    const { remarks } = describeToken("id_token", { iss }, { issuer });
    assertEquals(remarks.find(({ check }) => check === "iss")?.name, fault);
  }
});

it("exchange: a code that is used twice names its first use and the time between", async (world) => {
  const code = await world.code();
  await world.redeem(code);
  world.clock.advance(0.5);
  await world.redeem(code);
  const shown = describeLast(world);
  assertEquals(shown.refusal?.reason, "code_replayed");
  assertEquals(find(shown, "used_first", world), 1);
  assertEquals(find(shown, "issued", world), 0);
  assertEquals(shown.related.find(({ relation }) => relation === "used_first")?.before, 0.5);
});

const expiries = [
  { when: "a turn of the clock", turned: 400, hints: [{ kind: "clock_alone", times: [400, 0] }] },
  { when: "a turn, a minute later", turned: 340, hints: [{ kind: "clock_turned", times: [340, 60] }] },
  { when: "time, although the clock went back", turned: -100, hints: [] },
  { when: "a turn and a slow client", turned: 300, hints: [{ kind: "clock_turned", times: [300, 100] }] },
  { when: "time that passed by itself", turned: undefined, hints: [] },
];

for (const { when, turned, hints } of expiries) {
  it(`exchange: a code that expired by ${when} shows the turn, and whether the client was slow`, async (world) => {
    const code = await world.code();
    world.clock.advance(400);
    await world.redeem(code);
    const shown = describeLast(world, {}, turned === undefined ? {} : { 1: turned });
    assertEquals(shown.refusal?.reason, "code_expired");
    assertEquals([shown.turned, shown.clockAhead], [turned, turned]);
    assertEquals(shown.related.map((each) => [each.relation, each.turned]), [["issued", turned]]);
    assertEquals(shown.hints, hints as typeof shown.hints);
  });
}

it("exchange: a refresh token that is used twice names its first use", async (world) => {
  const { refresh_token } = await (await world.redeem(await world.code({ scope: "openid offline_access" })))
    .json();
  const refresh = () =>
    world.post("/oauth2/token", { grant_type: "refresh_token", refresh_token, client_id: "public" });
  await refresh();
  await refresh();
  const shown = describeLast(world);
  assertEquals(shown.refusal?.reason, "refresh_reused");
  assertEquals([find(shown, "used_first", world), find(shown, "issued", world)], [2, 1]);
  await refresh();
  assertEquals(find(describeLast(world), "ended", world), 3);
});

test("exchange: a JWT of another issuer that is used twice names its first use", () =>
  inWorld(trusting(), async (world) => {
    const jwt = await personJwt(world);
    await present(world, jwt);
    await present(world, await personJwt(world));
    await present(world, jwt);
    const shown = describeLast(world);
    assertEquals([shown.refusal?.reason, find(shown, "used_first", world)], ["jwt_grant_replayed", 0]);
  }));

it("exchange: a wrong secret names the last request that had the right one, and shows no secret", async (world) => {
  const right = basic("basic", "basic secret: a+b%c");
  await world.redeem(await world.code({ client_id: "basic" }), { client_id: undefined }, right);
  await world.redeem("x", { client_id: undefined }, basic("basic", " SECRET-CANARY"));
  const shown = describeLast(world, { secrets: true });
  assertEquals(shown.refusal?.reason, "secret_wrong");
  assertEquals(find(shown, "same_client", world), 1);
  const secret = shown.request.headers.find(({ meaning }) => meaning === "client_secret");
  assertEquals(secret?.hasOuterSpace, true);
  assertFalse(JSON.stringify(shown).includes("CANARY"));
});

it("exchange: an ID token is compared with the request that led to it (OpenID Connect Core §3.1.3.7)", async (world) => {
  await world.redeem(await world.code({ scope: "openid", nonce: "NONCE-CANARY" }));
  const shown = describeLast(world);
  assertEquals(
    shown.checks.map(({ name, isMet }) => [name, isMet]),
    [["iss", true], ["aud", true], ["nonce", true], ["at_hash", true], ["iat", true], ["exp", true], [
      "access_token_aud",
      undefined,
    ]],
  );
  assertFalse(JSON.stringify(shown).includes("NONCE-CANARY"));
  assertStringIncludes(JSON.stringify(describeLast(world, { secrets: true })), "NONCE-CANARY");
});

it("exchange: a token for fewer resources is right, and the journal has what it is for (RFC 8707 §2.2)", async (world) => {
  const [one, two] = ["https://one.example", "https://two.example"] as const;
  const tokens = await readTokens(
    await world.redeem(await world.code({ resource: [one, two] }), { resource: one }),
  );
  const find = () => describeLast(world).checks.find(({ name }) => name === "access_token_aud");
  assertEquals([find()?.expected?.text, find()?.received?.text, find()?.isMet], [one, one, true]);
  await refresh(world, tokens.refresh_token, { resource: two });
  assertEquals([find()?.expected?.text, find()?.isMet], [two, true]);
  assertEquals(world.journal.at(-1)!.facts.resource, [two]);
});

test("exchange: the time between two uses counts from the response to the first", () => {
  const headers = [["content-type", "application/x-www-form-urlencoded"]] as const;
  const request = { method: "POST", path: "/", query: "", headers, body: "refresh_token=a-refresh-token" };
  const refusal = { error: "invalid_grant", reason: "refresh_reused", description: "d" };
  const rows = [[0.9, "refresh_raced"], [1.05, "used_at_once"], [1.2, "refresh_kept"]] as const;
  for (const [later, kind] of rows) {
    const facts = { flow: "flow-1" };
    const all = [
      entryOf({ id: "first", request, facts, duration: 1 }),
      entryOf({
        id: "last",
        request,
        facts: { ...facts, refusal },
        receivedAt: entryOf().receivedAt + later,
      }),
    ].map((entry) => new KeptEntry(entry, "token", false, entry.receivedAt + entry.duration));
    assertEquals(describeExchange(all.at(-1)!, termsOf(all)).hints, [{ kind }]);
  }
});

it("exchange: a code that is used again was a race only within 100 ms of the response", async (world) => {
  const code = await world.code();
  await world.redeem(code);
  world.clock.advance(0.012);
  await world.redeem(code);
  assertEquals(describeLast(world).hints, [{ kind: "used_at_once" }]);
  const other = await world.code();
  await world.redeem(other);
  world.clock.advance(0.11);
  await world.redeem(other);
  assertEquals(describeLast(world).hints, [{ kind: "code_kept" }]);
});

test("exchange: an assertion of another time zone is told from an assertion that was sent before", () =>
  inWorld({ clients: assertingClients }, async (world) => {
    const { now } = world.clock;
    await askAs(world, await assertion(world, { claims: { iat: now - 10_800, exp: now - 10_740 } }));
    assertEquals(describeLast(world).refusal?.reason, "assertion_expired");
    assertEquals(describeLast(world).hints, [{ kind: "assertion_behind", times: [10_800] }]);
    // A server whose clock was turned, in either direction, says nothing about that of the client.
    for (const turn of [10_800, -10_800]) assertEquals(describeLast(world, {}, { 0: turn }).hints, []);
    await askAs(world, await assertion(world, { claims: { iat: now - 10_806, exp: now - 10_740 } }));
    assertEquals(describeLast(world).hints, []);
    const sent = await assertion(world);
    await askAs(world, sent);
    world.clock.advance(10_800);
    await askAs(world, sent);
    assertEquals(describeLast(world).refusal?.reason, "assertion_expired");
    assertEquals(describeLast(world).hints, [{ kind: "assertion_sent_before" }]);
  }));

it("exchange: what an earlier refusal ended names that refusal", async (world) => {
  const code = await world.code();
  const { access_token } = await (await world.redeem(code)).json();
  await world.redeem(code);
  await world.get("/userinfo", { authorization: `Bearer ${access_token}` });
  assertEquals(describeLast(world).follows, world.journal[2]!.id);
  assertEquals(flowOf(keepWorld(world).at(-1)!), world.journal[0]!.facts.flow);
});

const askedSignIns: readonly (readonly [
  asked: Readonly<Record<string, string>>,
  passes: number,
  acr: boolean | undefined,
  authTime: boolean | undefined,
])[] = [
  [{}, 0, undefined, undefined],
  [{ acr_values: "gold  silver" }, 0, true, undefined],
  [{ acr_values: "gold" }, 0, undefined, undefined],
  [{ acr_values: "" }, 0, undefined, undefined],
  [
    { claims: JSON.stringify({ id_token: { acr: { essential: true, value: "silver" } } }) },
    0,
    true,
    undefined,
  ],
  [
    { acr_values: "gold", claims: JSON.stringify({ id_token: { acr: { values: ["x", "silver"] } } }) },
    0,
    true,
    undefined,
  ],
  [{ acr_values: "silver", claims: "[" }, 0, undefined, undefined],
  [{ max_age: "60" }, 120, undefined, true],
  [{ max_age: "60" }, 121, undefined, false],
  [{ max_age: "3600", acr_values: "silver" }, 121, true, true],
];

for (const [asked, passes, acr, authTime] of askedSignIns) {
  const name = `${JSON.stringify(asked)}, ${passes} s later`;
  test(`exchange: the sign-in is compared with what the request asked for: ${name} (OpenID Connect Core §3.1.3.7)`, () =>
    inWorld({ acrValues: ["silver"] }, async (world) => {
      const code = await world.code({ scope: "openid", ...asked }).catch(() => undefined);
      if (code === undefined) return assertEquals(asked.claims, "[");
      world.clock.advance(passes);
      await world.redeem(code);
      const { checks, remarks } = describeLast(world);
      const isMet = (wanted: string) => checks.find((each) => each.name === wanted)?.isMet;
      assertEquals([isMet("acr"), isMet("auth_time")], [acr, authTime]);
      assertEquals(remarks.map(({ name }) => name).filter((each) => each.includes("acr")), []);
    }));
}

test("exchange: a refresh keeps the sign-in, which is not compared with the request again (OpenID Connect Core §12.2)", () =>
  inWorld({ acrValues: ["silver"] }, async (world) => {
    const asked = { scope: "openid offline_access", acr_values: "silver", max_age: "60" };
    const { refresh_token } = await readTokens(await world.redeem(await world.code(asked)));
    const find = () => describeLast(world).checks.map(({ name }) => name);
    assertEquals(find().filter((name) => name === "acr" || name === "auth_time"), ["acr", "auth_time"]);
    world.clock.advance(200);
    await refresh(world, refresh_token);
    assertEquals(find().filter((name) => name === "acr" || name === "auth_time"), []);
  }));

it("exchange: a wrong secret stands in the login whose code it sends", async (world) => {
  const code = await world.code({ client_id: "basic" });
  await world.redeem(code, { client_id: undefined }, basic("basic", "wrong"));
  const shown = describeLast(world);
  assertEquals(shown.refusal?.reason, "secret_wrong");
  assertEquals(flowOf(keepWorld(world).at(-1)!), world.journal[0]!.facts.flow);
  assertEquals(shown.pkce?.challenge, challenge);
});

test("exchange: an authorization response says what the browser gets", () =>
  inWorld({ login: "picker" }, async (world) => {
    await world.get(world.authorizeUrl());
    assertEquals(describeLast(world).result, "sign_in");
    await world.get(world.authorizeUrl({ scope: "  " }));
    assertEquals(describeLast(world).result, "error");
  }));

it("exchange: tokens are decoded, and never with their signature", async (world) => {
  await world.redeem(await world.code({ scope: "openid" }));
  const raw = JSON.parse(world.journal.at(-1)!.response.body!);
  const shown = describeLast(world);
  const idToken = shown.response.body.find(({ name }) => name === "id_token");
  assertEquals(idToken?.jwt?.payload.lines.find(({ path }) => path === "sub")?.text, '"sub": "alice",');
  assertEquals(idToken?.jwt?.header.lines.find(({ path }) => path === "alg")?.text, '"alg": "ES256",');
  const text = JSON.stringify(shown);
  for (const token of [raw.id_token, raw.access_token]) assertFalse(text.includes(token.split(".")[2]));
  assertStringIncludes(JSON.stringify(describeLast(world, { secrets: true })), raw.id_token);
});

test("exchange: a token is hidden also as the name of a member", () => {
  let signature = "";
  const token_response: Seam<"token_response"> = (value) => {
    const token = `${value.members["access_token"]}`;
    signature = token.split(".")[2]!;
    return { ...value, members: { ...value.members, [token]: 1, address: { [token]: 1 } } };
  };
  return inWorld({ seams: { token_response } }, async (world) => {
    await world.redeem(await world.code());
    assert(world.journal.at(-1)!.response.body!.includes(signature));
    const { body, json } = describeLast(world).response;
    const shown = [...body.map(({ name }) => name), ...json!.lines.map(({ text }) => text)];
    for (const text of shown) assertFalse(text.includes(signature), text);
  });
});

test("exchange: state is compared with the first request of a login, and not with its later pages (RFC 6749 §4.1.2)", () =>
  inWorld({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const signIn = await browser.open(world.authorizeUrl({ state: "of-the-client" }));
    const consent = await browser.submit(signIn, { person: "alice" });
    await browser.submit(consent, { decision: "approve" });
    const all = keepWorld(world);
    const from = (at: number) => describeExchange(all.at(-1)!, termsOf(all.slice(at)));
    const stateOf = (at: number) => from(at).checks.find(({ name }) => name === "state");
    assertEquals(all.map(({ endpoint }) => endpoint), ["authorize", "sign_in", "authorize", "consent"]);
    assertEquals(from(0).checks.map(({ name, isMet }) => [name, isMet]), [
      ["state", true],
      ["response_iss", true],
    ]);
    for (const at of [1, 2, 3]) {
      assertEquals([stateOf(at)?.name, stateOf(at)?.isMet, from(at).remarks], ["state", undefined, []]);
    }
  }));

test("exchange: no secret of a whole run is shown without the key, and passwords and cookies never", () =>
  inWorld(secretOptions, async (world) => {
    const { lasting, passing } = await runWithSecrets(world);
    const all = keepWorld(world);
    const show = (secrets: boolean) =>
      JSON.stringify(all.map((kept) => describeExchange(kept, termsOf(all, { secrets }))));
    const [redacted, complete] = [show(false), show(true)];
    for (const secret of [...lasting, ...passing]) assertFalse(redacted.includes(secret), secret);
    for (const secret of lasting) assertFalse(complete.includes(secret), secret);
    for (const secret of passing) assert(complete.includes(secret), secret);
  }));

test("exchange: a user code is so short that its hash would show it (RFC 8628 §6.1)", () =>
  inWorld(deviceOptions, async (world) => {
    const { user_code, verification_uri_complete } = await begin(world);
    await world.post("/oauth2/device_verification", { user_code });
    await world.get(`/device?user_code=${user_code}`);
    const all = keepWorld(world);
    const show = (secrets: boolean) =>
      JSON.stringify(all.map((kept) => describeExchange(kept, termsOf(all, { secrets }))));
    for (const text of [user_code, verification_uri_complete]) {
      const fingerprint = sha256(text).slice(0, 10);
      assert(show(true).includes(text));
      assertFalse([text, fingerprint].some((each) => show(false).includes(each)), text);
    }
  }));

/** Secrets of few possible values, by the names that they may have. The hash of a `code_verifier` is public: the challenge. */
const guessable: Readonly<Record<string, string>> = {
  ...{ code: "123456", user_code: "WDJB-MJHT", otp: "87654321", pin: "0000" },
  ...{ phone: "+49 151 2345678", birthdate: "1990-01-31", state: "1", nonce: "abc", session: "42" },
  ...{
    password: "hunter2",
    secret: "JBSWY3DP",
    client_secret: "secret",
    token: "test",
    login_code: "15 characters!",
  },
};

it("exchange: no secret is shown by a hash that a loop over all values finds", async (world) => {
  await world.post("/oauth2/token", guessable);
  await world.post("/oauth2/second_factor", guessable);
  await world.get(`/oauth2/authorize?${new URLSearchParams(guessable)}`);
  const all = keepWorld(world);
  const shown = JSON.stringify(all.map((kept) => describeExchange(kept, termsOf(all, { secrets: false }))));
  for (const [name, text] of Object.entries(guessable)) {
    assertFalse(shown.includes(sha256(text).slice(0, 10)), name);
  }
});

test("exchange: a page that asks for the second factor says who wants it, and no other one does", () =>
  inWorld({ login: "picker", people: [{ username: "carol", secondFactor: "code" }] }, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl({ acr_values: "mfa" }));
    assertEquals(describeLast(world).factorReason, undefined);
    await browser.submit(page, { person: "carol" });
    const shown = describeLast(world);
    assertEquals(shown.factorReason, "acr_values");
    const html = renderToString(h(Explained, { shown, link: (id) => id }));
    assertStringIncludes(html.replace(/<[^>]+>/g, " "), "Second factor, wanted by  the request (acr_values)");
  }));

/** Those of the forms for people. */
const forms = ["sign_in", "sign_up", "account", "second_factor", "consent", "logout"] as const;

for (const endpoint of forms) {
  test(`exchange: the request that a form of ${endpoint} carries on is never shown, and a browser has sent it`, () => {
    const headers = [["content-type", "application/x-www-form-urlencoded"]] as const;
    const sent = { headers, query: "request=sealed", body: "request=sealed" };
    const request = { ...entryOf().request, ...sent };
    const kept = new KeptEntry(entryOf({ request }), endpoint, false);
    const { request: { parameters, body } } = describeExchange(kept, termsOf([kept], { secrets: true }));
    const hidden = { name: "request", meaning: "sealed_request", length: 6 };
    assertEquals([...parameters, ...body], [hidden, hidden]);
    assertEquals(describeSender(kept.read()), "browser");
  });
}

it("exchange: the code of a second factor is never shown, and is none of a client", async (world) => {
  await world.post("/oauth2/second_factor?code=654321", { request: "of another page", code: "123456" });
  for (const secrets of [false, true]) {
    const { request } = describeLast(world, { secrets });
    const meaning = "one_time_code";
    assertEquals(request.parameters, [{ name: "code", meaning, length: 6 }]);
    assertEquals(request.body.at(-1), { name: "code", meaning, length: 6 });
  }
});

it("exchange: the headers by which the server chooses between a page and JSON are shown", async (world) => {
  const headers = {
    accept: "text/html",
    "sec-fetch-mode": "navigate",
    "upgrade-insecure-requests": "1",
  };
  await world.redeem("abc", {}, headers);
  const shown = JSON.stringify(describeLast(world, {}));
  for (const [name, value] of Object.entries(headers)) {
    assert(new RegExp(`"name":"${name}","text":"${value}"`).test(shown), shown);
  }
});

it("exchange: a text that must never be shown is hidden at any place, also with the key", async (world) => {
  await world.redeem("CONTROL-TOKEN", { redirect_uri: "https://app.example/CONTROL-TOKEN" }, {
    "user-agent": "CONTROL-TOKEN",
    authorization: "Bearer CONTROL-TOKEN",
  });
  const shown = describeLast(world, { secrets: true, neverShown: ["CONTROL-TOKEN"] });
  assertFalse(JSON.stringify(shown).includes("CONTROL-TOKEN"), JSON.stringify(shown));
});

test("related: a clock that was turned shows how far, in both directions, and an inaccuracy does not", () => {
  const at = (ahead: number, receivedAt: number) =>
    new KeptEntry(entryOf({ receivedAt }), "token", false, receivedAt - ahead);
  const rows = [[0, 3600, 3600], [3600, 0, -3600], [-60, 60, 120], [0, 2, 2], [0, 1.9], [0, -1.9]] as const;
  for (const [from, to, turned] of rows) {
    assertEquals(findTurn(at(from, 1), at(to, 2)), turned, `${from} ${to}`);
  }
  assertEquals(findTurn(at(0, 1), at(3600, 1)), undefined);
});

/** What carries a value that the server has issued. */
const carriers = [
  ...["code", "refresh_token", "token", "access_token", "request_uri", "id_token_hint", "device_code"],
  ...["subject_token", "actor_token", "assertion"],
];

for (const name of carriers) {
  test(`related: a value in the parameter ${name} comes from the response that had it`, () => {
    const headers = [["content-type", "application/x-www-form-urlencoded"]] as const;
    const request = { method: "POST", path: "/", query: "", headers, body: `${name}=a-value-of-the-server` };
    assertEquals(findIssuing(request), ["issued issued undefined"]);
  });
}

test("related: an access token of a request comes from the response that had it, whatever the scheme", () => {
  for (const scheme of ["Bearer", "DPoP", "bearer"]) {
    const headers = [["authorization", `${scheme} a-value-of-the-server`]] as const;
    assertEquals(findIssuing({ method: "GET", path: "/", query: "", headers }), ["issued issued undefined"]);
  }
});

/** What is related to a request, after a slow response with the value of the request. */
function findIssuing(request: JournalEntry["request"]): readonly string[] {
  const response = { status: 200, headers: [], body: '{"issued":"a-value-of-the-server"}' };
  const issued = new KeptEntry(entryOf({ id: "issued", response, duration: 10 }), "par", false);
  const other = new KeptEntry(entryOf({ id: "other" }), "token", false);
  const last = new KeptEntry(entryOf({ id: "last", request }), "token", false);
  const found = findRelated(last, { flow: [], recent: [issued, other], findChallenge: () => undefined });
  return found.map(({ relation, id, overlaps }) => `${relation} ${id} ${overlaps}`);
}

for (const kind of ["code", "token", "refresh", "pushed_request", "inactive"]) {
  test(`exchange: ${kind}_expired says that the clock was turned`, () => {
    const headers = [["content-type", "application/x-www-form-urlencoded"]] as const;
    const request = { method: "POST", path: "/", query: "", headers, body: "token=a-value-of-the-server" };
    const response = { status: 200, headers: [], body: "a-value-of-the-server" };
    const refusal = { error: "invalid_grant", reason: `${kind}_expired`, description: "d" };
    const now = entryOf().receivedAt;
    const issued = new KeptEntry(entryOf({ id: "issued", response }), "token", false, now);
    const late = entryOf({ id: "last", request, facts: { refusal }, receivedAt: now + 400 });
    const all = [issued, new KeptEntry(late, "token", false, now)];
    assertEquals(describeExchange(all[1]!, termsOf(all)).hints, [{ kind: "clock_alone", times: [400, 0] }]);
  });
}

test("exchange: a token without a resource says which one to add, if the API has a URL (RFC 8707 §2)", () => {
  const headers = [["authorization", "Bearer a-value-of-the-server"]] as const;
  const request = { method: "GET", path: "/", query: "", headers };
  const rows = [
    ["aud https://api.test", { kind: "resource_to_add", text: "https://api.test" }],
    ["aud orders-api", { kind: "resource_missing" }],
  ] as const;
  for (const [expected, hint] of rows) {
    const refusal = { error: "e", reason: "token_for_another_audience", description: "d", expected };
    const response = { status: 200, headers: [], body: "a-value-of-the-server" };
    const all = [entryOf({ id: "issued", response }), entryOf({ id: "last", request, facts: { refusal } })]
      .map((entry) => new KeptEntry(entry, "token", false));
    assertEquals(describeExchange(all[1]!, termsOf(all)).hints, [hint]);
  }
});

test("related: only a revocation or a sign-out that worked has ended a token, and its first use was at the same endpoint", () => {
  const headers = [["content-type", "application/x-www-form-urlencoded"]] as const;
  const request = { method: "POST", path: "/", query: "", headers, body: "refresh_token=a-refresh-token" };
  const keep = (
    id: string,
    endpoint: "introspect" | "logout" | "revoke" | "token",
    status = 200,
    reason?: string,
  ) => {
    const refusal = reason && { refusal: { error: "invalid_grant", reason, description: "d" } };
    const facts = { flow: "flow-1", clientId: "app", ...refusal || {} };
    return new KeptEntry(entryOf({ id, request, response: { status, headers: [] }, facts }), endpoint, false);
  };
  const list = (reason: string, ...recent: readonly KeptEntry[]) =>
    findRelated(keep("last", "token", 400, reason), { flow: [], recent, findChallenge: () => undefined })
      .map(({ relation, id }) => `${relation} ${id}`);
  assertEquals(list("refresh_reused", keep("asked", "introspect"), keep("used", "token")), [
    "used_first used",
  ]);
  for (const reason of ["code_replayed", "refresh_reused", "user_denied"]) {
    assertEquals(list("refresh_revoked", keep(reason, "introspect", 400, reason)), [`ended ${reason}`]);
  }
  assertEquals(list("refresh_revoked", keep("failed", "revoke", 400)), []);
  assertEquals(list("refresh_revoked", keep("worked", "revoke")), ["ended worked"]);
  assertEquals(list("refresh_revoked", keep("refused", "logout", 400, "hint_unreadable")), []);
  assertEquals(list("refresh_revoked", keep("worked", "logout")), ["ended worked"]);
});

const endedByHand: readonly (readonly [Partial<Facts>, boolean])[] = [
  [{ flow: "flow-1", clientId: "app", subject: "alice" }, true],
  [{ clientId: "app", subject: "alice" }, true],
  [{ subject: "alice" }, true],
  [{ flow: "flow-2", clientId: "app", subject: "alice" }, false],
  [{ clientId: "other", subject: "alice" }, false],
  [{ clientId: "app", subject: "bob" }, false],
];

for (const [facts, isEnd] of endedByHand) {
  test(`related: what a person ended by hand of ${JSON.stringify(facts)} has ${isEnd ? "" : "not "}ended the login`, () => {
    const own = { flow: "flow-1", clientId: "app", subject: "alice" };
    const refusal = { error: "invalid_grant", reason: "refresh_grant_ended", description: "d" };
    const advice = { reason: "ended_by_hand", description: "d" };
    const ended = new KeptEntry(entryOf({ id: "ended", facts: { ...facts, advice } }), "page", false);
    const last = new KeptEntry(entryOf({ id: "last", facts: { ...own, refusal } }), "token", false);
    const found = findRelated(last, { flow: [], recent: [ended], findChallenge: () => undefined });
    assertEquals(found.map(({ relation }) => relation), isEnd ? ["ended"] : []);
  });
}

test("related: a login steps up for the last call of its client, by one of the values that the API wanted (RFC 9470 §4)", () => {
  const call = (id: string, wanted?: string, clientId = "app") => {
    const refusal = { error: "insufficient_user_authentication", reason: "r", description: "d" };
    const headers = wanted === undefined
      ? []
      : [["www-authenticate", `Bearer realm="api", ${wanted}`]] as const;
    const facts = { clientId, ...(wanted === undefined ? {} : { refusal }) };
    return new KeptEntry(entryOf({ id, response: { status: 401, headers }, facts }), "resource", false);
  };
  const relate = (query: string, ...recent: readonly KeptEntry[]) => {
    const request = { method: "GET", path: "/authorize", query, headers: [] };
    const kept = new KeptEntry(
      entryOf({ id: "last", request, facts: { clientId: "app" } }),
      "authorize",
      false,
    );
    return findRelated(kept, { flow: [], recent, findChallenge: () => undefined })
      .map(({ relation, id }) => `${relation} ${id}`);
  };
  const mfa = call("mfa", 'acr_values="mfa"');
  assertEquals(relate("acr_values=mfa", call("right"), mfa), ["step_up_of mfa"]);
  assertEquals(relate("acr_values=mfa", mfa, call("right")), []);
  assertEquals(relate("acr_values=mfa", call("other", 'acr_values="mfa"', "other")), []);
  assertEquals(relate("acr_values=gold&max_age=60", call("age", 'max_age="60"')), ["step_up_of age"]);
});

test("related: a later login of the same client may have overwritten what it keeps, and one of another client has not", () => {
  const authorize = (id: string, flow: string, clientId: string) =>
    new KeptEntry(entryOf({ id, facts: { flow, clientId } }), "authorize", false);
  const own = authorize("own", "flow-1", "app");
  const refusal = { error: "invalid_grant", reason: "verifier_wrong", description: "d" };
  const facts = { flow: "flow-1", clientId: "app", grantType: "authorization_code", refusal };
  const kept = new KeptEntry(entryOf({ id: "last", facts }), "token", false);
  for (const [clientId, found] of [["app", ["own", "later"]], ["other", ["own"]]] as const) {
    const recent = [authorize("earlier", "flow-0", "app"), own, authorize("later", "flow-2", clientId)];
    const related = findRelated(kept, { flow: [own], recent, findChallenge: () => undefined });
    assertEquals(related.map(({ id }) => id), [...found]);
  }
});

test("related: only a request that worked is one that had the right credentials", () => {
  const reasons = ["secret_wrong", "method_not_registered", "public_client_sent_secret"]
    .concat("assertion_expired", "basic_malformed");
  const keep = (id: string, clientAuth: string, status = 200, more = {}) => {
    const facts = { clientId: "app", clientAuth, ...more };
    return new KeptEntry(entryOf({ id, response: { status, headers: [] }, facts }), "token", false);
  };
  const recent = [
    keep("right", "client_secret_basic"),
    keep("failed", "client_secret_basic", 401),
    keep("public", "none"),
  ];
  for (const reason of reasons) {
    const refusal = { error: "invalid_client", reason, description: "d" };
    const last = keep("last", "client_secret_basic", 401, { refusal });
    const found = findRelated(last, { flow: [], recent, findChallenge: () => undefined });
    assertEquals(found.map(({ relation, id }) => `${relation} ${id}`), ["same_client right"], reason);
  }
});

test("remarks: beside a misbehaviour, a turned clock explains wrong times and nothing else", () => {
  const named = (name: "iss" | "exp", fault: "id_token.iss_wrong" | "id_token.exp_past") =>
    ({ name, fault, isMet: false, rule: "r", expected: {}, received: {} }) as const;
  const comparisons = [named("iss", "id_token.iss_wrong"), named("exp", "id_token.exp_past")];
  const altered = [{ seam: "jws", by: "id_token.nonce_wrong" }] as const;
  for (const isClockTurned of [false, true]) {
    const remarks = listRemarks({ comparisons, altered, isClockTurned });
    assertEquals(remarks.map(({ name }) => name), [
      "id_token.nonce_wrong",
      ...(isClockTurned ? ["id_token.exp_past"] : []),
    ]);
    // A hook beside the misbehaviour may have made each of them.
    const alsoByHook = listRemarks({
      comparisons,
      altered: [...altered, { seam: "jws", by: "jwt" }],
      isClockTurned,
    });
    assertEquals(alsoByHook.length, 3);
  }
});
