/** What a person consents to: the scopes of the page, and the requests that the server remembers. */

import { carry, readCarried } from "../../carried.ts";
import { methodOf, publicClientMethod } from "../../clients/client.ts";
import { isLoopbackRedirectUri } from "../../clients/redirect_uri.ts";
import type { OAuthError } from "../../error.ts";
import type { ConsentProps } from "../../pages.ts";
import { namesOfScopes, requestedClaimsKey } from "../../people/claims.ts";
import { type Consent, consentId, consents } from "../../people/consent_record.ts";
import { type RefusalRows, refusals } from "../../refusals.ts";
import { nextAttempt } from "../../../store/retry_limit.ts";
import type { Services } from "../../services.ts";
import type { AccessRequest, Chosen } from "./contract.ts";

const refusal = refusals({
  scope_not_requested: {
    error: "invalid_request",
    sentence: "The form grants a scope that the request does not have",
    expected: "scopes that the page offered",
    change: "Send only scopes that the page offered.",
  },
  line_not_requested: {
    error: "invalid_request",
    sentence: "The form grants a line that the request does not have",
    expected: "lines that the page offered",
    change: "Send only lines that the page offered.",
  },
  no_scope_granted: {
    error: "invalid_request",
    sentence: "The form approves the request and grants no scope",
    expected: "at least one scope, or decision=deny",
    change: "Send scope with at least one of the scopes of the page, or decision=deny.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Returns the scopes that a person may leave out: not `openid`, and not the only scope. */
export function optionalScopes(scope: readonly string[]): readonly string[] {
  return scope.length < 2 ? [] : scope.filter((name) => name !== "openid");
}

/** Narrows a request to what the person chose, out of what may be left out. */
export function narrowRequest(
  request: AccessRequest,
  chosen: Chosen,
  services: Services,
): { readonly request: AccessRequest; readonly leftOut: readonly string[] } {
  const withScope = narrowScope(request, chosen.scope);
  const withLines = narrowLines(withScope.request, chosen.lines, services);
  return { request: withLines.request, leftOut: [...withScope.leftOut, ...withLines.leftOut] };
}

/** OAuth 2.1 §1.4.1: the scope may be smaller. Removes the claims that only the other scopes request, too. */
function narrowScope(
  request: AccessRequest,
  chosen: readonly string[] | undefined,
): ReturnType<typeof narrowRequest> {
  const optional = optionalScopes(request.scope);
  const unknown = chosen?.find((name) => !optional.includes(name));
  if (unknown !== undefined) {
    throw refusal("scope_not_requested", {
      expected: `scopes out of ${optional.join(" ")}`,
      received: unknown,
    });
  }
  const leftOut = chosen === undefined ? [] : optional.filter((name) => !chosen.includes(name));
  if (leftOut.length === 0) return { request, leftOut };
  const scope = request.scope.filter((name) => !leftOut.includes(name));
  return { request: { ...request, scope, ...withoutClaims(request, scope, leftOut) }, leftOut };
}

function narrowLines(
  request: AccessRequest,
  chosen: readonly string[] | undefined,
  services: Services,
): ReturnType<typeof narrowRequest> {
  if (chosen === undefined) return { request, leftOut: [] };
  const optional = optionalLines(request, services);
  const names = optional.map(nameLine);
  if (chosen.some((name) => !names.includes(name))) throw refusal("line_not_requested");
  const leftOut = optional.filter((line) => !chosen.includes(nameLine(line)));
  let narrowed = request;
  for (const { name, leaveOut } of services.slots.consentRows.values()) {
    const ids = leftOut.filter(({ row }) => row === name).map(({ id }) => id);
    if (ids.length > 0) narrowed = changeImplied(narrowed, leaveOut!(ids, narrowed, services));
  }
  return { request: narrowed, leftOut: leftOut.map(nameLine) };
}

/** A resource stays if `resource` names it, or if what is left still asks for it. */
function changeImplied(
  request: AccessRequest,
  { carried, impliedResource: asked = [] }: Pick<AccessRequest, "carried" | "impliedResource">,
): AccessRequest {
  const { impliedResource = [] } = request;
  const dropped = impliedResource.filter((each) => !asked.includes(each));
  return {
    ...request,
    carried,
    resource: request.resource.filter((each) => !dropped.includes(each)),
    impliedResource: impliedResource.filter((each) => asked.includes(each)),
  };
}

interface RequestedLine {
  readonly row: string;
  readonly id: string;
  readonly isOptional: boolean;
}

function requestedLines(request: AccessRequest, services: Services): readonly RequestedLine[] {
  return [...services.slots.consentRows.values()].flatMap(({ name: row, list }) =>
    list(request, services).map((line) =>
      typeof line === "string" ? { row, id: line, isOptional: false } : { row, id: line.id, isOptional: true }
    )
  );
}

function optionalLines(request: AccessRequest, services: Services): readonly RequestedLine[] {
  return requestedLines(request, services).filter(({ isOptional }) => isOptional);
}

/** Returns the name of a line in the form and in remembered consent. It has a space, so it is no name of a scope. */
function nameLine({ row, id }: Pick<RequestedLine, "row" | "id">): string {
  return `${row}: ${id}`;
}

export function hasOptionalLines(request: AccessRequest, services: Services): boolean {
  return optionalLines(request, services).length > 0;
}

/** Whether a grant of the request would give no access. */
export function isEmpty(request: AccessRequest, services: Services): boolean {
  return request.scope.length === 0 && !hasOptionalLines(request, services);
}

/** Refuses a consent without scope, because its grant gives no access. The person can deny the request instead. */
export function refuseEmptyConsent(): OAuthError {
  return refusal("no_scope_granted", { received: "decision=approve without a scope" });
}

/** The page does not list the claims of a scope, so a person who leaves the scope out refuses these claims, too. */
function withoutClaims(
  request: AccessRequest,
  scope: readonly string[],
  leftOut: readonly string[],
): Pick<AccessRequest, "carried"> {
  const claims = readCarried(request, requestedClaimsKey);
  if (claims === undefined) return { carried: request.carried };
  const granted = new Set(namesOfScopes(scope));
  const refused = new Set(namesOfScopes(leftOut).filter((name) => !granted.has(name)));
  const keep = (names: readonly string[] = []) => names.filter((name) => !refused.has(name));
  const narrowed = { ...claims, userinfo: keep(claims.userinfo), idToken: keep(claims.idToken) };
  return { carried: { ...request.carried, ...carry(requestedClaimsKey, narrowed) } };
}

// In seconds.
const lifetime = 365 * 24 * 3600;

/** A request whose response certainly reaches the client that the person consented to. */
type RememberedRequest = AccessRequest & { readonly redirectUri: string };

/**
 * Returns whether consent is remembered. Another program must not profit from it (OAuth 2.1 §7.3.1). With https, only
 * the host of the redirect URI receives the code. On loopback, another program may receive the code, but only a client
 * with its own secret or key can redeem the code.
 */
function mayRemember(request: AccessRequest): request is RememberedRequest {
  const { client, redirectUri } = request;
  if (redirectUri === undefined) return false;
  const isAuthenticated = methodOf(client) !== publicClientMethod && client.demoSecret === undefined;
  return client.rememberConsent ??
    (client.approvedBy === "operator" &&
      (redirectUri.startsWith("https:") || isAuthenticated && isLoopbackRedirectUri(redirectUri)));
}

/** Returns the origin of the redirect URI, or the scheme if the URI has a private scheme and so no origin. */
function originOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === "null" ? protocol : origin;
}

/** What the stored consent of a person means for a request. */
export interface ConsentCheck {
  /** The person has already consented to everything that the request asks for. */
  readonly isComplete: boolean;
  /** The scopes and lines of the request that the person left out before. */
  readonly leftOut: readonly string[];
}

export async function checkConsent(
  subject: string,
  request: AccessRequest,
  services: Services,
): Promise<ConsentCheck> {
  const nothing = { isComplete: false, leftOut: [] };
  if (!mayRemember(request)) return nothing;
  const { store, now } = services;
  const consent = (await store.get(consents, consentId(subject, request.client.id), now()))?.value;
  if (consent?.clientEpoch !== request.client.epoch) return nothing;
  return {
    isComplete: request.scope.every((name) => consent.scope.includes(name)) &&
      request.resource.every((each) => consent.resource.includes(each)) &&
      linesOf(request, services).every((line) => consent.lines.includes(line)) &&
      consent.redirectOrigins.includes(originOf(request.redirectUri)),
    leftOut: [...request.scope, ...optionalLines(request, services).map(nameLine)].filter((name) =>
      consent.leftOut.includes(name)
    ),
  };
}

/** The number of lines that a consent remembers. Each payment may be another line. */
const mostLines = 100;

/**
 * Adds the request to the person's stored consent, and removes what the person left out. Does nothing if consent to this
 * client is not remembered.
 */
export async function rememberConsent(
  subject: string,
  request: AccessRequest,
  services: Services,
  leftOut: readonly string[],
): Promise<void> {
  if (!mayRemember(request)) return;
  const { store, now } = services;
  const id = consentId(subject, request.client.id);
  const lines = linesOf(request, services);
  const without = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => !others.includes(name));
  for (let attempt = 1;; attempt = nextAttempt(attempt)) {
    const entry = await store.get(consents, id, now());
    const before = entry?.value.clientEpoch === request.client.epoch ? entry.value : undefined;
    const consent: Consent = {
      subject,
      clientId: request.client.id,
      clientEpoch: request.client.epoch,
      scope: without(union(before?.scope, request.scope), leftOut),
      leftOut: without(union(before?.leftOut, leftOut), [...request.scope, ...lines]).slice(-mostLines),
      resource: union(before?.resource, request.resource),
      lines: without(union(before?.lines, lines), leftOut).slice(-mostLines),
      redirectOrigins: union(before?.redirectOrigins, [originOf(request.redirectUri)]),
    };
    const terms = { expiresAt: Math.ceil(now()) + lifetime, now: now(), if: entry?.version ?? null };
    if (await store.put(consents, id, consent, terms) !== undefined) return;
  }
}

/** Returns what the request asks for in the rows of features. Empty rows are left out. */
export function listRows(
  request: AccessRequest,
  leftOut: readonly string[],
  services: Services,
): NonNullable<ConsentProps["rows"]> {
  return [...services.slots.consentRows.values()].flatMap(({ name, heading, list }) => {
    const lines = list(request, services).map((line) => {
      if (typeof line === "string") return line;
      const { id, ...texts } = line;
      const value = nameLine({ row: name, id });
      return { ...texts, value, wasLeftOut: leftOut.includes(value) };
    });
    return lines.length === 0 ? [] : [{ name, lines, ...(heading === undefined ? {} : { heading }) }];
  });
}

function linesOf(request: AccessRequest, services: Services): readonly string[] {
  return requestedLines(request, services).map(nameLine);
}

function union(before: readonly string[] = [], more: readonly string[]): readonly string[] {
  return [...new Set([...before, ...more])];
}
