/** A world with people and clients of several hosts, and functions for what a person does in a browser. */

import {
  createLocalJWKSet,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from "jose";
import type { ClientMetadata, ServerOptions } from "../../../src/mod.ts";
import {
  basic,
  type Browser,
  createBrowser,
  encodeForm,
  inWorld,
  type Page,
  type Params,
  sampleKey,
  verifier,
  type World,
  type WorldOptions,
} from "../../world.ts";

export const issuer = "https://as.test";

export function clientOf(id: string, more: Partial<ClientMetadata> = {}): ClientMetadata {
  return {
    client_id: id,
    client_secret: `the secret of ${id}`,
    redirect_uris: [`https://${id}.example/cb`],
    post_logout_redirect_uris: [`https://${id}.example/bye`, `https://${id}.example/bye?from=as`],
    ...more,
  };
}

export const people: NonNullable<ServerOptions["people"]> = [
  {
    username: "alice",
    sub: "subject-of-a",
    claims: { name: "Alice Adams", email: "alice@example.com", email_verified: true, locale: "en" },
  },
  { username: "bob", sub: "subject-of-b", claims: { name: "Bob Brown", email: "bob@example.com" } },
  { username: "carol", sub: "subject-of-c", password: "correct horse" },
];

const defaults: ServerOptions = {
  issuer,
  alg: "ES256",
  signingKeys: [sampleKey],
  people,
  clients: [clientOf("app"), clientOf("shop")],
};

export async function inOpenId(
  options: WorldOptions,
  work: (world: World, browser: Browser) => Promise<void>,
): Promise<void> {
  await inWorld(options, (world) => work(world, createBrowser(world)), defaults);
}

/** Runs a test in such a world, with signing keys that the server makes and can rotate. */
export async function inOpenIdWithOwnKeys(
  options: WorldOptions,
  work: (world: World, browser: Browser) => Promise<void>,
): Promise<void> {
  const { signingKeys: _, ...rest } = defaults;
  await inWorld(options, (world) => work(world, createBrowser(world)), rest);
}

export function callbackOf(id: string): string {
  return `https://${id}.example/cb`;
}

/** The URL of a request, by default of the client `app`. */
export function requestUrl(world: World, changed: Params = {}): string {
  const { client_id = "app" } = changed;
  return world.authorizeUrl({
    client_id,
    redirect_uri: callbackOf(String(client_id)),
    scope: "openid",
    nonce: "n-0S6_WzA2Mj",
    ...changed,
  });
}

export type Screen = "sign_in" | "chooser" | "consent" | "sign_out" | "client" | "refused" | "other";

/** The kind of page. `client`: a redirect to the client with a code; `refused`: with an error. */
export function screenOf({ html, leftFor }: Page): Screen {
  if (leftFor !== undefined) return new URL(leftFor).searchParams.has("error") ? "refused" : "client";
  if (html.includes('id="approve"')) return "consent";
  if (html.includes('name="account"')) return "chooser";
  if (html.includes('id="stay"')) return "sign_out";
  return html.includes('name="person"') || html.includes('id="password"') ? "sign_in" : "other";
}

export async function ask(world: World, browser: Browser, changed: Params = {}): Promise<Page> {
  return await browser.open(requestUrl(world, changed));
}

/** Answers every page until the redirect to the client: signs in as this person and approves. */
export async function agree(browser: Browser, page: Page, who: string): Promise<Page> {
  switch (screenOf(page)) {
    case "sign_in":
      return await agree(browser, await browser.submit(page, { person: who }), who);
    case "chooser":
      return await agree(browser, await browser.submit(page, { account: who }), who);
    case "consent":
      return await agree(browser, await browser.submit(page, { decision: "approve" }), who);
    default:
      return page;
  }
}

export function answerOf(page: Page): URLSearchParams {
  if (page.leftFor === undefined) {
    throw new Error(`no redirect but ${page.status}: ${page.html.slice(0, 400)}`);
  }
  return new URL(page.leftFor).searchParams;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
  readonly scope?: string;
}

export function secretOf(id: string): { readonly authorization: string } {
  return basic(id, `the secret of ${id}`);
}

export async function redeemAt(world: World, id: string, code: string): Promise<Response> {
  return await world.post("/oauth2/token", {
    grant_type: "authorization_code",
    code,
    redirect_uri: callbackOf(id),
    code_verifier: verifier,
  }, secretOf(id));
}

export async function tokensOf(world: World, page: Page, id = "app"): Promise<Tokens> {
  const code = answerOf(page).get("code");
  if (code === null) throw new Error(`no code: ${page.leftFor}`);
  const response = await redeemAt(world, id, code);
  if (response.status !== 200) throw new Error(await response.text());
  return await response.json();
}

/** Runs a whole flow for this person, and returns the tokens. */
export async function signIn(
  world: World,
  browser: Browser,
  who: string,
  changed: Params = {},
): Promise<Tokens> {
  const page = await agree(browser, await ask(world, browser, changed), who);
  return await tokensOf(world, page, String(changed["client_id"] ?? "app"));
}

/** Signs in alice and then bob in one browser. */
export async function signInBoth(
  world: World,
  browser: Browser,
): Promise<{ readonly alice: Tokens; readonly bob: Tokens }> {
  const alice = await signIn(world, browser, "alice");
  world.clock.advance(5);
  const bob = await signIn(world, browser, "bob", { login_hint: "bob" });
  world.clock.advance(5);
  return { alice, bob };
}

export async function refresh(world: World, token: string, id = "app"): Promise<Response> {
  return await world.post(
    "/oauth2/token",
    { grant_type: "refresh_token", refresh_token: token },
    secretOf(id),
  );
}

export async function userinfoOf(world: World, token: string): Promise<Response> {
  return await world.get("/userinfo", { authorization: `Bearer ${token}` });
}

export async function introspect(
  world: World,
  token: string,
  id = "app",
): Promise<Readonly<Record<string, unknown>>> {
  return await (await world.post("/oauth2/introspect", { token }, secretOf(id))).json();
}

/** Which tokens of a sign-in are still active. */
export async function livesOf(world: World, tokens: Tokens, id = "app"): Promise<Record<string, boolean>> {
  return {
    userinfo: (await userinfoOf(world, tokens.access_token)).status === 200,
    access: (await introspect(world, tokens.access_token, id))["active"] === true,
    refresh: (await introspect(world, tokens.refresh_token, id))["active"] === true,
  };
}

export const allAlive = { userinfo: true, access: true, refresh: true };
export const allDead = { userinfo: false, access: false, refresh: false };

/** Verifies a JWT as a client does: with the published keys, at the test's time. */
export async function verify(
  world: World,
  jwt: string,
  audience = "app",
): Promise<{ readonly payload: JWTPayload; readonly protectedHeader: ProtectedHeaderParameters }> {
  const keys = await (await world.get("/oauth2/jwks")).json() as JSONWebKeySet;
  return await jwtVerify(jwt, createLocalJWKSet(keys), {
    issuer,
    audience,
    currentDate: new Date(world.clock.now * 1000),
  });
}

export async function claimsOf(world: World, tokens: Tokens, audience = "app"): Promise<JWTPayload> {
  return (await verify(world, tokens.id_token, audience)).payload;
}

/** Sends the browser to the end_session_endpoint as a client does: with a link, or with a form for POST. */
export async function logOut(browser: Browser, params: Params = {}, method = "GET"): Promise<Page> {
  if (method === "GET") return await browser.open(`/connect/logout?${encodeForm(params)}`);
  // The client's form. The browser adds the parameters.
  const html = `<form action="${issuer}/connect/logout"><input name="request" value="">`;
  return await browser.submit(
    { url: issuer, status: 200, headers: new Headers(), html, leftFor: undefined },
    params,
  );
}

export async function isSignedIn(world: World, browser: Browser): Promise<boolean> {
  return !["sign_in", "refused"].includes(screenOf(await ask(world, browser)));
}
