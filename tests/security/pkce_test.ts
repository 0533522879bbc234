/** PKCE: required with S256 and an explicit method, and no parameter of a request weakens it. */

import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import {
  basic,
  callbackParams,
  challenge,
  challengeOf,
  createWorld,
  type Params,
  redirectUri,
  verifier,
  type WorldOptions,
} from "../world.ts";
import { malformedProofs } from "../vectors.ts";
import { type Grant, grants } from "../../src/server/oauth/contracts/grant.ts";
import { countingStore } from "./counting_store.ts";
import { readRefusal } from "./site.ts";

interface Kind {
  readonly who: string;
  readonly id: string;
  readonly options?: WorldOptions;
  /** Where refusals at the authorization endpoint go. */
  readonly refusedBy: "redirect" | "page";
  /** The client's token request: changed parameters and headers. */
  readonly changed?: Params;
  readonly headers?: Readonly<Record<string, string>>;
}

const lax = [{
  client_id: "lax",
  client_secret: "lax secret",
  redirect_uris: [redirectUri],
  require_pkce: false,
}];
const asLax = basic("lax", "lax secret");

const kinds: readonly Kind[] = [
  { who: "public", id: "public", refusedBy: "redirect" },
  {
    who: "Basic",
    id: "basic",
    refusedBy: "redirect",
    changed: { client_id: undefined },
    headers: basic("basic", "basic secret: a+b%c"),
  },
  {
    who: "secret in the body",
    id: "post",
    refusedBy: "redirect",
    changed: { client_id: "post", client_secret: "post-secret" },
  },
  {
    who: "first use",
    id: "unheard-of",
    options: { firstUse: true },
    refusedBy: "page",
    changed: { client_id: "unheard-of" },
  },
  {
    who: "PKCE not required, but without a nonce",
    id: "lax",
    options: { clients: lax },
    refusedBy: "redirect",
    changed: { client_id: undefined },
    headers: asLax,
  },
];

const badChallenges: readonly (readonly [what: string, changed: Params, reason: string])[] = [
  [
    "no challenge at all",
    { code_challenge: undefined, code_challenge_method: undefined },
    "challenge_missing",
  ],
  ["an empty challenge", { code_challenge: "", code_challenge_method: undefined }, "challenge_missing"],
  ["a method without a challenge", { code_challenge: undefined }, "challenge_method_alone"],
  ["a method with an empty challenge", { code_challenge: "" }, "challenge_method_alone"],
  ["no method", { code_challenge_method: undefined }, "challenge_method_missing"],
  ["an empty method", { code_challenge_method: "" }, "challenge_method_missing"],
  ["plain", { code_challenge: verifier, code_challenge_method: "plain" }, "challenge_method_unsupported"],
  ["S512", { code_challenge_method: "S512" }, "challenge_method_unsupported"],
  ["S256 in lower case", { code_challenge_method: "s256" }, "challenge_method_unsupported"],
  ["42 characters", { code_challenge: challenge.slice(1) }, "challenge_malformed"],
  ["44 characters", { code_challenge: `${challenge}A` }, "challenge_malformed"],
  ["padding", { code_challenge: `${challenge.slice(1)}=` }, "challenge_malformed"],
  ["base64 instead of base64url", { code_challenge: `+/${challenge.slice(2)}` }, "challenge_malformed"],
  ["unreserved, but not base64url", { code_challenge: `.~${challenge.slice(2)}` }, "challenge_malformed"],
  ["not ASCII", { code_challenge: `é${challenge.slice(1)}` }, "challenge_malformed"],
  ["a newline behind it", { code_challenge: `${challenge}\n` }, "challenge_malformed"],
];

for (const { who, id, options = {}, refusedBy } of kinds) {
  test(`authorize, ${who}: without an S256 challenge there is no code (OAuth 2.1 §4.1.1)`, async () => {
    const store = countingStore();
    await using world = createWorld({ store, ...options });
    const redirect_uri = refusedBy === "page" ? "http://127.0.0.1/cb" : redirectUri;
    for (const [what, changed, reason] of badChallenges) {
      const response = await world.authorize({ client_id: id, redirect_uri, ...changed });
      assertEquals(world.lastRefusal()?.reason, reason, what);
      if (refusedBy === "page") {
        assertEquals([response.status, response.headers.get("location")], [400, null], what);
      } else {
        const answer = callbackParams(response);
        assertEquals([answer.get("error"), answer.get("code")], ["invalid_request", null], what);
      }
    }
    assertEquals(store.writes, []);
  });
}

test("authorize: a nonce alone or openid alone does not replace PKCE (OAuth 2.1 §7.5.1.1)", async () => {
  await using world = createWorld({
    clients: [...lax, { client_id: "public", redirect_uris: [redirectUri] }],
  });
  const bare = { code_challenge: undefined, code_challenge_method: undefined };
  const requests = [
    [{ client_id: "lax", scope: "openid" }, false],
    [{ client_id: "lax", nonce: "n" }, false],
    [{ client_id: "lax", scope: "openid", nonce: "" }, false],
    [{ client_id: "lax", scope: "openid_x xopenid", nonce: "n" }, false],
    [{ client_id: "public", scope: "openid", nonce: "n" }, false],
    [{ client_id: "lax", scope: "openid", nonce: "n" }, true],
  ] as const;
  for (const [changed, hasCode] of requests) {
    const answer = callbackParams(await world.authorize({ ...bare, ...changed }));
    assertEquals(answer.has("code"), hasCode, JSON.stringify(changed));
  }
});

const flipped = (place: number) =>
  verifier.slice(0, place) + (verifier[place] === "x" ? "y" : "x") + verifier.slice(place + 1);

/** Wrong parameters, the expected refusal, and whether the right verifier still works afterwards. */
const badVerifiers: readonly (readonly [what: string, sent: Params, refusal: string, worksAfter: boolean])[] =
  [
    ["missing", { code_verifier: undefined }, "400 invalid_grant", true],
    ["empty", { code_verifier: "" }, "400 invalid_grant", true],
    ["wrong in its first character", { code_verifier: flipped(0) }, "400 invalid_grant", false],
    ["wrong in its last character", { code_verifier: flipped(42) }, "400 invalid_grant", false],
    ["in upper case", { code_verifier: verifier.toUpperCase() }, "400 invalid_grant", false],
    ["one character short", { code_verifier: verifier.slice(1) }, "400 invalid_request", true],
    ["one character longer", { code_verifier: `${verifier}A` }, "400 invalid_grant", false],
    ["the challenge itself", { code_verifier: challenge }, "400 invalid_grant", false],
    ["twice", { code_verifier: [verifier, verifier] }, "400 invalid_request", true],
    ["twice, the right one first", { code_verifier: [verifier, flipped(0)] }, "400 invalid_request", true],
    ["twice, the right one last", { code_verifier: ["", verifier] }, "400 invalid_request", true],
    ["under another name", { code_verifier: undefined, Code_Verifier: verifier }, "400 invalid_grant", true],
    [
      "missing, with code_challenge_method=plain",
      { code_verifier: undefined, code_challenge: challenge, code_challenge_method: "plain" },
      "400 invalid_grant",
      true,
    ],
    [
      "the challenge, with code_challenge_method=plain",
      { code_verifier: challenge, code_challenge_method: "plain" },
      "400 invalid_grant",
      false,
    ],
    ["missing, with a nonce", { code_verifier: undefined, nonce: "n" }, "400 invalid_grant", true],
  ];

for (const { who, id, options = {}, refusedBy, changed = {}, headers = {} } of kinds) {
  test(`token, ${who}: only the verifier of the challenge is accepted (RFC 7636 §4.6)`, async () => {
    await using world = createWorld(options);
    const redirect_uri = refusedBy === "page" ? "http://127.0.0.1/cb" : redirectUri;
    for (const [what, sent, refusal, worksAfter] of badVerifiers) {
      const code = await world.code({ client_id: id, redirect_uri });
      const refused = await world.redeem(code, { redirect_uri, ...changed, ...sent }, headers);
      assertEquals(await readRefusal(refused), refusal, what);
      const then = await world.redeem(code, { redirect_uri, ...changed }, headers);
      assertEquals(then.status, worksAfter ? 200 : 400, what);
    }
  });
}

const it = testInWorld({ clients: lax });

it("pkce: a verifier for a code without a challenge is refused, and without it the code works (OAuth 2.1 §4.1.3)", async (world) => {
  const bare = { code_challenge: undefined, code_challenge_method: undefined, scope: "openid", nonce: "n" };
  const code = await world.code({ client_id: "lax", ...bare });
  for (const sent of [{}, { code_challenge: challenge, code_challenge_method: "S256" }]) {
    assertEquals(
      await readRefusal(await world.redeem(code, { client_id: undefined, ...sent }, asLax)),
      "400 invalid_request",
    );
    assertEquals(world.lastRefusal()?.reason, "verifier_without_challenge");
  }
  assertEquals(
    (await world.redeem(code, { client_id: undefined, code_verifier: undefined }, asLax)).status,
    200,
  );
});

it("pkce: a client that may omit PKCE and sends a challenge must use S256 and send the verifier", async (world) => {
  const asked = { client_id: "lax", scope: "openid", nonce: "n" };
  const code = await world.code(asked);
  const without = await world.redeem(code, { client_id: undefined, code_verifier: undefined }, asLax);
  assertEquals(await readRefusal(without), "400 invalid_grant");
  for (const code_challenge_method of ["plain", undefined]) {
    const answer = callbackParams(await world.authorize({ ...asked, code_challenge_method }));
    assertEquals(answer.get("error"), "invalid_request");
  }
});

test("pkce: any other verifier is malformed, even if its hash is the challenge (RFC 7636 §4.1)", async () => {
  const others = [
    ...malformedProofs,
    ...[
      "a",
      "a".repeat(4096),
      `${"a".repeat(42)}\n`,
      `${"a".repeat(42)}\0`,
      "\u0430".repeat(64),
      "%61".repeat(20),
    ],
  ];
  await using world = createWorld();
  for (const other of others) {
    const code = await world.code({ code_challenge: challengeOf(other) });
    assertEquals(
      await readRefusal(await world.redeem(code, { code_verifier: other })),
      "400 invalid_request",
      other,
    );
    assertEquals(world.lastRefusal()?.reason, "verifier_malformed", other);
  }
});

test("pkce: a verifier of a megabyte is refused unread, and the right one works afterwards", async () => {
  await using world = createWorld();
  const code = await world.code();
  const response = await world.redeem(code, { code_verifier: "a".repeat(1_000_000) });
  assertEquals(await readRefusal(response), "413 invalid_request");
  assert(JSON.stringify(world.journal.at(-1)).length < 10_000, "the journal has the whole verifier");
  assertEquals((await world.redeem(code)).status, 200);
});

test("pkce: a stored code that lost its challenge is refused, with or without a verifier", async () => {
  const store = countingStore();
  await using world = createWorld({ store });
  const code = await world.code();
  for await (const { id, value, expiresAt } of store.list!(grants)) {
    const { challenge: _lost, ...rest } = (value as Grant).code!;
    await store.put(grants, id, { ...value as Grant, code: rest }, { expiresAt, now: world.clock.now });
  }
  for (const code_verifier of [undefined, verifier]) {
    const refused = await world.redeem(code, { code_verifier });
    assertEquals(await readRefusal(refused), "400 invalid_grant");
    assertEquals(world.lastRefusal()?.reason, "challenge_lost");
  }
});
