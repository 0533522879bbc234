/** Authorization server metadata: every announced value works, and other values are refused (RFC 8414). */

import { assert, assertEquals, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { readFormOnPage, readMessageOnPage } from "./read_form.ts";
import { assertTokens } from "./refusals.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../../../src/ground/crypto/platform.ts";
import {
  importSigningKey,
  type SigningKey,
  signJwt,
  signWithSecret,
} from "../../../src/ground/crypto/jwt.ts";
import { identify } from "../../../src/server/client/client_request.ts";
import { defaultFeatures } from "../../../src/server/features/mod.ts";
import { languages } from "../../../src/server/pages/words/languages.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import { keysFor } from "../../keys.ts";
import { claimsOfScope } from "../../../src/server/oauth/people/claims.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import {
  callbackParams,
  clients,
  createWorld,
  inWorld,
  type Params,
  redirectUri,
  type World,
  worldDefaults,
} from "../../world.ts";
import { boundTokens, createProofKey } from "../tokens/dpop.ts";
import { createKeySource } from "../tokens/key_world.ts";

const it = testWith();

type Metadata = Readonly<Record<string, unknown>>;

const wellKnown = "https://as.test/.well-known/oauth-authorization-server";

async function metadataOf(world: World, url = wellKnown): Promise<Metadata> {
  return await (await world.get(url)).json();
}

const { signingKeys: _fixed, ...withoutKey } = worldDefaults;
const slots = gatherSlots(defaultFeatures({}));
const methods = ["none", ...slots.clientAuth.keys()];
const asymmetric = ["RS256", "PS256", "ES256", "EdDSA"];
const assertionAlgorithms = [...asymmetric, "HS256"];
const encryption = (kind: string) => ({
  [`${kind}_encryption_alg_values_supported`]: ["RSA-OAEP-256", "ECDH-ES"],
  [`${kind}_encryption_enc_values_supported`]: ["A128CBC-HS256", "A128GCM", "A256GCM"],
});

/** What the server announces at least. It announces what its features have, so a new feature changes no other list. */
const announced: Readonly<Record<string, string>> = {
  grant_types_supported:
    "authorization_code refresh_token client_credentials urn:ietf:params:oauth:grant-type:token-exchange " +
    "urn:ietf:params:oauth:grant-type:device_code",
  token_endpoint_auth_methods_supported:
    "none client_secret_basic client_secret_post private_key_jwt client_secret_jwt",
  ui_locales_supported: "en de",
  claims_supported:
    "sub name family_name given_name middle_name nickname preferred_username profile picture website " +
    "gender birthdate zoneinfo locale updated_at email email_verified address phone_number phone_number_verified",
};

it("metadata: announces each grant type, method, language and claim (RFC 8414 §2)", async ({ world }) => {
  for (const [name, values] of Object.entries(announced)) {
    const all = (await metadataOf(world))[name] as readonly string[];
    assertEquals(all.filter((value) => values.split(" ").includes(value)), values.split(" "), name);
  }
});

it("metadata: has exactly these members (OAuth 2.1 §3.1)", async ({ world }) => {
  const response = await world.get(wellKnown);
  assertEquals([response.status, response.headers.get("content-type")], [200, "application/json"]);
  assertEquals(await response.json(), {
    issuer: "https://as.test",
    authorization_endpoint: "https://as.test/oauth2/authorize",
    pushed_authorization_request_endpoint: "https://as.test/oauth2/par",
    device_authorization_endpoint: "https://as.test/oauth2/device_authorization",
    token_endpoint: "https://as.test/oauth2/token",
    userinfo_endpoint: "https://as.test/userinfo",
    revocation_endpoint: "https://as.test/oauth2/revoke",
    introspection_endpoint: "https://as.test/oauth2/introspect",
    end_session_endpoint: "https://as.test/connect/logout",
    registration_endpoint: "https://as.test/connect/register",
    client_id_metadata_document_supported: true,
    acr_values_supported: ["mfa", "http://schemas.openid.net/pape/policies/2007/06/multi-factor"],
    jwks_uri: "https://as.test/oauth2/jwks",
    scopes_supported: ["offline_access", "openid", "profile", "email", "address", "phone"],
    response_types_supported: ["code"],
    response_modes_supported: [
      "query",
      "fragment",
      "form_post",
      "web_message",
      "query.jwt",
      "fragment.jwt",
      "form_post.jwt",
      "jwt",
    ],
    authorization_signing_alg_values_supported: ["ES256"],
    ...encryption("authorization"),
    grant_types_supported: [...slots.grantTypes.keys()],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: methods.filter((method) => method !== "none"),
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    claims_parameter_supported: true,
    ui_locales_supported: languages,
    claims_supported: ["sub", ...Object.values(claimsOfScope).flat()],
    subject_types_supported: ["public", "pairwise"],
    id_token_signing_alg_values_supported: ["ES256"],
    ...encryption("id_token"),
    userinfo_signing_alg_values_supported: ["ES256"],
    ...encryption("userinfo"),
    introspection_signing_alg_values_supported: ["ES256"],
    ...encryption("introspection"),
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    dpop_signing_alg_values_supported: ["ES256", "EdDSA", "Ed25519", "PS256", "RS256"],
    require_pushed_authorization_requests: false,
    request_object_signing_alg_values_supported: asymmetric,
    require_signed_request_object: false,
    request_parameter_supported: true,
    request_uri_parameter_supported: false,
  });
});

test("metadata: lists the configured scopes and those of the features (OpenID Connect Discovery §3)", () =>
  inWorld({ scopes: { openid: "", read: "" } }, async (world) => {
    const scopes = ["offline_access", "openid", "profile", "email", "address", "phone", "read"];
    assertEquals((await metadataOf(world))["scopes_supported"], scopes);
  }));

test("metadata: lists each algorithm that the server signs with (OpenID Connect Discovery §3)", () =>
  inWorld({
    keySource: createKeySource(),
    clients: [
      { client_id: "a", id_token_signed_response_alg: "EdDSA" },
      { client_id: "b", userinfo_signed_response_alg: "ES256" },
    ],
  }, async (world) => {
    const { id_token_signing_alg_values_supported, userinfo_signing_alg_values_supported } = await metadataOf(
      world,
    );
    // OpenID Connect Discovery §3: RS256 always.
    assertEquals(id_token_signing_alg_values_supported, ["ES256", "EdDSA", "RS256"]);
    assertEquals(userinfo_signing_alg_values_supported, ["ES256", "EdDSA"]);
  }, withoutKey));

const keys: ReadonlyMap<string, SigningKey> = new Map(
  await Promise.all(
    signingAlgorithms.map(async (alg: SigningAlgorithm) =>
      [alg, await importSigningKey(keysFor([alg])[0]!, alg)] as const
    ),
  ),
);

const secret = "a secret of at least 32 octets, for HS256: a+b%c";

/** What a client of this method registers. */
function registered(method: string): object {
  if (method === "none") return {};
  if (method.startsWith("client_secret_")) return { client_secret: secret };
  return { jwks: { keys: [...keys.values()].map(({ publicJwk }) => publicJwk) } };
}

/** A world with a client for every announced value. The client of a method has its name. */
const everything = {
  clients: [
    ...clients,
    ...methods.map((method) => ({
      client_id: method,
      token_endpoint_auth_method: method,
      redirect_uris: [redirectUri],
      ...registered(method),
    })),
    { client_id: "signed", userinfo_signed_response_alg: "ES256", redirect_uris: [redirectUri] },
  ],
  people: [{
    username: "alice",
    claims: Object.fromEntries(Object.values(claimsOfScope).flat().map((name) => [name, `alice's ${name}`])),
  }],
} as const;

/** How the client of a method authenticates. */
async function credentialsBy(
  world: World,
  method: string,
  alg = method === "client_secret_jwt" ? "HS256" : "ES256",
): Promise<readonly [form: Params, headers: Record<string, string>]> {
  const assertion = method.endsWith("_jwt") ? await assertionBy(world, method, alg) : undefined;
  const { form, headers } = identify({ clientId: method, method, secret }, assertion);
  return [{ client_id: undefined, ...Object.fromEntries(form) }, Object.fromEntries(headers)];
}

let assertions = 0;

async function assertionBy({ issuer, clock }: World, client: string, alg: string): Promise<string> {
  const claims = { iss: client, sub: client, aud: issuer, exp: clock.now + 60, jti: `${++assertions}` };
  if (alg === "HS256") return signWithSecret(secret, claims);
  const key = keys.get(alg);
  if (key !== undefined) return await signJwt(key, "client-authentication+jwt", claims);
  const encode = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, "");
  return `${encode({ alg, kid: keys.get("ES256")!.kid })}.${encode(claims)}.AAAA`;
}

/** Sends the request of a client as a request object that the algorithm signs. */
async function authorizeSigned(world: World, alg: string): Promise<Response> {
  const client_id = "private_key_jwt";
  const { searchParams } = new URL(world.authorizeUrl({ client_id }));
  const claims = { ...Object.fromEntries(searchParams), aud: world.issuer, exp: world.clock.now + 60 };
  const key = keys.get(alg);
  const request = key === undefined ? "x" : await signJwt(key, "oauth-authz-req+jwt", claims);
  return await world.get(`/oauth2/authorize?${new URLSearchParams({ client_id, request })}`);
}

/** Returns the method whose assertions have this algorithm. */
const methodWith = (alg: string) => alg === "HS256" ? "client_secret_jwt" : "private_key_jwt";

async function redeemBy(world: World, method: string, alg?: string): Promise<Response> {
  const code = await world.code({ client_id: method });
  return await world.redeem(code, ...await credentialsBy(world, method, alg));
}

/** A request to an endpoint about a token of the same client. */
async function askBy(world: World, path: string, method: string, alg?: string): Promise<Response> {
  const { access_token } = await assertTokens(await redeemBy(world, method));
  const [form, headers] = await credentialsBy(world, method, alg);
  return await world.post(path, { ...form, token: String(access_token) }, headers);
}

async function openidTokens(world: World, changed: Params = {}): Promise<Record<string, unknown>> {
  const code = await world.code({ scope: "openid", ...changed });
  return await assertTokens(await world.redeem(code, { client_id: changed["client_id"] ?? "public" }));
}

async function userinfoOf(world: World, { access_token }: Record<string, unknown>): Promise<Response> {
  return await world.get("/userinfo", { authorization: `Bearer ${access_token}` });
}

/** The tests of all values of a member. */
const testedElsewhere: Readonly<Record<string, string>> = {
  backchannel_logout_supported: "server/openid/back_channel_test.ts",
  backchannel_logout_session_supported: "server/openid/back_channel_test.ts",
  claims_supported: "conformance/conformance_test.ts",
  client_id_metadata_document_supported: "server/features/client_documents_test.ts",
  grant_types_supported: "server/tokens, server/features/device_login_test.ts",
  introspection_endpoint_auth_signing_alg_values_supported: "server/tokens/private_key_jwt_test.ts",
  introspection_signing_alg_values_supported: "server/tokens/introspection_jwt_test.ts",
  prompt_values_supported: "server/openid/prompt_test.ts",
  revocation_endpoint_auth_signing_alg_values_supported: "server/tokens/private_key_jwt_test.ts",
  subject_types_supported: "server/openid/sector_test.ts",
  ...Object.fromEntries(
    Object.keys({
      ...encryption("authorization"),
      ...encryption("id_token"),
      ...encryption("userinfo"),
      ...encryption("introspection"),
    }).map((name) => [name, "server/tokens/encryption_test.ts"]),
  ),
};

/** For each other member of the metadata: a request that uses one of its values. */
const works: Readonly<Record<string, (world: World, value: string) => Promise<void>>> = {
  async issuer(world, value) {
    assertEquals(value, world.issuer);
    assertEquals(callbackParams(await world.authorize()).get("iss"), value);
  },
  async authorization_endpoint(world, value) {
    const response = await world.get(value + world.authorizeUrl().slice(world.authorizeUrl().indexOf("?")));
    assert(callbackParams(response).has("code"));
  },
  async token_endpoint(world, value) {
    const response = await world.post(value, {});
    assertEquals((await response.json()).error, "invalid_request");
  },
  async jwks_uri(world, value) {
    assertEquals((await (await world.get(value)).json()).keys.length, 1);
  },
  async userinfo_endpoint(world, value) {
    const { access_token } = await openidTokens(world);
    const response = await world.get(value, { authorization: `Bearer ${access_token}` });
    assertEquals((await response.json()).sub, "alice");
  },
  async revocation_endpoint(world, value) {
    const tokens = await openidTokens(world);
    const response = await world.post(value, { client_id: "public", token: String(tokens["access_token"]) });
    assertEquals([response.status, (await userinfoOf(world, tokens)).status], [200, 401]);
  },
  async introspection_endpoint(world, value) {
    const response = await askBy(world, value, "client_secret_basic");
    const { active, client_id } = await response.json();
    assertEquals([active, client_id], [true, "client_secret_basic"]);
  },
  async registration_endpoint(world, value) {
    const body = JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"] });
    const response = await world.post(value, body, { "content-type": "application/json" });
    assertEquals([response.status, typeof (await response.json()).client_secret], [201, "string"]);
  },
  async end_session_endpoint(world, value) {
    const response = await world.get(value);
    assertEquals([response.status, response.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  },
  async response_types_supported(world, value) {
    assert(callbackParams(await world.authorize({ response_type: value })).has(value));
  },
  async response_modes_supported(world, value) {
    const response = await world.authorize({ response_mode: value });
    const fields = value.startsWith("form_post")
      ? new Map(readFormOnPage(await response.text()).fields)
      : value === "web_message"
      ? new Map(readMessageOnPage(await response.text()).params)
      : callbackParams(response);
    const claims = value.endsWith("jwt") ? decodeJwt(fields.get("response")!) : Object.fromEntries(fields);
    assert("code" in claims);
  },
  async token_endpoint_auth_methods_supported(world, value) {
    await assertTokens(await redeemBy(world, value));
    assertEquals(world.journal.at(-1)?.facts.clientAuth, value);
  },
  async code_challenge_methods_supported(world, value) {
    assert(callbackParams(await world.authorize({ code_challenge_method: value })).has("code"));
  },
  async authorization_response_iss_parameter_supported(world, value) {
    assertEquals(value, true as unknown as string);
    for (const changed of [{}, { scope: '"' }]) {
      assertEquals(callbackParams(await world.authorize(changed)).get("iss"), world.issuer);
    }
  },
  async scopes_supported(world, value) {
    const tokens = await assertTokens(await world.redeem(await world.code({ scope: value })));
    assertEquals(tokens["scope"], value);
  },
  async token_endpoint_auth_signing_alg_values_supported(world, value) {
    await assertTokens(await redeemBy(world, methodWith(value), value));
  },
  async revocation_endpoint_auth_methods_supported(world, value) {
    assertEquals((await askBy(world, "/oauth2/revoke", value)).status, 200);
    assertEquals(world.journal.at(-1)?.facts.clientAuth, value);
  },
  async introspection_endpoint_auth_methods_supported(world, value) {
    assertEquals((await (await askBy(world, "/oauth2/introspect", value)).json()).active, true);
    assertEquals(world.journal.at(-1)?.facts.clientAuth, value);
  },
  async claims_parameter_supported(world, value) {
    assertEquals(value, true as unknown as string);
    const claims = JSON.stringify({ id_token: { email: null }, userinfo: { name: null } });
    const tokens = await openidTokens(world, { claims });
    assertEquals(decodeJwt(String(tokens["id_token"]))["email"], "alice's email");
    assertEquals(await (await userinfoOf(world, tokens)).json(), { name: "alice's name", sub: "alice" });
  },
  async ui_locales_supported(world, value) {
    const response = await world.authorize({ ui_locales: value, redirect_uri: "https://unknown.example/" });
    assertStringIncludes(await response.text(), `<html lang="${value}">`);
  },
  async id_token_signing_alg_values_supported(world, value) {
    const { id_token } = await openidTokens(world);
    assertEquals(decodeProtectedHeader(String(id_token)).alg, value);
  },
  async userinfo_signing_alg_values_supported(world, value) {
    const response = await userinfoOf(world, await openidTokens(world, { client_id: "signed" }));
    assertEquals(response.headers.get("content-type"), "application/jwt");
    assertEquals(decodeProtectedHeader(await response.text()).alg, value);
  },
  async authorization_signing_alg_values_supported(world, value) {
    const params = callbackParams(await world.authorize({ response_mode: "jwt" }));
    assertEquals(decodeProtectedHeader(params.get("response")!).alg, value);
  },
  async dpop_signing_alg_values_supported(world, value) {
    const { token_type } = await boundTokens(await createProofKey(value), world);
    assertEquals(token_type, "DPoP");
  },
  async pushed_authorization_request_endpoint(world, value) {
    const { searchParams } = new URL(world.authorizeUrl());
    const { request_uri } = await (await world.post(value, searchParams.toString())).json();
    const query = new URLSearchParams({ client_id: "public", request_uri });
    assert(callbackParams(await world.get(`/oauth2/authorize?${query}`)).has("code"));
  },
  async device_authorization_endpoint(world, value) {
    const response = await world.post(value, { client_id: "public" });
    assertEquals((await response.json()).error, "unauthorized_client");
  },
  async require_pushed_authorization_requests(world, value) {
    assertEquals(value, false as unknown as string);
    assert(callbackParams(await world.authorize()).has("code"));
  },
  async request_parameter_supported(world, value) {
    assertEquals(value, true as unknown as string);
    assert(callbackParams(await authorizeSigned(world, "ES256")).has("code"));
  },
  async request_object_signing_alg_values_supported(world, value) {
    assert(callbackParams(await authorizeSigned(world, value)).has("code"));
  },
  async require_signed_request_object(world, value) {
    assertEquals(value, false as unknown as string);
    assert(callbackParams(await world.authorize()).has("code"));
  },
  async request_uri_parameter_supported(world, value) {
    assertEquals(value, false as unknown as string);
    const answer = callbackParams(await world.authorize({ request_uri: "https://app.example/r" }));
    assertEquals(answer.get("error"), "request_uri_not_supported");
  },
};

test("metadata: every advertised value works (RFC 8414 §2)", () =>
  inWorld(everything, async (world) => {
    for (const [member, values] of Object.entries(await metadataOf(world))) {
      if (member in testedElsewhere) continue;
      assertEquals(member in works, true, `no test shows that ${member} works`);
      for (const value of [values].flat()) await works[member]!(world, value as string);
    }
  }));

const issuers: readonly (readonly [issuer: string, url: string])[] = [
  ["https://as.test", wellKnown],
  ["https://as.test/", wellKnown],
  ["https://as.test/tenant/1", `${wellKnown}/tenant/1`],
  ["https://as.test/issuer1/", `${wellKnown}/issuer1`],
  ["http://[::1]:9000/x", "http://[::1]:9000/.well-known/oauth-authorization-server/x"],
];

for (const [issuer, url] of issuers) {
  test(`metadata: of ${issuer} is at ${url}, and all endpoints in it work (RFC 8414 §3, §2)`, () =>
    inWorld({ ...everything, issuer }, async (world) => {
      const metadata = await metadataOf(world, url);
      for (const changed of [{}, { scope: '"' }]) {
        const iss = callbackParams(await world.authorize(changed)).get("iss");
        assertEquals([metadata["issuer"], iss], [issuer, issuer]);
      }
      const base = issuer.replace(/\/$/, "");
      for (const [name, path] of [["authorization", "authorize"], ["token", "token"]]) {
        assertEquals(metadata[`${name}_endpoint`], `${base}/oauth2/${path}`);
      }
      for (const [member, value] of Object.entries(metadata)) {
        if (/_endpoint$|_uri$/.test(member)) await works[member]!(world, String(value));
      }
      await assertTokens(await world.redeem(await world.code()));
      // OpenID Connect Discovery §4 and RFC 8414 §5: the same document after the issuer's path and before it.
      const origin = new URL(url).origin;
      const openid = "/.well-known/openid-configuration";
      const addresses = [
        `${base}${openid}`,
        `${origin}${openid}${new URL(base).pathname.replace(/\/$/, "")}`,
      ];
      for (const at of addresses) {
        assertEquals(await metadataOf(world, at), metadata, at);
      }
      const elsewhere = [
        `${origin}${openid}/nobody`,
        `${base}${openid}/`,
        `${url}/`,
        `${url}/other`,
        `${new URL(url).origin}/.well-known/oauth-authorization-server/nobody`,
        ...new URL(base).pathname === "/"
          ? []
          : [`${origin}${openid}`, `${base}/.well-known/oauth-authorization-server`],
      ];
      for (const other of elsewhere) assertEquals((await world.get(other)).status, 404, other);
      if (new URL(base).pathname !== "/") {
        assertEquals((await world.get(`${new URL(url).origin}/oauth2/jwks`)).status, 404);
      }
    }));
}

it("metadata: is revalidated by its ETag (OpenID Connect Discovery §3)", async ({ world }) => {
  const response = await world.get(wellKnown);
  const etag = response.headers.get("etag")!;
  assertMatch(etag, /^"[\w-]+"$/);
  assertMatch(response.headers.get("cache-control")!, /^public, max-age=60$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await world.get(wellKnown, { "if-none-match": known });
    assertEquals([again.status, again.headers.get("etag"), await again.text()], [304, etag, ""], known);
  }
  assertEquals((await world.get(wellKnown, { "if-none-match": '"other"' })).status, 200);
  await using other = createWorld({ scopes: { read: "" } });
  assertNotEquals((await other.get(wellKnown)).headers.get("etag"), etag);
});
