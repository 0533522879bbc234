/** Every address of the server, for tests that try something at all of them. */

import { assert, assertEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../src/server/features/mod.ts";
import type { Endpoint } from "../../src/server/oauth/contracts/feature.ts";
import { encodeForm, type Params, type World } from "../world.ts";

export interface Address {
  readonly method: Endpoint["method"];
  readonly path: string;
  /** Whether a refusal at this address is a page for people or JSON for programs. */
  readonly refusal: "page" | "json";
}

export const addresses: readonly Address[] = [
  ...defaultFeatures(everyFeature).flatMap((feature) => feature.endpoints ?? []),
  { method: "GET" as const, path: "/static/postern.css", refusal: "page" as const },
];

export const paths: readonly string[] = [...new Set(addresses.map(({ path }) => path))];

/** The options of a world that has every address. */
export const everyAddress = {
  demoResource: "https://as.test/resource",
  signUp: true,
  growingPeople: "in memory",
} as const;

/** RFC 9700 §2.6: the paths that scripts of other origins may call. The others are pages for people. */
export const forScripts: ReadonlySet<string> = new Set([
  ...["/oauth2/par", "/oauth2/token", "/oauth2/revoke", "/oauth2/introspect", "/oauth2/jwks"],
  ...["/userinfo", "/connect/register", "/connect/register/{client_id}", "/resource"],
  ...["/.well-known/oauth-protected-resource/resource", "/.well-known/oauth-authorization-server"],
  "/.well-known/openid-configuration",
]);

/** The content type of the bodies that the endpoint at this path reads. */
export function bodyType(path: string): Readonly<Record<string, string>> {
  return path.includes("/connect/register") ? { "content-type": "application/json" } : formType;
}

export const formType = { "content-type": "application/x-www-form-urlencoded" };

/** A request with its parameters in the query or, for POST, in a form. */
export function requestTo(
  world: World,
  { method, path }: Pick<Address, "method" | "path">,
  params: Params = {},
  headers: Readonly<Record<string, string>> = {},
): Request {
  const encoded = encodeForm(params);
  return method === "POST"
    ? new Request(world.issuer + path, { method, body: encoded, headers: { ...formType, ...headers } })
    : new Request(`${world.issuer}${path}${encoded === "" ? "" : `?${encoded}`}`, { headers });
}

/** Asserts a refusal on the server's own page, without a redirect and without a cookie. */
export async function assertRefusedHere(response: Response, because: string): Promise<string> {
  const html = await response.text();
  assertEquals(
    {
      status: response.status,
      location: response.headers.get("location"),
      cookies: response.headers.getSetCookie(),
      type: response.headers.get("content-type"),
    },
    { status: 400, location: null, cookies: [], type: "text/html; charset=utf-8" },
    because,
  );
  assert(html.startsWith("<!doctype html>"), because);
  return html;
}

/** The status and error of a token response: "400 invalid_grant". */
export async function readRefusal(response: Response): Promise<string> {
  const text = await response.text();
  assertEquals(response.headers.get("content-type"), "application/json", text);
  assertEquals(response.headers.get("cache-control"), "no-store", text);
  assertEquals(response.headers.get("x-content-type-options"), "nosniff", text);
  const { error } = JSON.parse(text) as { error?: string };
  return `${response.status} ${error}`;
}
