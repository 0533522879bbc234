/**
 * The OpenID conformance suite's plan `oidcc-dynamic-certification-test-plan`, module by module: what the server answers
 * to requests like the suite's, for clients that register themselves.
 */

import { assert, assertEquals, assertFalse, assertMatch, assertNotEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { type Configuration, createServer, type JournalEntry } from "../../src/mod.ts";
import { createVisitor, type Visit, type Visitor } from "../portable/clients/visitor.ts";
import { type Json, register, type Registration } from "../features/registration.ts";
import { attribute, byId, findAll, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { inWorld, type Params, type World } from "../world.ts";

const file = "tests/conformance/postern.json";
const { $schema: _, ...configuration } = JSON.parse(await readFile(file, "utf8")) as
  & Configuration
  & { readonly $schema: string };
const { registration } = configuration;
const [token] = typeof registration === "object" ? registration.initialAccessTokens ?? [] : [];
const carol = configuration.people![0]!;

const suiteUrl = "https://localhost.emobix.co.uk:8443/test/a/postern";
const callback = `${suiteUrl}/callback`;
const reason = (journal: readonly JournalEntry[]) => journal.at(-1)?.facts.refusal?.reason;

/** What the suite says of a module. A person has to compare a screenshot with the suite's text. */
type Verdict = "passes" | "needs a screenshot" | "is skipped" | "fails";

interface Module {
  readonly name: string;
  readonly verdict: Verdict;
  /** Why the verdict is not `passes`, or what the person sees. */
  readonly why?: string;
  readonly walk: (suite: Suite) => Promise<void>;
}

/** The modules in the order of the plan. */
const modules: readonly Module[] = [
  { name: "oidcc-idtoken-rs256", verdict: "passes", walk: walkSignedIdToken },
  {
    name: "oidcc-idtoken-unsigned",
    verdict: "is skipped",
    why: "the server signs every ID token",
    walk: walkUnsignedIdToken,
  },
  { name: "oidcc-userinfo-rs256", verdict: "passes", walk: walkSignedUserinfo },
  {
    name: "oidcc-ensure-redirect-uri-in-authorization-request",
    verdict: "needs a screenshot",
    walk: (suite) => walkWrongRedirectUri(suite, undefined, "redirect_uri_required_by_openid"),
  },
  { name: "oidcc-redirect-uri-query-OK", verdict: "passes", walk: walkRedirectUriWithQuery },
  {
    name: "oidcc-redirect-uri-query-mismatch",
    verdict: "needs a screenshot",
    walk: (suite) =>
      walkWrongRedirectUri(suite, `${callback}?dummy1=lorem&dummy2=other`, "redirect_uri_unregistered", {
        redirect_uris: [`${callback}?dummy1=lorem&dummy2=ipsum`],
      }),
  },
  {
    name: "oidcc-redirect-uri-query-added",
    verdict: "needs a screenshot",
    walk: (suite) => walkWrongRedirectUri(suite, `${callback}?dummy1=lorem`, "redirect_uri_unregistered"),
  },
  { name: "oidcc-redirect-uri-regfrag", verdict: "passes", walk: walkFragment },
  {
    name: "oidcc-discovery-endpoint-verification",
    verdict: "fails",
    why: "the plan requires the implicit grant, which OAuth 2.1 removed",
    walk: walkDiscovery,
  },
  { name: "oidcc-server", verdict: "passes", walk: walkFlow },
  {
    name: "oidcc-registration-logo-uri",
    verdict: "fails",
    why: "no page loads an image of a host that the client names",
    walk: walkLogo,
  },
  {
    name: "oidcc-registration-policy-uri",
    verdict: "needs a screenshot",
    why: "the link is on the consent page",
    walk: (suite) => walkLink(suite, "policy_uri", "client-policy"),
  },
  {
    name: "oidcc-registration-tos-uri",
    verdict: "needs a screenshot",
    why: "the link is on the consent page",
    walk: (suite) => walkLink(suite, "tos_uri", "client-terms"),
  },
  { name: "oidcc-registration-jwks-uri", verdict: "passes", walk: walkJwksUri },
  { name: "oidcc-registration-sector-uri", verdict: "passes", walk: walkSector },
  { name: "oidcc-registration-sector-bad", verdict: "passes", walk: walkWrongSector },
  { name: "oidcc-server-rotate-keys", verdict: "passes", walk: walkServerKeyRotation },
  { name: "oidcc-refresh-token-rp-key-rotation", verdict: "passes", walk: walkClientKeyRotation },
  {
    name: "oidcc-request-uri-unsigned",
    verdict: "fails",
    why: "the server fetches no request, a client pushes it",
    walk: walkRequestUri,
  },
  {
    name: "oidcc-request-uri-signed-rs256",
    verdict: "fails",
    why: "the server fetches no request, a client pushes it",
    walk: walkSignedRequestUri,
  },
  {
    name: "oidcc-ensure-request-object-with-redirect-uri",
    verdict: "is skipped",
    why: "request objects must be signed",
    walk: walkRequestObject,
  },
  { name: "oidcc-refresh-token", verdict: "passes", walk: walkRefresh },
  {
    name: "oidcc-ensure-client-assertion-with-iss-aud-succeeds",
    verdict: "passes",
    walk: walkIssuerAudience,
  },
];

for (const { name, verdict, why, walk } of modules) {
  const title = `conformance, dynamic: ${name} ${verdict}${why === undefined ? "" : `: ${why}`}`;
  test(title, () => inSuite(walk));
}

test("conformance, basic with dynamic registration: oidcc-ensure-request-without-nonce-succeeds-for-code-flow passes", () =>
  inSuite(async (suite) => {
    const client = await registered(suite);
    const { id_token } = await logIn(suite, client, { nonce: undefined });
    assertFalse("nonce" in await verify(suite, id_token, client));
  }));

/** One module of the suite: a new server, a new browser, and the documents that the suite hosts. */
interface Suite {
  readonly world: World;
  readonly visitor: Visitor;
  /** By path below the address of the suite. */
  readonly hosted: Map<string, unknown>;
}

async function inSuite(work: (suite: Suite) => Promise<void>): Promise<void> {
  const hosted = new Map<string, unknown>();
  const answer = (input: RequestInfo | URL) => {
    const document = hosted.get(String(input instanceof Request ? input.url : input).slice(suiteUrl.length));
    return Promise.resolve(
      document === undefined ? new Response(null, { status: 404 }) : Response.json(document),
    );
  };
  const { privateJwk } = await serverKey();
  await inWorld({ ...configuration, signingKeys: [privateJwk], fetch: answer }, async (world) => {
    const { origin } = new URL(world.issuer);
    const visitor = createVisitor({ send: world.fetch, serves: (url) => url.origin === origin });
    await work({ world, visitor, hosted });
  }, {});
}

interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly publicJwk: Json;
  readonly privateJwk: JsonWebKey;
  readonly kid?: string;
}

/** Makes an RSA key at the first call. Making one is slow, so all tests share it. */
function keepKey(kid?: string): () => Promise<KeyPair> {
  let made: Promise<KeyPair> | undefined;
  return () => made ??= makeKey(kid);
}

async function makeKey(kid: string | undefined): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const named = kid === undefined ? {} : { kid };
  const publicJwk = { ...await exportJWK(publicKey), use: "sig", alg: "RS256", ...named };
  return { privateKey, publicJwk, privateJwk: await exportJWK(privateKey) as JsonWebKey, ...named };
}

const serverKey = keepKey();
// The suite's key in `jwks` has no kid. Its keys at jwks_uri have one.
const clientKey = keepKey();
const firstKey = keepKey("first");
const secondKey = keepKey("second");

/** Registers a client like the suite's. */
async function registerClient({ world }: Suite, changed: Json = {}) {
  const metadata = {
    client_name: "oidcc-dynamic postern",
    grant_types: ["authorization_code"],
    jwks: { keys: [(await clientKey()).publicJwk] },
    token_endpoint_auth_method: "private_key_jwt",
    response_types: ["code"],
    redirect_uris: [callback],
    contacts: ["certification@oidf.org"],
    ...changed,
  };
  return await register(world, metadata, { token: token! });
}

async function registered(suite: Suite, changed: Json = {}): Promise<Registration> {
  const { status, body } = await registerClient(suite, changed);
  assertEquals(status, 201, JSON.stringify(body));
  assertFalse("client_secret" in body);
  return body as unknown as Registration;
}

/** Sends the suite's authorization request, without PKCE, and signs in. */
async function signIn({ world, visitor }: Suite, { client_id }: Json, changed: Params = {}): Promise<Visit> {
  const visit = await visitor.open(world.authorizeUrl({
    client_id: `${client_id}`,
    redirect_uri: callback,
    scope: "openid",
    nonce: "n-0S6_WzA2Mj",
    code_challenge: undefined,
    code_challenge_method: undefined,
    ...changed,
  }));
  if (!visit.html.includes('id="sign-in"')) return visit;
  const { username, password } = carol;
  return await visitor.press(visit, "sign-in", { username, password: password! });
}

async function authorize(suite: Suite, client: Json, changed?: Params): Promise<URL> {
  let visit = await signIn(suite, client, changed);
  if (visit.html.includes('id="approve"')) visit = await suite.visitor.press(visit, "approve");
  assert(visit.leftFor !== undefined, visit.html);
  return visit.leftFor;
}

interface Proof {
  readonly key?: () => Promise<KeyPair>;
  readonly audience?: string;
}

/** Sends a token request with the suite's client assertion. Its audience is the token endpoint. */
async function ask(
  { world }: Suite,
  { client_id }: Json,
  form: Params,
  { key = clientKey, audience = `${world.issuer}/oauth2/token` }: Proof = {},
): Promise<Response> {
  const { privateKey, kid } = await key();
  const { now } = world.clock;
  const assertion = await new SignJWT({ iss: `${client_id}`, sub: `${client_id}`, aud: audience })
    .setProtectedHeader({ alg: "RS256", ...(kid === undefined ? {} : { kid }) })
    .setJti(crypto.randomUUID()).setIssuedAt(now).setExpirationTime(now + 60)
    .sign(privateKey);
  return await world.post("/oauth2/token", {
    ...form,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  });
}

interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token?: string;
}

/** The whole flow. It must succeed. */
async function logIn(suite: Suite, client: Json, changed: Params = {}, proof: Proof = {}): Promise<Tokens> {
  const { searchParams } = await authorize(suite, client, changed);
  assertEquals(searchParams.get("error"), null, searchParams.get("error_description") ?? "");
  assertEquals([searchParams.get("state"), searchParams.get("iss")], ["af0ifjsldkj", suite.world.issuer]);
  const form = {
    grant_type: "authorization_code",
    code: searchParams.get("code")!,
    redirect_uri: changed["redirect_uri"] ?? callback,
  };
  return await readTokens(await ask(suite, client, form, proof));
}

async function readTokens(response: Response): Promise<Tokens> {
  const body = await response.json();
  assertEquals(response.status, 200, JSON.stringify(body));
  return body;
}

/** Verifies a JWT of the server with RS256 and its published keys. */
async function verify({ world }: Suite, jwt: string, { client_id }: Json): Promise<JWTPayload> {
  const keys = createLocalJWKSet(await (await world.get("/oauth2/jwks")).json());
  const { payload } = await jwtVerify(jwt, keys, {
    issuer: world.issuer,
    audience: `${client_id}`,
    algorithms: ["RS256"],
    currentDate: new Date(world.clock.now * 1000),
  });
  return payload;
}

async function metadataOf(
  { world }: Suite,
): Promise<Readonly<Record<string, string | readonly string[]>>> {
  return await (await world.get("/.well-known/openid-configuration")).json();
}

async function userinfo({ world }: Suite, { access_token }: Tokens): Promise<Response> {
  return await world.get("/userinfo", { authorization: `Bearer ${access_token}` });
}

async function walkFlow(suite: Suite): Promise<void> {
  const client = await registered(suite);
  const tokens = await logIn(suite, client);
  const claims = await verify(suite, tokens.id_token, client);
  assertEquals([claims.sub, claims["nonce"]], [carol.sub!, "n-0S6_WzA2Mj"]);
  assertEquals(await (await userinfo(suite, tokens)).json(), { sub: carol.sub });
}

async function walkSignedIdToken(suite: Suite): Promise<void> {
  const client = await registered(suite, { id_token_signed_response_alg: "RS256" });
  assertEquals(client["id_token_signed_response_alg"], "RS256");
  const { id_token } = await logIn(suite, client);
  const { alg, kid } = decodeProtectedHeader(id_token);
  assertEquals([alg, typeof kid], ["RS256", "string"]);
  await verify(suite, id_token, client);
}

/** The suite reads the metadata, and skips the module. The server refuses such a client. */
async function walkUnsignedIdToken(suite: Suite): Promise<void> {
  const { id_token_signing_alg_values_supported: algorithms } = await metadataOf(suite);
  assertFalse(algorithms!.includes("none"));
  const { status, body } = await registerClient(suite, { id_token_signed_response_alg: "none" });
  assertEquals([status, body["error"]], [400, "invalid_client_metadata"]);
}

async function walkSignedUserinfo(suite: Suite): Promise<void> {
  const { userinfo_signing_alg_values_supported: algorithms } = await metadataOf(suite);
  assert(algorithms!.includes("RS256"));
  const client = await registered(suite, { userinfo_signed_response_alg: "RS256" });
  const response = await userinfo(suite, await logIn(suite, client));
  assertMatch(response.headers.get("content-type")!, /^application\/jwt\b/);
  const claims = await verify(suite, await response.text(), client);
  assertEquals([claims.sub, claims["nonce"]], [carol.sub!, undefined]);
}

/** The refusal is a page, and the browser stays there. */
async function walkWrongRedirectUri(
  suite: Suite,
  redirectUri: string | undefined,
  expected: string,
  metadata: Json = {},
): Promise<void> {
  const client = await registered(suite, metadata);
  const visit = await signIn(suite, client, { redirect_uri: redirectUri });
  assertEquals([visit.status, visit.leftFor], [400, undefined]);
  assertEquals(reason(suite.world.journal), expected);
  assertMatch(visit.html, /redirect_uri|redirect URI/);
}

async function walkRedirectUriWithQuery(suite: Suite): Promise<void> {
  const redirectUri = `${callback}?dummy1=lorem&dummy2=ipsum`;
  const client = await registered(suite, { redirect_uris: [redirectUri] });
  const { searchParams } = await authorize(suite, client, { redirect_uri: redirectUri });
  assertEquals([searchParams.get("dummy1"), searchParams.get("dummy2")], ["lorem", "ipsum"]);
  await logIn(suite, client, { redirect_uri: redirectUri });
}

async function walkFragment(suite: Suite): Promise<void> {
  const { status, body } = await registerClient(suite, { redirect_uris: [`${callback}#foobar`] });
  assertEquals([status, body["error"]], [400, "invalid_redirect_uri"]);
}

/** The checks of the module. The first two are those that fail. */
async function walkDiscovery(suite: Suite): Promise<void> {
  const { world } = suite;
  const metadata = await metadataOf(suite);
  assertEquals(metadata["response_types_supported"], ["code"]);
  assertFalse(metadata["grant_types_supported"]!.includes("implicit"));

  assertEquals(metadata["issuer"], world.issuer);
  const atLeast: Readonly<Record<string, readonly string[]>> = {
    subject_types_supported: ["public", "pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
    userinfo_signing_alg_values_supported: ["RS256"],
    request_object_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid", "offline_access"],
    claims_supported: ["sub"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
  };
  for (const [name, values] of Object.entries(atLeast)) {
    for (const value of values) assert(metadata[name]!.includes(value), `${name}: ${value}`);
  }
  const endpoints = Object.keys(metadata).filter((name) => name.endsWith("_endpoint") || name === "jwks_uri");
  for (
    const name of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "registration_endpoint"]
  ) {
    assert(endpoints.includes(name), name);
  }
  for (const name of endpoints) assertMatch(`${metadata[name]}`, /^https:\/\/localhost:9443\//, name);
  for (const { d, p, k } of await keySetOf(world.get)) {
    assertEquals([d, p, k], [undefined, undefined, undefined]);
  }
}

/** The server keeps the address of the logo, and shows it to nobody. */
async function walkLogo(suite: Suite): Promise<void> {
  const logo = `${suiteUrl}/images/logo.png`;
  const client = await registered(suite, { logo_uri: logo });
  assertEquals(client["logo_uri"], logo);
  const { html } = await signIn(suite, client);
  const images = findAll(readHtml(html), "img").map((image) => attribute(image, "src") ?? "");
  assertEquals(images.filter((src) => !src.startsWith("/static/")), []);
}

async function walkLink(suite: Suite, name: string, id: string): Promise<void> {
  const url = `${suiteUrl}/${name}`;
  const { html } = await signIn(suite, await registered(suite, { [name]: url }));
  assertEquals(attribute(byId(readHtml(html), id), "href"), url);
}

async function registerWithJwksUri(suite: Suite, changed: Json = {}): Promise<Registration> {
  suite.hosted.set("/jwks", { keys: [(await firstKey()).publicJwk] });
  return await registered(suite, { jwks: undefined, jwks_uri: `${suiteUrl}/jwks`, ...changed });
}

async function walkJwksUri(suite: Suite): Promise<void> {
  const client = await registerWithJwksUri(suite);
  await verify(suite, (await logIn(suite, client, {}, { key: firstKey })).id_token, client);
}

/** Registers a client with pairwise subjects. The array at its sector_identifier_uri has `listed`. */
async function registerWithSector(suite: Suite, listed: string) {
  suite.hosted.set("/redirect_uris.json", [listed]);
  const sector_identifier_uri = `${suiteUrl}/redirect_uris.json`;
  return await registerClient(suite, { subject_type: "pairwise", sector_identifier_uri });
}

async function walkSector(suite: Suite): Promise<void> {
  assert((await metadataOf(suite))["subject_types_supported"]!.includes("pairwise"));
  const { status, body } = await registerWithSector(suite, callback);
  assertEquals([status, body["subject_type"]], [201, "pairwise"]);
  const { id_token } = await logIn(suite, body);
  assertNotEquals((await verify(suite, id_token, body)).sub, carol.sub);
}

async function walkWrongSector(suite: Suite): Promise<void> {
  const { status, headers, body } = await registerWithSector(suite, "https://elsewhere.example/callback");
  assertEquals([status, body["error"]], [400, "invalid_client_metadata"]);
  assertEquals(headers.get("content-type"), "application/json");
}

type Get = (path: string) => Promise<Response>;

async function keySetOf(get: Get): Promise<readonly (JsonWebKey & { readonly kid?: string })[]> {
  return (await (await get("/oauth2/jwks")).json()).keys;
}

/** The server makes its own keys, and its operator rotates them. */
async function walkServerKeyRotation(): Promise<void> {
  const server = createServer(configuration);
  try {
    const get = (path: string) => server.fetch(new Request(server.issuer + path));
    const before = (await keySetOf(get)).map(({ kid }) => kid);
    await server.rotateKeys();
    const after = (await keySetOf(get)).map(({ kid }) => kid);
    assertEquals(after.filter((kid) => before.includes(kid)), before);
    assert(after.length > before.length);
    assertEquals(new Set(after).size, after.length);
  } finally {
    await server.close();
  }
}

async function walkClientKeyRotation(suite: Suite): Promise<void> {
  const client = await registerWithJwksUri(suite, { grant_types: ["authorization_code", "refresh_token"] });
  const offline = { scope: "openid offline_access", prompt: "consent" };
  const { refresh_token } = await logIn(suite, client, offline, { key: firstKey });
  suite.hosted.set("/jwks", { keys: [(await secondKey()).publicJwk] });
  suite.world.clock.advance(60);
  const form = { grant_type: "refresh_token", refresh_token };
  const tokens = await readTokens(await ask(suite, client, form, { key: secondKey }));
  await verify(suite, tokens.id_token, client);
  assertEquals((await userinfo(suite, tokens)).status, 200);
}

async function walkRefresh(suite: Suite): Promise<void> {
  const metadata = { grant_types: ["authorization_code", "refresh_token"] };
  const [first, second] = [await registered(suite, metadata), await registered(suite, metadata)];
  for (const client of [first, second]) {
    const before = await logIn(suite, client, { scope: "openid offline_access", prompt: "consent" });
    const form = { grant_type: "refresh_token", refresh_token: before.refresh_token };
    const foreign = await ask(suite, client === first ? second : first, form);
    assertEquals([foreign.status, (await foreign.json()).error], [400, "invalid_grant"]);
    suite.world.clock.advance(1);
    const after = await readTokens(await ask(suite, client, form));
    assertNotEquals(after.access_token, before.access_token);
    const [old, next] = [
      await verify(suite, before.id_token, client),
      await verify(suite, after.id_token, client),
    ];
    assertEquals([next.sub, next["auth_time"]], [old.sub, old["auth_time"]]);
    assertEquals((await userinfo(suite, after)).status, 200);
  }
}

async function walkIssuerAudience(suite: Suite): Promise<void> {
  const client = await registered(suite);
  await logIn(suite, client, {}, { audience: suite.world.issuer });
}

/**
 * Sends a request_uri. The server refuses to fetch it (OpenID Connect Core §3.1.2.6). The client receives the refusal,
 * because it has registered with an initial access token.
 */
async function walkRequestUri(suite: Suite): Promise<void> {
  assertEquals(String((await metadataOf(suite))["request_uri_parameter_supported"]), "false");
  const requestUri = `${suiteUrl}/requesturi/object`;
  const client = await registered(suite, { request_uris: [requestUri] });
  const { leftFor } = await signIn(suite, client, { request_uri: requestUri });
  assertEquals(leftFor?.searchParams.get("error"), "request_uri_not_supported");
}

/** The same object by value works. Only its parameters count. */
async function walkSignedRequestUri(suite: Suite): Promise<void> {
  await walkRequestUri(suite);
  const client = await registered(suite, { request_object_signing_alg: "RS256" });
  const { world } = suite;
  const object = await new SignJWT({
    ...{ response_type: "code", client_id: client.client_id, redirect_uri: callback },
    ...{ scope: "openid", state: "of the object", nonce: "n" },
  }).setProtectedHeader({ alg: "RS256" }).setIssuer(client.client_id).setAudience(world.issuer)
    .setIssuedAt(world.clock.now).setExpirationTime(world.clock.now + 60)
    .sign((await clientKey()).privateKey);
  const { searchParams } = await authorize(suite, client, {
    request: object,
    redirect_uri: `${callback}?another`,
  });
  assertEquals([searchParams.get("error"), searchParams.get("state")], [null, "of the object"]);
}

/** The suite reads the metadata, and skips the module. The server refuses an object without a signature. */
async function walkRequestObject(suite: Suite): Promise<void> {
  const { request_object_signing_alg_values_supported: algorithms } = await metadataOf(suite);
  assertFalse(algorithms!.includes("none"));
  const client = await registered(suite);
  const encode = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, "");
  const claims = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: callback,
    scope: "openid",
  };
  const request = `${encode({ alg: "none" })}.${encode(claims)}.`;
  const visit = await signIn(suite, client, { request, redirect_uri: `${callback}?another` });
  assertEquals([visit.status, visit.leftFor], [400, undefined]);
  assertEquals(textOf(byId(readHtml(visit.html), "error")), "invalid_request_object");
  assertEquals(reason(suite.world.journal), "request_object_unsigned");
}
