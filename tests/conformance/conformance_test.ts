/**
 * The configuration for the OpenID conformance suite, with requests like the suite's. `README.md` names the tests of
 * what the plans check beside it.
 */

import { assert, assertEquals, assertFalse } from "@std/assert";
import { readFile } from "node:fs/promises";
import { createLocalJWKSet, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { ClientMetadata, Configuration } from "../../src/mod.ts";
import { type Json, register, type Registration } from "../server/features/registration.ts";
import { createVisitor, type Visit, type Visitor } from "../portable/server/clients/visitor.ts";
import { testIn } from "../test_in.ts";
import { readTokens, type Tokens, userinfo } from "../server/tokens/bearer.ts";
import { show } from "../server/tokens/assertions.ts";
import { basic, createWorld, encodeForm, type Params, sampleRsaKey, type World } from "../world.ts";

const file = "tests/conformance/postern.json";
const { $schema: _, ...configuration } = JSON.parse(await readFile(file, "utf8")) as
  & Configuration
  & { readonly $schema: string };
const [first, second, inBody, ...backChannel] = configuration.clients!;
const carol = configuration.people![0]!;
const { registration } = configuration;
const [initialToken] = typeof registration === "object" ? registration.initialAccessTokens ?? [] : [];
const suiteUrl = "https://localhost.emobix.co.uk:8443/test/a/postern";
const callback = `${suiteUrl}/callback`;
const goodbyeUri = `${suiteUrl}/post_logout_redirect`;

/** One module of the suite: a new server and a new browser. */
interface Suite {
  readonly world: World;
  readonly visitor: Visitor;
  readonly logoutTokens: string[];
}

async function inSuite(work: (suite: Suite) => Promise<void>): Promise<void> {
  const logoutTokens: string[] = [];
  const answer = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    logoutTokens.push(new URLSearchParams(await request.text()).get("logout_token")!);
    return new Response();
  };
  await using world = createWorld({ ...configuration, signingKeys: [sampleRsaKey], fetch: answer }, {});
  const { origin } = new URL(world.issuer);
  const visitor = createVisitor({ send: world.fetch, serves: (url) => url.origin === origin });
  await work({ world, visitor, logoutTokens });
}

/** Sends the suite's request, which has no PKCE. Signs in and approves where the pages ask. */
async function authorize({ world, visitor }: Suite, changed: Params = {}): Promise<Visit> {
  let visit = await visitor.open(world.authorizeUrl({
    client_id: first!.client_id,
    redirect_uri: callback,
    scope: "openid",
    nonce: "n-0S6_WzA2Mj",
    code_challenge: undefined,
    code_challenge_method: undefined,
    ...changed,
  }));
  if (visit.html.includes('id="sign-in"')) {
    const { username, password } = carol;
    visit = await visitor.press(visit, "sign-in", { username, password: password! });
  }
  return visit.html.includes('id="approve"') ? await visitor.press(visit, "approve") : visit;
}

function credentialsOf(client: ClientMetadata): readonly [form: Params, headers?: HeadersInit] {
  const { client_id, client_secret, token_endpoint_auth_method: method } = client;
  return method === "client_secret_post"
    ? [{ client_id, client_secret }]
    : [{}, basic(client_id, client_secret!)];
}

/** The whole flow of a client, which must succeed. */
async function logIn(
  suite: Suite,
  changed: Params = {},
  [form, headers]: ReturnType<typeof credentialsOf> = credentialsOf(first!),
): Promise<Tokens> {
  const { leftFor } = await authorize(suite, changed);
  const code = leftFor?.searchParams.get("code");
  assert(typeof code === "string", `${leftFor}`);
  const asked = { grant_type: "authorization_code", code, redirect_uri: callback, ...form };
  return await readTokens(await suite.world.post("/oauth2/token", asked, headers));
}

/** Verifies a JWT of the server with RS256 and its published keys. */
async function verify({ world }: Suite, jwt: string, audience: string): Promise<JWTPayload> {
  const keys = createLocalJWKSet(await (await world.get("/oauth2/jwks")).json());
  const { payload } = await jwtVerify(jwt, keys, {
    issuer: world.issuer,
    audience,
    algorithms: ["RS256"],
    currentDate: new Date(world.clock.now * 1000),
  });
  return payload;
}

const it = testIn(inSuite);

it("conformance: each client logs in, and carol has every standard claim (oidcc-server, -userinfo-get, -server-client-secret-post, -scope-all)", async (suite) => {
  for (const client of [first!, second!, inBody!]) {
    const { client_id } = client;
    const { access_token, id_token } = await logIn(suite, { client_id }, credentialsOf(client));
    const claims = await verify(suite, id_token, client_id);
    assertEquals([claims.sub, claims["nonce"]], [carol.sub!, "n-0S6_WzA2Mj"]);
    assertEquals(await (await userinfo(suite.world, access_token)).json(), { sub: carol.sub });
  }
  const { access_token } = await logIn(suite, { scope: "openid profile email address phone" });
  const claims = await (await userinfo(suite.world, access_token)).json();
  assertEquals(claims, { sub: carol.sub, ...carol.claims });
  const metadata = await (await suite.world.get("/.well-known/openid-configuration")).json();
  assertEquals(Object.keys(claims).sort(), [...metadata.claims_supported].sort());
});

const leave = ({ world, visitor }: Suite, params: Params) =>
  visitor.open(`${world.issuer}/connect/logout?${encodeForm(params)}`);

async function isSignedOut(suite: Suite): Promise<boolean> {
  const { leftFor } = await authorize(suite, { prompt: "none" });
  return leftFor?.searchParams.get("error") === "login_required";
}

it("conformance: rp-initiated logout: with a hint the browser returns, and without one the person is asked (§2)", async (suite) => {
  const { id_token } = await logIn(suite);
  const params = { id_token_hint: id_token, post_logout_redirect_uri: goodbyeUri, state: "over" };
  assertEquals((await leave(suite, params)).leftFor?.href, `${goodbyeUri}?state=over`);
  assert(await isSignedOut(suite));

  await logIn(suite);
  const done = await suite.visitor.press(await leave(suite, {}), "sign-out");
  assertEquals([done.status, done.html.includes('id="outcome"')], [200, true]);
  assert(await isSignedOut(suite));
  // The suite does not listen for logout tokens in this plan.
  assertEquals(suite.logoutTokens, []);
});

it("conformance: back-channel logout: each of two clients gets a logout token (§2.4, §2.5)", async (suite) => {
  assertEquals(backChannel.length, 2);
  for (const client of backChannel) {
    const { client_id } = client;
    const { id_token } = await logIn(suite, { client_id }, credentialsOf(client));
    await leave(suite, { id_token_hint: id_token });
    const [logoutToken, ...others] = suite.logoutTokens.splice(0);
    const { sid } = await verify(suite, logoutToken!, client_id);
    assertEquals([sid, others], [(await verify(suite, id_token, client_id))["sid"], []]);
  }
});

/** The key of the suite's clients that register themselves. */
const { kty, n, e } = sampleRsaKey;
const clientKey = { kty, n, e, use: "sig", alg: "RS256" };

/** Registers a client like the suite's. */
async function registered({ world }: Suite, changed: Json = {}): Promise<Registration> {
  const metadata = {
    client_name: "oidcc-dynamic postern",
    grant_types: ["authorization_code", "refresh_token"],
    jwks: { keys: [clientKey] },
    token_endpoint_auth_method: "private_key_jwt",
    response_types: ["code"],
    redirect_uris: [callback],
    contacts: ["certification@oidf.org"],
    ...changed,
  };
  const { status, body } = await register(world, metadata, { token: initialToken! });
  assertEquals(status, 201, JSON.stringify(body));
  assertFalse("client_secret" in body);
  return body as unknown as Registration;
}

/** The suite's client assertion. Its audience is the token endpoint. */
async function assertionOf({ world }: Suite, { client_id }: Registration): Promise<Params> {
  const { now } = world.clock;
  return show(
    await new SignJWT({ iss: client_id, sub: client_id, aud: `${world.issuer}/oauth2/token` })
      .setProtectedHeader({ alg: "RS256" })
      .setJti(crypto.randomUUID()).setIssuedAt(now).setExpirationTime(now + 60)
      .sign(await importJWK(sampleRsaKey as JWK, "RS256")),
  );
}

it("conformance, dynamic: a registered client logs in, and gets signed userinfo (oidcc-server, -userinfo-rs256)", async (suite) => {
  const client = await registered(suite, { userinfo_signed_response_alg: "RS256" });
  const { client_id } = client;
  // `clientMetadata` in the configuration lets it send neither PKCE nor a nonce.
  const request = { client_id, nonce: undefined };
  const tokens = await logIn(suite, request, [await assertionOf(suite, client)]);
  assertFalse("nonce" in await verify(suite, tokens.id_token, client_id));
  const signed = await (await userinfo(suite.world, tokens.access_token)).text();
  assertEquals((await verify(suite, signed, client_id)).sub, carol.sub);
});
