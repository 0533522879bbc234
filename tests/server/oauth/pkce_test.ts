/** PKCE: its test vectors, malformed values, and the refusal of a request without it (RFC 7636; OAuth 2.1 §7.5). */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { provesSecret } from "../../../src/server/oauth/secrets/credential.ts";
import { testWith } from "./test_in_world.ts";
import { pkcePairs } from "../../vectors.ts";
import { assertCode, assertRefusedInJson, assertTokens } from "./refusals.ts";
import type { ClientMetadata, ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import {
  callbackParams,
  inWorld,
  type Params,
  redirectUri,
  withoutClients,
  type World,
} from "../../world.ts";

const it = testWith();

for (const [name, code_verifier, code_challenge] of pkcePairs) {
  it(`pkce: the pair "${name}" gets tokens (OAuth 2.1 §4.1.3, appendix A.17)`, async ({ world }) => {
    assertEquals(provesSecret(code_verifier, code_challenge), true);
    const code = await world.code({ code_challenge });
    await assertTokens(await world.redeem(code, { code_verifier }));
    assertEquals(world.journal.at(-1)?.facts.pkce, "S256");
  });
}

it("pkce: each verifier matches its own challenge only (RFC 7636 §4.6)", async ({ world }) => {
  for (const [index, [, , code_challenge]] of pkcePairs.entries()) {
    const [, code_verifier] = pkcePairs[(index + 1) % pkcePairs.length]!;
    const code = await world.code({ code_challenge });
    const response = await world.redeem(code, { code_verifier });
    await assertRefusedInJson(world, response, { error: "invalid_grant", reason: "verifier_wrong" });
    const { expected, received } = world.lastRefusal()!;
    assertStringIncludes(expected!, code_challenge);
    const [, , sent] = pkcePairs[(index + 1) % pkcePairs.length]!;
    assertEquals(received, `the verifier of code_challenge ${sent}`);
  }
});

it("pkce: a verifier, a code or a token that a program made from a missing value is named", async ({ world }) => {
  for (const text of ["undefined", "null", "NaN", "[object Object]"]) {
    const named = `the text ${text}`;
    await world.redeem(await world.code(), { code_verifier: text });
    assertEquals(world.lastRefusal()?.received, named);
    await world.redeem(text);
    assertEquals([world.lastRefusal()?.reason, world.lastRefusal()?.received], ["code_unknown", named]);
  }
  await world.get("/userinfo", { authorization: "Bearer undefined" });
  assertEquals(world.lastRefusal()?.received, "the text undefined");
  await world.redeem("SECRET-CANARY");
  assertEquals(world.lastRefusal()?.received, "13 characters");
});

it("token: an unsupported grant_type that may be a secret is not in the journal; password has a substitute", async ({ world }) => {
  const grantTypes = [
    ["password", "password"],
    ["Authorization_Code", "Authorization_Code"],
    ["urn:ietf:params:oauth:grant-type:jwt-bearer", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
    ["s3cret-CANARY", "13 characters"],
    ["undefined", "undefined"],
    ["[object Object]", "the text [object Object]"],
  ] as const;
  for (const [grant_type, received] of grantTypes) {
    await world.redeem("x", { grant_type });
    const refusal = world.lastRefusal();
    assertEquals([refusal?.reason, refusal?.received], ["grant_type_unsupported", received]);
    assertEquals(/_postern\/login/.test(refusal?.expected ?? ""), grant_type === "password");
  }
});

it("parameters: a similar name is named if a parameter is missing", async ({ world }) => {
  const received = () => world.lastRefusal()?.received;
  const uri = "https://app.example/cb";
  await world.authorize({ redirect_uri: undefined, redirect_url: uri, scope: "openid" });
  assertEquals(received(), "no redirect_uri, but redirect_url");
  await world.authorize({ client_id: undefined, clientId: "public" });
  assertEquals(received(), "no client_id, but clientId");
  await world.authorize({ code_challenge: undefined, code_challenge_method: undefined, codeChallenge: "x" });
  assertEquals(received(), "no code_challenge, but codeChallenge, no code_challenge_method");
  await world.redeem(await world.code(), { code_verifier: undefined, codeVerifier: "x" });
  assertEquals(received(), "no code_verifier, but codeVerifier");
  await world.redeem(await world.code(), { grant_type: undefined, grantType: "authorization_code" });
  assertEquals(received(), "no grant_type, but grantType");
});

const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };
const parameters = "code_challenge=BASE64URL(SHA256(code_verifier)) and code_challenge_method=S256";
// What the server could be told, and what it gives up.
const mayOmit = "This client may do without PKCE, with require_pkce: false";
const onlyConfigured =
  "Only a configured client with a secret or a key may do without PKCE, with require_pkce: false";
const noSecret =
  "A page or an app keeps no secret, and has no exception: use a library that sends PKCE, such as oidc-client-ts.";
const noPkce =
  "Without PKCE, the server cannot notice a stolen code: the client itself must compare the nonce.";
const noNonce =
  "With oauth_version 2.0, the client need not even send a nonce, so nothing notices a stolen code.";

const confidential = { client_id: "app", client_secret: "app-secret", redirect_uris: [redirectUri] };
const isPublic = { client_id: "app", redirect_uris: [redirectUri] };

async function refusalOf(
  world: World,
  request: Params,
  expectedReason = "challenge_missing",
): Promise<
  readonly [expected: string | undefined, instead: string | undefined, remedy: ServerOptions | undefined]
> {
  const response = await world.authorize({ client_id: "app", ...withoutPkce, ...request });
  const { reason, expected, instead, remedy } = world.lastRefusal()!;
  assertEquals(reason, expectedReason);
  if (response.status === 303) {
    // Only the parameters to add are sent to the client.
    const description = callbackParams(response).get("error_description")!;
    assertEquals(/require_pkce|client_secret|configur/.test(description), false, description);
  }
  return [expected, instead, remedy === undefined ? undefined : JSON.parse(remedy)];
}

// Each row: a client, the request, and what the client's entry in the configuration needs for the same request.
const allowed: readonly (readonly [
  what: string,
  client: ClientMetadata,
  request: Params,
  expected: readonly [expected: string, instead: string],
  needed: Partial<ClientMetadata>,
  reason?: string,
])[] = [
  [
    "a confidential OpenID client with a nonce",
    confidential,
    { scope: "openid", nonce: "n" },
    [parameters, `${mayOmit}. ${noPkce}`],
    { require_pkce: false },
  ],
  [
    "a confidential OpenID client without a nonce",
    confidential,
    { scope: "openid" },
    [parameters, `${mayOmit} and a nonce. ${noPkce} ${noNonce}`],
    { require_pkce: false, oauth_version: "2.0" },
  ],
  [
    "a client with require_pkce: false, without a nonce",
    { ...confidential, require_pkce: false },
    { scope: "openid" },
    [`${parameters}, or a nonce`, noNonce],
    { oauth_version: "2.0" },
    "challenge_and_nonce_missing",
  ],
];

for (const [what, client, request, expected, needed, reason] of allowed) {
  test(`pkce: the refusal of ${what} has the configuration that makes the same request work (OAuth 2.1 §7.5.1.1)`, () =>
    inWorld({ clients: [client] }, async (world) => {
      const suggested = { client_id: "app", ...needed };
      assertEquals(await refusalOf(world, request, reason), [...expected, { clients: [suggested] }]);
      await inWorld({ clients: [{ ...client, ...suggested }] }, async (world) => {
        assertCode(await world.authorize({ client_id: "app", ...withoutPkce, ...request }));
      });
    }));
}

const forbidden: readonly (readonly [
  what: string,
  client: ClientMetadata,
  request: Params,
  expected: string,
  instead?: string,
])[] = [
  ["a public client", isPublic, { scope: "openid", nonce: "n" }, parameters],
  [
    "a confidential client without openid",
    confidential,
    { scope: "read", nonce: "n" },
    parameters,
    `${mayOmit} and openid in the scope.`,
  ],
  [
    "a client with require_pkce: false, without openid",
    { ...confidential, require_pkce: false },
    { scope: "read", nonce: "n" },
    `${parameters}, or openid in the scope`,
  ],
  [
    "a client with require_pkce: false, without openid and a nonce",
    { ...confidential, require_pkce: false },
    { scope: "read" },
    `${parameters}, or openid in the scope and a nonce`,
  ],
  [
    "a client of OAuth 2.1 without a nonce",
    { ...confidential, oauth_version: "2.1" },
    { scope: "openid" },
    parameters,
    `${mayOmit} and a nonce.`,
  ],
];

for (const [what, client, request, expected, instead] of forbidden) {
  test(`pkce: the refusal of ${what} suggests no configuration`, () =>
    inWorld({ clients: [client] }, async (world) => {
      assertEquals(await refusalOf(world, request), [expected, instead, undefined]);
    }));
}

test("pkce: a first-use client would have to be configured with a secret", () =>
  withoutClients({}, async (world) => {
    const request = { scope: "openid", nonce: "n", redirect_uri: "http://localhost:3000/cb" };
    const [expected, instead, remedy] = await refusalOf(world, request);
    const inBody =
      "The server cannot know yet how the client sends its secret: if in the body, its token_endpoint_auth_method is client_secret_post.";
    assertEquals([expected, instead], [parameters, `${onlyConfigured}. ${noSecret} ${inBody} ${noPkce}`]);
    assertEquals(remedy, {
      firstUse: true,
      clients: [{
        client_id: "app",
        redirect_uris: ["http://localhost:3000/cb"],
        token_endpoint_auth_method: "client_secret_basic",
        require_pkce: false,
        client_secret: "<the secret of the client>",
      }],
    });
    await inWorld(remedy!, async (world) => {
      assertCode(await world.authorize({ client_id: "app", ...withoutPkce, ...request }));
    });
    const clients = [{ ...remedy!.clients![0]!, token_endpoint_auth_method: "client_secret_post" }];
    await inWorld({ ...remedy, clients }, async (world) => {
      const response = await world.authorize({ client_id: "app", ...withoutPkce, ...request });
      const { redirect_uri } = request;
      const code = callbackParams(response).get("code")!;
      const proof = { client_id: "app", client_secret: "<the secret of the client>" };
      const form = { grant_type: "authorization_code", code, redirect_uri, ...proof };
      assertEquals((await world.post("/oauth2/token", form)).status, 200);
    });
  }));

test("pkce: where a secret can be sent in one way only, the refusal presumes this one", () =>
  Promise.all(
    ["client_secret_basic", "client_secret_post"].map((method) =>
      withoutClients({ clientAuthMethods: [method, "private_key_jwt"] }, async (world) => {
        const request = { scope: "openid", nonce: "n", redirect_uri: "http://localhost:3000/cb" };
        const [, instead, remedy] = await refusalOf(world, request);
        assertEquals(instead, `${onlyConfigured}. ${noSecret} ${noPkce}`);
        assertEquals(remedy!.clients![0]!.token_endpoint_auth_method, method);
      })
    ),
  ).then(() => {}));

test("pkce: without a configuration that helps, the refusal says nothing about the form", () =>
  withoutClients({}, async (world) => {
    const request = { scope: "read", redirect_uri: "http://localhost:3000/cb" };
    const missing = "openid in the scope and a nonce";
    assertEquals(await refusalOf(world, request), [
      parameters,
      `${onlyConfigured} and ${missing}. ${noSecret}`,
      undefined,
    ]);
  }));

test("pkce: a client without a secret is told that only another library ends its refusals", () =>
  inWorld({ clients: [isPublic] }, async (world) => {
    assertEquals(await refusalOf(world, { scope: "openid" }), [parameters, undefined, undefined]);
    assertMatch(
      world.lastRefusal()!.change!,
      /oidc-client-ts: a client without a secret has no exception\.$/,
    );
  }));

test("pkce: a client that may omit PKCE, and sends no secret, is told the same", () =>
  inWorld({ clients: [{ ...confidential, require_pkce: false }] }, async (world) => {
    const form = { grant_type: "authorization_code", code: "a", client_id: "app" };
    assertEquals((await world.post("/oauth2/token", form)).status, 401);
    const { reason, change } = world.lastRefusal()!;
    assertEquals(reason, "secret_missing");
    assertMatch(change!, /^Send the secret.*such as oidc-client-ts: only a client with a secret/);
  }));

test("pkce: a client that must send PKCE, and no secret, is asked for the secret alone", () =>
  inWorld({ clients: [confidential] }, async (world) => {
    await world.post("/oauth2/token", { grant_type: "authorization_code", code: "a", client_id: "app" });
    assertEquals(
      world.lastRefusal()!.change,
      "Authenticate the client by the method for which it is registered.",
    );
  }));
