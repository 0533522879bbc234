/** Who may register a client, and what a client may register (RFC 7591 §3, §5). */

import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { test } from "../../runner.ts";
import { basic, createWorld, type Params, type World } from "../../world.ts";
import {
  assertRefused,
  createRegistrationWorld,
  initialToken,
  type Json,
  logIn,
  nativeUri,
  redeemWithSecretJwt,
  register,
  registered,
  registrationDefaults,
  send,
  testInRegistration as it,
} from "./registration.ts";

const webUri = "https://app.dev/cb";
/** Anyone may register, and a client with the initial access token gets more. */
const half = { registration: { initialAccessTokens: [initialToken], open: true } };
const gated = { registration: { initialAccessTokens: [initialToken, "another-token"] } };

const reaches: readonly (readonly [issuer: string, isOn: boolean])[] = [
  ["http://localhost:9000", true],
  ["http://127.0.0.1:9000", true],
  ["https://as.test", true],
  ["https://as.dev", false],
  ["https://localhost:9000", false],
];

for (const [issuer, isOn] of reaches) {
  test(`registration: by default ${isOn ? "on" : "off"} for ${issuer}`, async () => {
    const world = createWorld({ issuer }, registrationDefaults);
    const { status } = await register(world, { redirect_uris: [nativeUri] });
    assertEquals(status, isOn ? 201 : 404);
    const metadata = await (await world.get("/.well-known/openid-configuration")).json();
    assertEquals("registration_endpoint" in metadata, isOn);
  });
}

test("registration: true and an object switch it on beyond loopback, and false switches it off", async () => {
  const statusOf = async (issuer: string, registration: boolean | object) =>
    (await register(createWorld({ issuer, registration } as never, registrationDefaults), {
      redirect_uris: [nativeUri],
    })).status;
  assertEquals(await statusOf("https://as.dev", true), 201);
  assertEquals(await statusOf("https://as.dev", {}), 201);
  assertEquals(await statusOf("https://as.dev", gated.registration), 401);
  assertEquals(await statusOf("http://localhost:9000", false), 404);
});

test("registration: with initial access tokens, a request without one gets a challenge (RFC 7591 §3)", async () => {
  const world = createRegistrationWorld(gated);
  const answer = await register(world, { redirect_uris: [nativeUri] });
  assertEquals([answer.status, answer.body], [401, {}]);
  assertEquals(answer.headers.get("www-authenticate"), 'Bearer realm="postern"');
  assertEquals(world.lastRefusal()?.reason, "initial_access_token_missing");
});

for (const token of [`${initialToken}x`, "a,b"]) {
  test(`registration: the initial access token ${token} is refused (RFC 7591 §3)`, async () => {
    const world = createRegistrationWorld(half);
    const answer = await register(world, { redirect_uris: [nativeUri] }, { token });
    assertRefused(world, answer, "401 invalid_token initial_access_token_wrong");
    assertFalse(JSON.stringify(world.journal.at(-1)?.facts).includes(initialToken));
  });
}

test("registration: guesses of an initial access token are slowed down", async () => {
  const world = createRegistrationWorld(gated);
  const statuses = new Set<number>();
  for (let count = 0; count < 25; count++) {
    statuses.add((await register(world, {}, { token: `guess-${count}` })).status);
  }
  assertEquals([...statuses], [401, 429]);
  assertEquals((await register(world, { redirect_uris: [nativeUri] }, { token: initialToken })).status, 429);
  world.clock.advance(60);
  assertEquals((await register(world, { redirect_uris: [nativeUri] }, { token: initialToken })).status, 201);
});

test("registration, another tab: guesses of an initial access token do not block the developer's own programs", async () => {
  const world = createRegistrationWorld(gated);
  const guess = (headers: Readonly<Record<string, string>>) =>
    register(world, {}, { token: "guess", headers });
  const page = { origin: "https://evil.dev", "sec-fetch-site": "cross-site" };
  for (let count = 0; count < 20; count++) assertEquals((await guess(page)).status, 401);
  assertEquals((await guess(page)).status, 429);
  assertEquals((await register(world, { redirect_uris: [nativeUri] }, { token: initialToken })).status, 201);
});

/** Metadata that needs an initial access token. */
const privileges: readonly (readonly [name: string, metadata: Json, error: string])[] = [
  ["client_credentials", {
    grant_types: ["client_credentials"],
    response_types: [],
    redirect_uris: [],
  }, "invalid_client_metadata"],
  ["client_credentials besides the code flow", {
    grant_types: ["authorization_code", "client_credentials"],
  }, "invalid_client_metadata"],
  ["https", { redirect_uris: [webUri] }, "invalid_redirect_uri"],
  ["https besides loopback", { redirect_uris: [nativeUri, webUri] }, "invalid_redirect_uri"],
];

for (const [name, metadata, error] of privileges) {
  test(`registration: ${name} needs an initial access token`, async () => {
    const world = createRegistrationWorld(half);
    const body = { redirect_uris: [nativeUri], ...metadata };
    const kind = error === "invalid_redirect_uri" ? "redirect_uri" : "metadata";
    assertRefused(world, await register(world, body), `400 ${error} ${kind}_needs_initial_access_token`);
    assertEquals((await register(world, body, { token: initialToken })).status, 201);
  });
}

test("registration: https on this machine needs no initial access token", async () => {
  const world = createRegistrationWorld(half);
  for (const host of ["localhost:8443", "127.0.0.1", "[::1]:8443", "app.localhost:8443"]) {
    const { status } = await register(world, { redirect_uris: [`https://${host}/cb`] });
    assertEquals(status, 201, host);
  }
});

test("registration: the facts of the journal have no secret that a client sends as its id (RFC 6749 §2.3.1)", async () => {
  const world = createRegistrationWorld(half);
  const { client_id, client_secret } = await registered(world);
  const form = { grant_type: "authorization_code", code: "x" };
  const swapped = { client_id: client_secret, client_secret: client_id };
  const authorization = `Basic ${btoa(`${client_secret}:${client_id}`)}`;
  for (
    const response of [
      world.post("/oauth2/token", { ...form, ...swapped }),
      world.post("/oauth2/token", form, { authorization }),
    ]
  ) {
    assertEquals((await response).status, 401);
    assertFalse(JSON.stringify(world.journal.at(-1)!.facts).includes(client_secret));
  }
});

test("registration: each initial access token is good, and no other text (RFC 7591 §3)", async () => {
  const world = createRegistrationWorld(gated);
  const statusWith = async (token: string) =>
    (await register(world, { redirect_uris: [nativeUri] }, { token })).status;
  for (const token of [initialToken, "another-token"]) assertEquals(await statusWith(token), 201, token);
  for (const token of ["", "another", `${initialToken} another-token`, "Another-token"]) {
    assertEquals(await statusWith(token), 401, token);
  }
});

test("registration: a client with an initial access token gets tokens for itself, and does not expire", async () => {
  const world = createRegistrationWorld(gated);
  const client = await registered(world, {
    grant_types: ["client_credentials"],
    redirect_uris: [],
  }, initialToken);
  assertEquals([client["client_secret_expires_at"], client["response_types"]], [0, []]);
  world.clock.advance(400 * 24 * 3600);
  const response = await world.post("/oauth2/token", { grant_type: "client_credentials" }, {
    authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`,
  });
  assertEquals(response.status, 200);
});

const json = JSON.stringify({ redirect_uris: [nativeUri] });

/** A request with JSON, as a page of this origin sends it. */
const fetchFrom = (origin: string): RequestInit => ({
  body: json,
  headers: { origin, "content-type": "application/json" },
});
const fromEvil = { origin: "https://evil.dev" };

/** What a page of the internet can send from the developer's other tab. The browser adds the Origin. */
const withoutJson: Readonly<Record<string, RequestInit>> = {
  "a form": { body: new URLSearchParams({ redirect_uris: nativeUri }), headers: fromEvil },
  "a form with JSON as text/plain": {
    body: `{"redirect_uris":["${nativeUri}"],"x":"="}`,
    headers: { ...fromEvil, "content-type": "text/plain" },
  },
  "a beacon without a type": { body: new TextEncoder().encode(json), headers: fromEvil },
};
const withJson: Readonly<Record<string, RequestInit>> = {
  "a fetch with JSON": fetchFrom("https://evil.dev"),
  "a fetch from a sandboxed page": fetchFrom("null"),
  "a fetch from a host that begins like this one": fetchFrom("http://localhost.evil.dev"),
  "a fetch with two origins": fetchFrom("http://localhost:3000 https://evil.dev"),
};

for (const [name, init] of Object.entries({ ...withoutJson, ...withJson })) {
  it(`registration, another tab: ${name} registers nothing`, async (world) => {
    const request = new Request(`${world.issuer}/connect/register`, { method: "POST", ...init });
    const { status } = await world.fetch(request);
    const expected = name in withJson
      ? [403, "registration_from_foreign_origin"]
      : [400, "registration_not_json"];
    assertEquals([status, world.lastRefusal()?.reason], expected);
  });
}

test("registration, another tab: a foreign page cannot make the server fetch a URL of its metadata", async () => {
  const fetched: string[] = [];
  const world = createRegistrationWorld({
    fetch: (input: string | Request) => {
      fetched.push(`${input}`);
      return Promise.resolve(Response.json([nativeUri]));
    },
  });
  const body = { redirect_uris: [nativeUri], sector_identifier_uri: "https://localhost:8443/uris" };
  const refused = await register(world, body, { headers: { origin: "https://evil.dev" } });
  assertEquals([refused.status, fetched], [403, []]);
  assertEquals((await register(world, body)).status, 201);
  assertEquals(fetched, [body.sector_identifier_uri]);
});

it("registration, another tab: a foreign page cannot send another host, nor read or use a registration", async (world) => {
  const client = await registered(world);
  const headers = { origin: "https://evil.dev" };
  // DNS that leads evil.dev to this machine.
  const rebound = await send(world, "POST", "http://evil.dev:9000/connect/register", {
    body: { redirect_uris: [nativeUri] },
    headers: { origin: "http://evil.dev:9000" },
  });
  assertEquals(rebound.status, 421);
  for (const method of ["GET", "PUT", "DELETE"]) {
    const body = method === "PUT"
      ? { body: { client_id: client.client_id, redirect_uris: [nativeUri] } }
      : {};
    const answer = await send(world, method, client.registration_client_uri, { headers, ...body });
    assertEquals(answer.status, 401, method);
  }
});

const pages: readonly (readonly [origin: string | undefined, issuer: string, isAllowed: boolean])[] = [
  [undefined, "http://localhost:9000", true],
  ["http://localhost:3000", "http://localhost:9000", true],
  ["http://127.0.0.1:6274", "http://localhost:9000", true],
  ["http://[::1]:3000", "http://localhost:9000", true],
  ["http://app.localhost:3000", "http://localhost:9000", true],
  ["https://app.test", "http://localhost:9000", false],
  ["https://app.test", "https://as.test", true],
  ["https://app.dev", "https://as.test", false],
  ["https://as.dev", "https://as.dev", true],
  ["https://app.dev", "https://as.dev", false],
];

for (const [origin, issuer, isAllowed] of pages) {
  test(`registration: Origin ${origin} at ${issuer} is ${isAllowed ? "accepted" : "refused"}`, async () => {
    const world = createWorld({ issuer, registration: true }, registrationDefaults);
    const answer = await register(world, { redirect_uris: [nativeUri] }, {
      headers: origin === undefined ? {} : { origin },
    });
    if (isAllowed) assertEquals(answer.status, 201);
    else {
      assertRefused(world, answer, "403 access_denied registration_from_foreign_origin");
    }
    assertEquals(answer.headers.get("access-control-allow-origin"), "*");
    assertEquals(answer.headers.get("access-control-allow-credentials"), null);
  });
}

test("registration: any page may use an initial access token, which it must know", async () => {
  const world = createRegistrationWorld(gated);
  const answer = await register(world, { redirect_uris: [webUri] }, {
    token: initialToken,
    headers: { origin: "https://app.dev" },
  });
  assertEquals(answer.status, 201);
});

/** Opens the consent page or the answer for a client, as the browser sends it. */
async function open(world: World, client_id: string, headers: HeadersInit, redirect_uri = nativeUri) {
  const response = await world.get(world.authorizeUrl({ client_id, redirect_uri }), headers);
  return { status: response.status, html: await response.text() };
}

it("registration: automatic sign-in shows the consent page to a request of another site, each time", async (world) => {
  const { client_id } = await registered(world, { token_endpoint_auth_method: "none" });
  const crossSite = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
  assertEquals((await logIn(world, { client_id })).status, 200);
  for (let count = 0; count < 2; count++) {
    const { status, html } = await open(world, client_id, crossSite);
    assertEquals([status, html.includes('id="approve"'), html.includes('id="from-another-site"')], [
      200,
      true,
      true,
    ]);
  }
});

test("registration: automatic sign-in always shows the consent page for a redirect URI beyond loopback", async () => {
  const world = createRegistrationWorld(gated);
  const { client_id } = await registered(world, { redirect_uris: [webUri] }, initialToken);
  const { status, html } = await open(world, client_id, {}, webUri);
  assertEquals([status, html.includes('id="approve"')], [200, true]);
});

it("registration: an error before the first approval stops at a page (RFC 9700 §4.11.2)", async (world) => {
  const { client_id } = await registered(world);
  const wrong = { client_id, redirect_uri: nativeUri, response_type: "token" };
  const response = await world.get(world.authorizeUrl(wrong));
  assertEquals(response.status, 400);
  assert((await response.text()).includes('id="would-have-gone-to"'));
});

test("registration: a client with an initial access token gets its first error by redirect", async () => {
  const world = createRegistrationWorld(gated);
  const { client_id } = await registered(world, {}, initialToken);
  const response = await world.authorize({ client_id, redirect_uri: nativeUri, response_type: "token" });
  assertEquals(
    new URL(response.headers.get("location")!).searchParams.get("error"),
    "unsupported_response_type",
  );
});

test("registration: with an initial access token, a client decides oauth_version and remember_consent", async () => {
  const world = createRegistrationWorld(half);
  const decisions = { oauth_version: "2.1", remember_consent: true, token_endpoint_auth_method: "none" };
  const decided = ({ oauth_version, remember_consent }: Json) => [oauth_version, remember_consent];
  const trusted = await registered(world, decisions, initialToken);
  assertEquals(decided(trusted), ["2.1", true]);
  // OAuth 2.1 §10.2: the only redirect URI may be left out.
  const { status } = await world.authorize({ client_id: trusted.client_id, redirect_uri: undefined });
  assertEquals(status, 303);
  assertEquals(decided(await registered(world, decisions)), [undefined, undefined]);
  const wrong = await register(world, { redirect_uris: [nativeUri], oauth_version: "3" }, {
    token: initialToken,
  });
  assertRefused(world, wrong, "400 invalid_client_metadata metadata_invalid");
});

const withoutPkce: Params = { code_challenge: undefined, code_challenge_method: undefined, scope: "openid" };

/** Whether the client gets a code for a request without PKCE. */
async function omitsPkce(world: World, { client_id }: Json, changed: Params = {}): Promise<boolean> {
  const params = {
    client_id: `${client_id}`,
    redirect_uri: nativeUri,
    nonce: "n",
    ...withoutPkce,
    ...changed,
  };
  const response = await world.authorize(params);
  await response.body?.cancel();
  return new URL(response.headers.get("location") ?? world.issuer).searchParams.has("code");
}

it("registration: a client cannot register that it omits PKCE, and the refusal names the option (OAuth 2.1 §7.5.1)", async (world) => {
  const client = await registered(world, { require_pkce: false });
  assertFalse("require_pkce" in client);
  assertFalse(await omitsPkce(world, client));
  const { reason, remedy } = world.lastRefusal()!;
  const option = { registration: { clientMetadata: { require_pkce: false } } };
  assertEquals([reason, JSON.parse(remedy!)], ["challenge_missing", option]);

  const remedied = createRegistrationWorld(option);
  assert(await omitsPkce(remedied, await registered(remedied)));
});

test("registration: clientMetadata lets clients with a secret omit PKCE if they send a nonce (OAuth 2.1 §7.5.1)", async () => {
  const world = createRegistrationWorld({ registration: { clientMetadata: { require_pkce: false } } });
  const client = await registered(world, { require_pkce: true });
  assert(await omitsPkce(world, client));
  assertFalse(await omitsPkce(world, client, { nonce: undefined }));
  assertFalse(await omitsPkce(world, client, { scope: "read" }));
  const { client_id, registration_client_uri: uri, registration_access_token: token } = client;
  const { status } = await send(world, "PUT", uri, {
    body: { client_id, redirect_uris: [nativeUri] },
    token,
  });
  assertEquals(status, 200);
  assert(await omitsPkce(world, client), "an update keeps the operator's decision");
  const isPublic = await registered(world, { token_endpoint_auth_method: "none" });
  assertFalse(await omitsPkce(world, isPublic));
});

const oldClients = { clientMetadata: { require_pkce: false, oauth_version: "2.0" } } as const;

test("registration: clientMetadata with oauth_version 2.0 lets clients with a secret omit PKCE and the nonce (OpenID Connect Core §3.1.2.1)", async () => {
  const world = createRegistrationWorld({ registration: oldClients });
  const client = await registered(world);
  const request = { client_id: client.client_id, redirect_uri: nativeUri, nonce: undefined, ...withoutPkce };
  const code = await world.code(request);
  const response = await world.post("/oauth2/token", {
    grant_type: "authorization_code",
    code,
    redirect_uri: nativeUri,
  }, basic(client.client_id, client.client_secret!));
  const tokens = await response.json();
  assertEquals([response.status, decodeJwt(tokens.id_token)["nonce"]], [200, undefined]);
  assertFalse(await omitsPkce(world, client, { nonce: undefined, scope: "read" }));
  const isPublic = await registered(world, { token_endpoint_auth_method: "none" });
  assertFalse(await omitsPkce(world, isPublic, { nonce: undefined }));
});

test("registration: a client cannot register oauth_version 2.0, also not with an initial access token", async () => {
  const clientMetadata = { require_pkce: false };
  const world = createRegistrationWorld({
    registration: { clientMetadata, initialAccessTokens: [initialToken], open: true },
  });
  for (const token of [undefined, initialToken]) {
    const client = await registered(world, { oauth_version: "2.0" }, token);
    assertFalse("oauth_version" in client);
    assert(await omitsPkce(world, client));
    assertFalse(await omitsPkce(world, client, { nonce: undefined }));
  }
});

test("registration: clientMetadata with oauth_version 2.0 overrules what a client registers", async () => {
  const world = createRegistrationWorld({
    registration: { ...oldClients, initialAccessTokens: [initialToken] },
  });
  const client = await registered(world, { oauth_version: "2.1" }, initialToken);
  assertFalse("oauth_version" in client);
  assert(await omitsPkce(world, client, { nonce: undefined }));
});

it("registration: the refusal of a request without PKCE and nonce has the option that allows it", async (world) => {
  const request = { nonce: undefined };
  assertFalse(await omitsPkce(world, await registered(world), request));
  const option = JSON.parse(world.lastRefusal()!.remedy!);
  assertEquals(option, { registration: oldClients });
  const remedied = createRegistrationWorld(option);
  assert(await omitsPkce(remedied, await registered(remedied), request));
});

for (const client_assertion_audience of [undefined, "endpoint"] as const) {
  test(`registration: clientMetadata with client_assertion_audience ${client_assertion_audience} (RFC 10070 §4)`, async () => {
    const clientMetadata = client_assertion_audience === undefined ? {} : { client_assertion_audience };
    const world = createRegistrationWorld({ registration: { clientMetadata } });
    const client = await registered(world, {
      token_endpoint_auth_method: "client_secret_jwt",
      client_assertion_audience: "endpoint",
    });
    assertEquals((await redeemWithSecretJwt(world, client)).status, 200);
    const { status } = await redeemWithSecretJwt(world, client, `${world.issuer}/oauth2/token`);
    assertEquals(status, client_assertion_audience === "endpoint" ? 200 : 401);
    // A client without assertions registers as before.
    assertEquals((await logIn(world, await registered(world))).status, 200);
  });
}

test("registration: clientMetadata has no other member, and the mistake is named", () => {
  const clientMetadata = { remember_consent: true } as never;
  assertThrows(
    () => createRegistrationWorld({ registration: { clientMetadata } }),
    TypeError,
    "remember_consent",
  );
});
