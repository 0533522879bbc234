/** Runs every flow in which a server handles secrets, and lists the secrets that were sent. */

import { assertEquals } from "@std/assert";
import { importSigningKey, signJwt } from "../../src/ground/crypto/jwt.ts";
import { deviceGrantType } from "../server/features/device_login.ts";
import { exchangeGrant, typeOf } from "../server/tokens/exchange_world.ts";
import { forWorkloads, jwtBearer, workloadJwt } from "../server/tokens/jwt_grants.ts";
import {
  basic,
  type Browser,
  callbackParams,
  challengeOf,
  createBrowser,
  type Page,
  type Params,
  redirectUri,
  sampleKey,
  type World,
  type WorldOptions,
} from "../world.ts";

export interface Secret {
  readonly what: string;
  readonly text: string;
}

/** A unique text with a unique beginning. */
const canary = (place: string) => challengeOf(`canary ${place}`);

const secrets = {
  basic: `${canary("basic")} a+b%c:ü`,
  post: canary("post"),
  firstUse: canary("first use"),
  exchanging: canary("exchanging"),
};
const passwords = { right: canary("password"), wrong: canary("wrong password") };
const clientKey = await importSigningKey(sampleKey, "ES256");
const verifierFor = (flow: string) => canary(`verifier ${flow}`);

/** The flows whose verifier is sent. The denied request sends none. */
const flowsRedeemed = ["password", "basic", "post", "first use", "another verifier"];

export const everyFlowOptions: WorldOptions = {
  login: "picker",
  firstUse: true,
  clients: [
    { client_id: "public", redirect_uris: [redirectUri] },
    { client_id: "basic", client_secret: secrets.basic, redirect_uris: [redirectUri] },
    {
      client_id: "post",
      client_secret: secrets.post,
      token_endpoint_auth_method: "client_secret_post",
      redirect_uris: [redirectUri],
    },
    {
      client_id: "key",
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [clientKey.publicJwk as unknown as JsonWebKey] },
      redirect_uris: [redirectUri],
    },
    { client_id: "device", grant_types: [deviceGrantType, "refresh_token"] },
    {
      client_id: "exchanging",
      client_secret: secrets.exchanging,
      grant_types: [exchangeGrant, jwtBearer],
      token_exchange: { from: ["device"], to: ["https://api.example/"] },
    },
  ],
  trust: [forWorkloads],
  people: [{ username: "alice" }, { username: "carol", password: passwords.right }],
};

export async function runEveryFlow(world: World): Promise<readonly Secret[]> {
  const browser = createBrowser(world);

  // A wrong and a right password; a public client; a replayed code.
  let page = await browser.open(authorizeUrl(world, "password", { client_id: "public", nonce: "a-nonce" }));
  page = await browser.submit(page, { username: "carol", password: passwords.wrong });
  assertEquals(page.status, 400);
  page = await browser.submit(page, { username: "carol", password: passwords.right });
  let code = await approve(browser, page);
  for (const status of [200, 400]) {
    assertEquals((await redeem(world, "password", code, { client_id: "public" })).status, status);
  }

  // A wrong and a right secret in the header; every use of the tokens.
  const openid = { client_id: "basic", scope: "openid profile" };
  code = await approve(browser, await browser.open(authorizeUrl(world, "basic", openid)));
  const refused = await redeem(world, "basic", code, {}, basic("basic", canary("wrong secret")));
  assertEquals(refused.status, 401);
  await useTokens(world, await redeem(world, "basic", code, {}, basic("basic", secrets.basic)));

  // A wrong and a right secret in the form; response_mode form_post.
  const byForm = { client_id: "post", response_mode: "form_post", resource: "https://api.example/" };
  page = await browser.submit(await browser.open(authorizeUrl(world, "post", byForm)), {
    decision: "approve",
  });
  code = /name="code" value="([^"]*)"/.exec(page.html)![1]!;
  for (const [secret, status] of [[canary("wrong secret in the form"), 401], [secrets.post, 200]] as const) {
    const credentials = { client_id: "post", client_secret: secret };
    assertEquals((await redeem(world, "post", code, credentials)).status, status);
  }

  // A first-use client with a secret that it chose.
  const uri = "http://127.0.0.1:5000/cb";
  const asked = { client_id: "unheard-of", redirect_uri: uri, response_mode: "fragment" };
  code = await approve(browser, await browser.open(authorizeUrl(world, "first use", asked)));
  const credentials = { client_id: "unheard-of", client_secret: secrets.firstUse, redirect_uri: uri };
  assertEquals((await redeem(world, "first use", code, credentials)).status, 200);

  // A denial in a new browser; a code that a wrong verifier revokes.
  const stranger = createBrowser(world);
  page = await stranger.open(authorizeUrl(world, "denied", { client_id: "public" }));
  page = await stranger.submit(page, { person: "alice" });
  assertEquals((await stranger.submit(page, { decision: "deny" })).status, 303);
  page = await stranger.open(authorizeUrl(world, "wrong verifier", { client_id: "public" }));
  code = await approve(stranger, page);
  assertEquals((await redeem(world, "another verifier", code, { client_id: "public" })).status, 400);

  // A signed assertion and its replay.
  const assertion = await signJwt(clientKey, "client-authentication+jwt", {
    iss: "key",
    sub: "key",
    aud: world.issuer,
    exp: world.clock.now + 60,
    jti: canary("assertion's jti"),
  });
  for (const status of [200, 401]) {
    const response = await world.post("/oauth2/token", {
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    });
    assertEquals(response.status, status);
  }

  const machines = await runWithoutRedirect(world, browser);

  return [
    ...knownSecrets(),
    ...machines,
    { what: "assertion", text: secretPart(assertion) },
    ...readSecrets(world),
  ];
}

/** A device login, an exchange of its token, and a JWT of a trusted issuer, each with a refusal. */
async function runWithoutRedirect(world: World, browser: Browser): Promise<Secret[]> {
  const answer = async (path: string, form: Params, status: number, headers: HeadersInit = {}) => {
    const response = await world.post(path, form, headers);
    assertEquals(response.status, status);
    return await response.json();
  };
  const { device_code, user_code } = await answer(
    "/oauth2/device_authorization",
    { client_id: "device" },
    200,
  );
  const poll = { grant_type: deviceGrantType, client_id: "device", device_code };
  await answer("/oauth2/token", poll, 400);
  const question = await browser.submit(await browser.open("/device"), { user_code });
  await browser.submit(question, { decision: "approve" });
  const { access_token: subject_token } = await answer("/oauth2/token", poll, 200);
  await answer("/oauth2/token", poll, 400);

  const asClient = basic("exchanging", secrets.exchanging);
  const exchange = { grant_type: exchangeGrant, subject_token, subject_token_type: typeOf("access_token") };
  const actor = { actor_token: canary("actor token"), actor_token_type: typeOf("access_token") };
  await answer("/oauth2/token", exchange, 200, asClient);
  await answer("/oauth2/token", { ...exchange, ...actor }, 400, asClient);

  const assertion = await workloadJwt(world, { claims: { jti: canary("workload's jti") } });
  const grant = { grant_type: jwtBearer, assertion, scope: "read" };
  await answer("/oauth2/token", grant, 200, asClient);
  await answer("/oauth2/token", { ...grant, assertion: `${assertion.slice(0, -4)}AAAA` }, 400, asClient);
  return [
    { what: "device code", text: secretPart(device_code) },
    { what: "actor token", text: canary("actor token") },
    { what: "JWT of a workload", text: secretPart(assertion) },
  ];
}

type Tokens = Readonly<Record<"access_token" | "refresh_token" | "id_token", string>>;

/** Userinfo, introspection, refresh, a reused refresh token, revocation, and sign-out with a hint. */
async function useTokens(world: World, response: Response): Promise<void> {
  const asClient = basic("basic", secrets.basic);
  const tokens: Tokens = await response.json();
  const post = async (path: string, form: Params) => await world.post(path, form, asClient);
  const authorization = `Bearer ${tokens.access_token}`;
  assertEquals((await world.get("/userinfo", { authorization })).status, 200);
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    assertEquals((await (await post("/oauth2/introspect", { token })).json()).active, true);
  }
  const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  const next: Tokens = await (await post("/oauth2/token", refresh)).json();
  assertEquals((await post("/oauth2/token", refresh)).status, 400);
  for (const token of [next.refresh_token, next.access_token]) {
    assertEquals((await post("/oauth2/revoke", { token })).status, 200);
  }
  // In a browser without a session.
  assertEquals((await world.get(`/connect/logout?id_token_hint=${tokens.id_token}`)).status, 200);
}

function authorizeUrl(world: World, flow: string, changed: Params): string {
  return world.authorizeUrl({
    code_challenge: challengeOf(verifierFor(flow)),
    state: canary(`state ${flow}`),
    ...changed,
  });
}

async function approve(browser: Browser, page: Page): Promise<string> {
  const { status, leftFor } = await browser.submit(page, { decision: "approve" });
  const headers = { location: leftFor ?? "" };
  return callbackParams(new Response(null, { status, headers })).get("code")!;
}

async function redeem(
  world: World,
  flow: string,
  code: string,
  changed: Params,
  headers: HeadersInit = {},
): Promise<Response> {
  const code_verifier = verifierFor(flow);
  return await world.redeem(code, { client_id: undefined, code_verifier, ...changed }, headers);
}

function knownSecrets(): Secret[] {
  return [
    ...flowsRedeemed.map((flow) => ({ what: `verifier of ${flow}`, text: verifierFor(flow) })),
    { what: "secret of the client basic", text: secrets.basic },
    { what: "secret of the client post", text: secrets.post },
    { what: "secret of the first-use client", text: secrets.firstUse },
    { what: "Basic credentials that are wrong", text: basicText(canary("wrong secret")) },
    { what: "wrong secret in the form", text: canary("wrong secret in the form") },
    { what: "Basic credentials of the exchanging client", text: basicText(secrets.exchanging, "exchanging") },
    { what: "password", text: passwords.right },
    { what: "wrong password", text: passwords.wrong },
    { what: "Basic credentials", text: basicText(secrets.basic) },
  ];
}

function basicText(secret: string, id = "basic"): string {
  return basic(id, secret).authorization.slice("Basic ".length);
}

/** Secrets that the server made, read from the raw journal. */
function readSecrets(world: World): Secret[] {
  const found = new Map<string, string>();
  const keep = (what: string, text: string | null | undefined) => void (text && found.set(text, what));
  for (const { request, response } of world.journal) {
    for (const [name, value] of response.headers) {
      if (name === "set-cookie") keep("cookie", secretPart(/=([^;]*)/.exec(value)![1]!));
      if (name === "location") {
        const params = new URLSearchParams(value.slice(value.search(/[?#]/) + 1));
        keep("code", secretPart(params.get("code") ?? ""));
        keep("state", params.get("state"));
      }
    }
    for (const [, encrypted] of response.body?.matchAll(/name="request" value="([^"]*)"/g) ?? []) {
      keep("encrypted form", encrypted);
    }
    for (const [, code] of response.body?.matchAll(/name="code" value="([^"]*)"/g) ?? []) {
      keep("code", secretPart(code!));
    }
    const token = /"access_token":"([^"]*)"/.exec(response.body ?? "")?.[1];
    if (token !== undefined) keep("access token", secretPart(token));
    const idToken = /"id_token":"([^"]*)"/.exec(response.body ?? "")?.[1];
    if (idToken !== undefined) keep("ID token", secretPart(idToken));
    const refreshToken = /"refresh_token":"([^"]*)"/.exec(response.body ?? "")?.[1] ?? "";
    const [, , family, proof] = refreshToken.split(".");
    keep("refresh token's family", family);
    keep("refresh token's proof", proof);
    keep("encrypted form", new URLSearchParams(request.body).get("request"));
  }
  return [...found].map(([text, what]) => ({ what, text }));
}

/** The secret of a credential `id.secret`, or the signature of a JWT. */
function secretPart(credential: string): string {
  return credential.split(".").at(-1)!;
}
