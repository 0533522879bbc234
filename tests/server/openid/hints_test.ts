/** id_token_hint, login_hint, the claims parameter, acr values, and ignored or refused parameters. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { decodeJwt, importJWK, type JWK, SignJWT } from "jose";
import { createServer, memoryStore } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_openid.ts";
import { createBrowser, type Params, sampleKey, type World } from "../../world.ts";
import {
  agree,
  answerOf,
  ask,
  claimsOf,
  clientOf,
  inOpenId,
  inOpenIdWithOwnKeys,
  issuer,
  people,
  refresh,
  screenOf,
  signIn,
  signInBoth,
  tokensOf,
  userinfoOf,
} from "./openid_world.ts";

const it = testWith();

it("id_token_hint: with several people signed in it selects one, without a chooser (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  const { alice, bob } = await signInBoth(world, browser);
  for (const [tokens, sub] of [[alice, "subject-of-a"], [bob, "subject-of-b"]] as const) {
    const page = await ask(world, browser, { id_token_hint: tokens.id_token });
    assertEquals((await claimsOf(world, await tokensOf(world, page))).sub, sub);
  }
});

it("id_token_hint: an expired ID token is accepted (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  const { id_token } = await signIn(world, browser, "alice");
  world.clock.advance(2 * 3600);
  assert(answerOf(await ask(world, browser, { prompt: "none", id_token_hint: id_token })).has("code"));
});

it("id_token_hint: another signed-in person gets no code (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  const { id_token } = await signIn(world, createBrowser(world), "bob");
  await signIn(world, browser, "alice");
  const silent = await ask(world, browser, { prompt: "none", id_token_hint: id_token });
  assertEquals(answerOf(silent).get("error"), "login_required");
  const page = await ask(world, browser, { id_token_hint: id_token });
  assertEquals(screenOf(page), "sign_in");
  world.clock.advance(1);
  const wrong = await browser.submit(page, { person: "alice" });
  // Alice stays signed in as before.
  assertEquals([answerOf(wrong).get("error"), wrong.headers.get("set-cookie")], ["login_required", null]);
  assert(answerOf(await ask(world, browser, { prompt: "none" })).has("code"));
  const right = await agree(browser, await ask(world, browser, { id_token_hint: id_token }), "bob");
  assertEquals((await claimsOf(world, await tokensOf(world, right))).sub, "subject-of-b");
});

it("id_token_hint: choosing another person than it names gives no code (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  const { alice } = await signInBoth(world, browser);
  const choose = () => ask(world, browser, { id_token_hint: alice.id_token, prompt: "select_account" });
  const page = await choose();
  assertEquals(screenOf(page), "chooser");
  // A code for Alice would be wrong as well, because the person picked Bob.
  const answer = answerOf(await browser.submit(page, { account: "bob" }));
  assertEquals([answer.get("error"), answer.has("code")], ["login_required", false]);
  const picked = await browser.submit(await choose(), { account: "alice" });
  assertEquals((await claimsOf(world, await tokensOf(world, picked))).sub, "subject-of-a");
});

async function signed(claims: Record<string, unknown>, typ: string, key: JsonWebKey): Promise<string> {
  const header = { alg: "ES256", typ, kid: "-" };
  return await new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key as JWK, "ES256"));
}

test("id_token_hint: a text that is not an ID token of this server is refused (OpenID Connect Core §3.1.2.1)", async () => {
  const clients = [clientOf("app", { userinfo_signed_response_alg: "ES256" })];
  await inOpenId({ clients }, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    const claims = await claimsOf(world, tokens);
    const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
    ]) as CryptoKeyPair;
    const [header, payload, signature] = tokens.id_token.split(".");
    const other = JSON.stringify({ ...claims, sub: "subject-of-b" });
    const hints: Record<string, string> = {
      nonsense: "abc",
      "an access token": tokens.access_token,
      "signed userinfo": await (await userinfoOf(world, tokens.access_token)).text(),
      "another key": await signed(claims, "JWT", await crypto.subtle.exportKey("jwk", privateKey)),
      "another kid": await signed(claims, "JWT", sampleKey),
      "another payload": [header, btoa(other).replace(/=+$/, ""), signature].join("."),
      "no algorithm": `${btoa('{"alg":"none","typ":"JWT"}').replace(/=+$/, "")}.${payload}.`,
    };
    for (const [name, hint] of Object.entries(hints)) {
      const answer = answerOf(await ask(world, browser, { prompt: "none", id_token_hint: hint }));
      assertEquals(answer.get("error"), "invalid_request", name);
    }
  });
});

test("id_token_hint: an ID token of another issuer with the same key is refused (OpenID Connect Core §3.1.2.1)", async () => {
  let foreign = "";
  await inOpenId({ issuer: "https://other.test" }, async (world, browser) => {
    foreign = (await signIn(world, browser, "alice")).id_token;
  });
  await inOpenId({}, async (world, browser) => {
    await signIn(world, browser, "alice");
    const answer = answerOf(await ask(world, browser, { id_token_hint: foreign }));
    assertEquals(answer.get("error"), "invalid_request");
  });
});

test("id_token_hint: an ID token of a retired key is accepted while the session lives (OpenID Connect Core §3.1.2.1)", async () => {
  const store = memoryStore();
  await inOpenIdWithOwnKeys({ store }, async (world, browser) => {
    const { id_token } = await signIn(world, browser, "alice");
    const second = createServer({
      issuer,
      alg: "ES256",
      people,
      clients: [clientOf("app")],
      store,
      now: () => world.clock.now,
    });
    await second.rotateKeys({ atOnce: true });
    world.clock.advance(20);
    const soon = await ask(world, browser, { prompt: "none", id_token_hint: id_token });
    assertEquals(answerOf(soon).get("error"), null, "while the old key is published");
    world.clock.advance(2 * 3600);
    await second.close();
    const later = await ask(world, browser, { prompt: "none", id_token_hint: id_token });
    assertEquals(answerOf(later).get("error"), null, "after the old key is retired");
  });
});

it("login_hint: fills in the username and signs no person in (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  const silent = await ask(world, browser, { login_hint: "alice", prompt: "none" });
  assertEquals(answerOf(silent).get("error"), "login_required");
  const page = await ask(world, browser, { login_hint: "carol" });
  assertEquals(screenOf(page), "sign_in");
  assertStringIncludes(page.html, 'value="carol"');
});

it("login_hint: a hint to a person who is not signed in asks for sign-in, and any person may sign in (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  const page = await ask(world, browser, { login_hint: "bob" });
  assertEquals(screenOf(page), "sign_in");
  const answer = await agree(browser, page, "alice");
  assertEquals((await claimsOf(world, await tokensOf(world, answer))).sub, "subject-of-a");
});

it("login_hint: an email chooses among the people who are signed in, and tells nothing of others (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  await signIn(world, browser, "bob", { login_hint: "bob" });
  const page = await ask(world, browser, { login_hint: "BOB@example.com" });
  assertEquals((await claimsOf(world, await tokensOf(world, page))).sub, "subject-of-b");
  for (const login_hint of ["carol@example.com", "none@example.com"]) {
    assertEquals(screenOf(await ask(world, browser, { login_hint })), "chooser", login_hint);
  }
});

it("login_hint: an unknown, hostile or empty hint has no effect (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  for (const login_hint of ["unknown", '"><script>', "", "x".repeat(2000)]) {
    assertEquals(screenOf(await ask(world, browser, { login_hint })), "client", login_hint);
  }
  const page = await ask(world, createBrowser(world), { login_hint: '"><script>' });
  assert(!page.html.includes("<script>"));
});

const acrs: readonly (readonly [acr: unknown, error: string | null])[] = [
  [{ essential: true, values: ["urn:example:gold"] }, "unmet_authentication_requirements"],
  [{ essential: true, value: "urn:example:gold" }, "unmet_authentication_requirements"],
  [{ essential: true }, null],
  [{ values: ["urn:example:gold"] }, null],
  [null, null],
];

it("claims: without configured values, only an essential acr with a value is an error (OpenID Connect Core §5.5.1.1)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  for (const [acr, error] of acrs) {
    const answer = answerOf(await ask(world, browser, { prompt: "none", ...asAcr(acr) }));
    assertEquals([answer.get("error"), answer.has("code")], [error, error === null], JSON.stringify(acr));
  }
});

const acrValues = ["urn:example:silver", "urn:example:gold"];

/** The request's parameters, and the `acr` of both tokens. */
const answeredAcrs: readonly (readonly [params: Params, acr: string | undefined])[] = [
  [{}, undefined],
  [{ acr_values: "urn:example:gold urn:example:silver" }, "urn:example:gold"],
  [{ acr_values: "urn:example:platinum  urn:example:silver" }, "urn:example:silver"],
  [asAcr({ essential: true, value: "urn:example:gold" }), "urn:example:gold"],
  [asAcr({ essential: true, values: ["urn:example:platinum", "urn:example:gold"] }), "urn:example:gold"],
  [asAcr({ values: ["urn:example:platinum"] }), undefined],
  [asAcr({ essential: true }), "urn:example:silver"],
  [asAcr(null), "urn:example:silver"],
  [{ ...asAcr({ value: "urn:example:gold" }), acr_values: "urn:example:silver" }, "urn:example:gold"],
];

function asAcr(acr: unknown): Params {
  return { claims: JSON.stringify({ id_token: { acr } }) };
}

test("acr: with configured values, both tokens have the best one for the request (OpenID Connect Core §5.5.1.1)", () =>
  inOpenId({ acrValues }, async (world, browser) => {
    await signIn(world, browser, "alice");
    for (const [params, acr] of answeredAcrs) {
      const { id_token, access_token } = await tokensOf(
        world,
        await ask(world, browser, { prompt: "none", ...params }),
      );
      const received = [decodeJwt(id_token)["acr"], decodeJwt(access_token)["acr"]];
      assertEquals(received, [acr, acr], JSON.stringify(params));
    }
    const unmet = asAcr({ essential: true, values: ["urn:example:platinum"] });
    const refused = answerOf(await ask(world, browser, { prompt: "none", ...unmet }));
    assertEquals(refused.get("error"), "unmet_authentication_requirements");
    const { reason, expected, received } = world.lastRefusal()!;
    assertEquals([reason, expected, received], ["acr_unmet", acrValues.join(" "), "urn:example:platinum"]);
  }));

test("acr: a refreshed ID token has the same acr (OpenID Connect Core §12.2)", () =>
  inOpenId({ acrValues }, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice", { acr_values: "urn:example:gold" });
    const next = await (await refresh(world, tokens.refresh_token)).json();
    assertEquals((await claimsOf(world, next)).acr, "urn:example:gold");
  }));

test("acr: the configured values are announced, and must be printable ASCII without a space", async () => {
  const announced = async (world: World) =>
    (await (await world.get("/.well-known/openid-configuration")).json()).acr_values_supported;
  await inOpenId({ acrValues }, async (world) => assertEquals(await announced(world), acrValues));
  await inOpenId({}, async (world) => assertEquals(await announced(world), undefined));
  assertThrows(
    () => createServer({ acrValues: ["urn:example:silver", "two words"] }),
    TypeError,
    'acrValues[1] must be printable ASCII without a space, not "two words"',
  );
});

it("claims: sub with a value gives a code for that person only (OpenID Connect Core §5.5)", async ({ world, browser }) => {
  await signInBoth(world, browser);
  for (const member of ["id_token", "userinfo"]) {
    const claims = (sub: string) => JSON.stringify({ [member]: { sub: { value: sub } } });
    const page = await ask(world, browser, { prompt: "none", claims: claims("subject-of-b") });
    assertEquals((await claimsOf(world, await tokensOf(world, page))).sub, "subject-of-b", member);
    const missing = await ask(world, browser, { prompt: "none", claims: claims("subject-of-c") });
    assertEquals(answerOf(missing).get("error"), "login_required", member);
  }
});

it("claims: two different values for sub, or one beside another id_token_hint, give no code (OpenID Connect Core §3.1.2.1, §5.5)", async ({ world, browser }) => {
  const { alice } = await signInBoth(world, browser);
  const [sub, other] = [{ value: "subject-of-a" }, { value: "subject-of-b" }];
  const contradictions: readonly (readonly [params: Params, reason: string])[] = [
    [{ id_token_hint: alice.id_token, claims: JSON.stringify({ id_token: { sub: other } }) }, "two_subjects"],
    [{ claims: JSON.stringify({ id_token: { sub }, userinfo: { sub: other } }) }, "claims_about_two"],
  ];
  for (const [params, reason] of contradictions) {
    assertEquals(answerOf(await ask(world, browser, { prompt: "none", ...params })).get("code"), null);
    assertEquals(world.lastRefusal()?.reason, reason);
  }
});

const emptyClaims = ["", "{}", '{"id_token":null}', '{"userinfo":[],"id_token":7}', '{"__proto__":{"x":1}}'];
const malformedClaims = ["{", "[]", "null", '"text"', "{'a':1}"];

it("claims: an empty claims parameter changes nothing, and a malformed one is an error (OpenID Connect Core §5.5)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  for (const claims of [...emptyClaims, ...malformedClaims]) {
    const error = malformedClaims.includes(claims) ? "invalid_request" : null;
    const answer = answerOf(await ask(world, browser, { claims, prompt: "none" }));
    assertEquals([answer.get("error"), answer.has("code")], [error, error === null], claims);
    assertEquals(world.lastRefusal()?.reason, error === null ? undefined : "claims_malformed", claims);
  }
});
