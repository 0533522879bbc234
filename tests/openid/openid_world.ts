/** A world with people, several clients that each live at their own host, and the steps that people take. */

import {
  createLocalJWKSet,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from "jose";
import type { ClientMetadata, ServerOptions } from "../../src/mod.ts";
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
} from "../world.ts";

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

/** The same with keys that the server makes itself and may replace. */
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

/** A request of the client `app`, unless another one is named. */
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

/** What a person looks at; `client` with what it asked for, `refused` with an error. */
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

/** Answers every page as this person would who agrees to everything. */
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
  if (page.leftFor === undefined) throw new Error(`no answer but ${page.status}: ${page.html.slice(0, 400)}`);
  return new URL(page.leftFor).searchParams;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
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

/** From the request to the tokens. */
export async function signIn(
  world: World,
  browser: Browser,
  who: string,
  changed: Params = {},
): Promise<Tokens> {
  const page = await agree(browser, await ask(world, browser, changed), who);
  return await tokensOf(world, page, String(changed["client_id"] ?? "app"));
}

/** Two people at one browser, one after the other. */
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

/** What still works of what a sign-in gave. */
export async function livesOf(world: World, tokens: Tokens, id = "app"): Promise<Record<string, boolean>> {
  return {
    userinfo: (await userinfoOf(world, tokens.access_token)).status === 200,
    access: (await introspect(world, tokens.access_token, id))["active"] === true,
    refresh: (await introspect(world, tokens.refresh_token, id))["active"] === true,
  };
}

export const allAlive = { userinfo: true, access: true, refresh: true };
export const allDead = { userinfo: false, access: false, refresh: false };

/** Checked as any client would: by the published keys, at the clock of the test. */
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

/** A client sends the browser to the sign-out; by POST, from a form of its own. */
export async function logOut(browser: Browser, params: Params = {}, method = "GET"): Promise<Page> {
  if (method === "GET") return await browser.open(`/connect/logout?${encodeForm(params)}`);
  // A client's own form: the browser only needs something to submit.
  const html = `<form action="${issuer}/connect/logout"><input name="request" value="">`;
  return await browser.submit(
    { url: issuer, status: 200, headers: new Headers(), html, leftFor: undefined },
    params,
  );
}

export async function isSignedIn(world: World, browser: Browser): Promise<boolean> {
  return !["sign_in", "refused"].includes(screenOf(await ask(world, browser)));
}
