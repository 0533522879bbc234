/** Assertions for every refusal: on a page, by redirect, or in JSON. */

import { assert, assertEquals, assertMatch, assertNotMatch, assertThrows } from "@std/assert";
import { callbackParams, type World } from "../../world.ts";
import { findById, readHtml, textOf } from "../pages/read_html.ts";

export interface Expected {
  readonly error: string;
  /** The exact reason in the journal. */
  readonly reason: string;
}

/** RFC 6749 §4.1.2.1, §5.2: the characters that `error` and `error_description` allow. */
export const wireCharacters: RegExp = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;

/** Asserts a refusal on a page, without a redirect and without a password form. */
export async function assertRefusedOnPage(
  world: World,
  response: Response,
  { error, reason, status = 400 }: Expected & { readonly status?: number },
): Promise<string> {
  const refusal = world.lastRefusal();
  assertEquals(
    { status: response.status, location: response.headers.get("location"), ...pick(refusal) },
    { status, location: null, error, reason },
  );
  assertEquals(response.headers.get("www-authenticate"), null);
  assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("referrer-policy"), "no-referrer");
  assertEquals(response.headers.get("x-frame-options"), "DENY");
  assertMatch(response.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  assertNoCors(response);
  const html = await response.text();
  assertNotMatch(html, /http-equiv|\bat \S+:\d+:\d+/);
  const [fix, code] = ["change", "error"].map((id) => findById(readHtml(html), id));
  // No client could have got the code of an error that has no way to it (OpenID Connect Core §3.1.2.6).
  assertEquals(code && textOf(code), reason === "response_mode_unsupported" ? undefined : error);
  assertEquals(fix && textOf(fix), refusal?.change);
  return html;
}

/** Asserts a redirect with exactly `error`, `error_description`, the request's `state` and `iss`. */
export function assertRefusedByRedirect(
  world: World,
  response: Response,
  { error, reason, state = "af0ifjsldkj", to = "https://app.example/cb" }: Expected & {
    readonly state?: string | null;
    readonly to?: string;
  },
): URLSearchParams {
  assertEquals({ status: response.status, ...pick(world.lastRefusal()) }, { status: 303, error, reason });
  const location = response.headers.get("location") ?? "";
  assert(location.startsWith(`${to}?`), `goes to ${location}`);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertNoCors(response);
  const params = callbackParams(response);
  const description = params.get("error_description") ?? "";
  assertMatch(description, wireCharacters);
  assertEquals(
    [...params],
    [
      ["error", error],
      ["error_description", description],
      ...state === null ? [] : [["state", state] as [string, string]],
      ["iss", world.issuer],
    ],
  );
  return params;
}

/** Asserts a refusal in JSON that is not cached (RFC 6749 §5.2). */
export async function assertRefusedInJson(
  world: World,
  response: Response,
  { error, reason, status = 400, challenge = null }: Expected & {
    readonly status?: number;
    /** The scheme of the expected challenge. */
    readonly challenge?: string | null;
  },
): Promise<string> {
  assertEquals({ status: response.status, ...pick(world.lastRefusal()) }, { status, error, reason });
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("pragma"), "no-cache");
  const body = await response.json();
  assertEquals(Object.keys(body), ["error", "error_description"]);
  assertEquals(body.error, error);
  assertMatch(body.error_description, wireCharacters);
  assertEquals(
    response.headers.get("www-authenticate"),
    challenge === null ? null : challengeOf(challenge, body),
  );
  return body.error_description;
}

/** The challenge has the error of the body, because some clients read only the header. */
export function challengeOf(
  scheme: string,
  body: { readonly error: string; readonly error_description: string },
): string {
  return `${scheme} realm="postern", error="${body.error}", error_description="${body.error_description}"`;
}

/** Asserts a redirect with exactly the parameters of a code response. */
export function assertCode(response: Response): string {
  assertEquals(response.status, 303);
  const params = callbackParams(response);
  assertEquals(params.get("error"), null);
  return params.get("code")!;
}

export async function assertTokens(response: Response): Promise<Record<string, unknown>> {
  const body = await response.json();
  assertEquals({ status: response.status, error: body.error }, { status: 200, error: undefined });
  return body;
}

/** Asserts a start-up error. A server that starts nevertheless is closed, so that it does not affect other tests. */
export async function assertCannotCreate(
  create: () => { close(): Promise<void> },
  sentence: string,
): Promise<void> {
  let created: { close(): Promise<void> } | undefined;
  try {
    assertThrows(() => void (created = create()), TypeError, `Cannot create server: ${sentence}`);
  } finally {
    await created?.close();
  }
}

function assertNoCors(response: Response): void {
  const names = [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
  assertEquals(names, []);
}

function pick(refusal: { readonly error: string; readonly reason: string } | undefined): {
  readonly error: string | undefined;
  readonly reason: string | undefined;
} {
  return { error: refusal?.error, reason: refusal?.reason };
}
