/** Functions for token tests: they get, refresh, present, introspect and revoke tokens, and read their claims. */

import { assertEquals } from "@std/assert";
import type { ClientMetadata } from "../../../src/mod.ts";
import { assertRefusedInJson } from "../oauth/refusals.ts";
import { basic, type Browser, createBrowser, type Params, type World } from "../../world.ts";

/** An API, which is also a client that introspects tokens. */
export const api = "https://api.example/";

export const bearerClients: readonly ClientMetadata[] = [
  { client_id: "public", redirect_uris: ["https://app.example/cb"] },
  { client_id: "other", redirect_uris: ["https://app.example/cb"] },
  { client_id: "basic", client_secret: "basic-secret", redirect_uris: ["https://app.example/cb"] },
  { client_id: "api", client_secret: "api-secret", introspects: [api] },
  { client_id: "stranger", client_secret: "stranger-secret", introspects: ["https://elsewhere.example/"] },
];

type Credentials = ReturnType<typeof basic>;

export const asBasic: Credentials = basic("basic", "basic-secret");
export const asApi: Credentials = basic("api", "api-secret");
export const asStranger: Credentials = basic("stranger", "stranger-secret");

/** The members of a token response. Absent members are `undefined`. */
export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly scope: string;
  readonly expires_in: number;
}

/** Gets tokens with automatic sign-in. */
export async function tokensOf(world: World, changed: Params = {}, headers?: HeadersInit): Promise<Tokens> {
  const code = await world.code(changed);
  const named = headers === undefined ? changed["client_id"] ?? "public" : undefined;
  return await readTokens(await world.redeem(code, { client_id: named }, headers));
}

export async function readTokens(response: Response): Promise<Tokens> {
  const body = await response.json();
  assertEquals(response.status, 200, JSON.stringify(body));
  return body;
}

export function refresh(
  world: World,
  token: string | undefined,
  changed: Params = {},
  headers?: HeadersInit,
): Promise<Response> {
  const client = headers === undefined ? { client_id: "public" } : {};
  return world.post("/oauth2/token", {
    grant_type: "refresh_token",
    refresh_token: token,
    ...client,
    ...changed,
  }, headers);
}

/** The status and error of the answer, and the reason in the journal. */
export async function refusalOf(world: World, asked: Promise<Response>): Promise<readonly unknown[]> {
  const response = await asked;
  const { error } = await response.json();
  return [response.status, error, world.lastRefusal()?.reason];
}

/** `expected` has the status, the error and the reason, for example `"400 invalid_grant code_expired"`. */
export async function assertRefused(
  world: World,
  asked: Response | Promise<Response>,
  expected: string,
): Promise<void> {
  const response = await asked;
  const [status, error = "", reason = ""] = expected.split(" ");
  if (status === "400") await assertRefusedInJson(world, response, { error, reason });
  else assertEquals((await refusalOf(world, Promise.resolve(response))).join(" "), expected);
}

export function userinfo(world: World, token: string): Promise<Response> {
  return world.get("/userinfo", { authorization: `Bearer ${token}` });
}

export function introspect(
  world: World,
  token: string,
  headers: HeadersInit = asBasic,
  changed: Params = {},
): Promise<Response> {
  return world.post("/oauth2/introspect", { token, ...changed }, headers);
}

/** `changed` adds parameters such as `token_type_hint`. The client is `public` unless headers authenticate another. */
export function revoke(
  world: World,
  token: string,
  changed: Params = {},
  headers?: HeadersInit,
): Promise<Response> {
  const client = headers === undefined ? { client_id: "public" } : {};
  return world.post("/oauth2/revoke", { token, ...client, ...changed }, headers);
}

export async function isActive(
  world: World,
  token: string,
  headers: HeadersInit = asBasic,
): Promise<boolean> {
  const body = await (await introspect(world, token, headers)).json();
  if (body.active === false) assertEquals(body, { active: false });
  return body.active;
}

export async function opensUserinfo(world: World, token: string): Promise<boolean> {
  const response = await userinfo(world, token);
  await response.body?.cancel();
  if (response.status !== 200) assertEquals(response.status, 401);
  return response.status === 200;
}

export type Claims = Readonly<Record<string, unknown>>;

export function headerOf(jwt: string): Claims {
  return decodePart(jwt, 0);
}

export function claimsOf(jwt: string): Claims {
  return decodePart(jwt, 1);
}

function decodePart(jwt: string, at: number): Claims {
  return JSON.parse(atob(jwt.split(".")[at]!.replaceAll("-", "+").replaceAll("_", "/")));
}

export function encodePart(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const octets = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...octets)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Signs in and approves in a browser. Needs `login: "picker"`. */
export async function signInAndApprove(
  world: World,
  changed: Params = {},
  browser: Browser = createBrowser(world),
  headers?: HeadersInit,
): Promise<{ readonly tokens: Tokens; readonly browser: Browser }> {
  const signIn = await browser.open(world.authorizeUrl(changed));
  const consent = await browser.submit(signIn, { person: "alice" });
  const done = consent.leftFor === undefined
    ? await browser.submit(consent, { decision: "approve" })
    : consent;
  const code = new URL(done.leftFor!).searchParams.get("code")!;
  const named = headers === undefined ? {} : { client_id: undefined };
  return { tokens: await readTokens(await world.redeem(code, named, headers)), browser };
}
