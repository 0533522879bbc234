/** Every address of the server, for the tests that try something on all of them. */

import { assert, assertEquals } from "@std/assert";
import { defaultFeatures } from "../../src/features/mod.ts";
import type { Endpoint } from "../../src/oauth/feature.ts";
import { encodeForm, type Params, type World } from "../world.ts";

export interface Address {
  readonly method: Endpoint["method"];
  readonly path: string;
  /** Whom a refusal at this address is for. */
  readonly refusal: "page" | "json";
}

export const addresses: readonly Address[] = [
  ...defaultFeatures({ firstUse: true }).flatMap((feature) => feature.endpoints ?? []),
  { method: "GET" as const, path: "/static/postern.css", refusal: "page" as const },
];

export const paths: readonly string[] = [...new Set(addresses.map(({ path }) => path))];

/** What scripts of other origins may call; at all other addresses a person may be at work (RFC 9700 §2.6). */
export const forScripts: ReadonlySet<string> = new Set([
  "/oauth2/token",
  "/oauth2/revoke",
  "/oauth2/introspect",
  "/oauth2/jwks",
  "/userinfo",
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
]);

export const formType = { "content-type": "application/x-www-form-urlencoded" };

/** The parameters where they belong for this address: in the query or in a form. */
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

/** Refused on a page of the server's own: nowhere to go, no cookie touched. */
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

/** The error of a token response, with its status: "400 invalid_grant". */
export async function readRefusal(response: Response): Promise<string> {
  const text = await response.text();
  assertEquals(response.headers.get("content-type"), "application/json", text);
  assertEquals(response.headers.get("cache-control"), "no-store", text);
  assertEquals(response.headers.get("x-content-type-options"), "nosniff", text);
  const { error } = JSON.parse(text) as { error?: string };
  return `${response.status} ${error}`;
}
