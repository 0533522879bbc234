/** What a request asks a person for, and the consent that the server remembers. */

import { methodOf, publicClientMethod } from "../../contracts/client.ts";
import { isLoopbackRedirectUri } from "../../clients/metadata/redirect_uri.ts";
import type { ConsentRow, Services } from "../../contracts/feature.ts";
import type { OptionalLine } from "../../contracts/pages.ts";
import { type Consent, consentId, consents } from "../../people/consent_record.ts";
import { present } from "../../../../ground/values/present.ts";
import { limitAttempts } from "../../../store/store.ts";
import type { AccessRequest } from "../../contracts/authorization_request.ts";

// In seconds.
const lifetime = 365 * 24 * 3600;

/** A request whose response certainly reaches the client that the person consented to. */
type RememberedRequest = AccessRequest & { readonly redirectUri: string };

/**
 * Returns whether consent is remembered. Another program must not profit from it (OAuth 2.1 §7.3.1). With https, only
 * the host of the redirect URI receives the code. On loopback, another program may receive the code, but only a client
 * with its own secret or key can redeem the code.
 */
function mayRemember(request: AccessRequest, { settings }: Services): request is RememberedRequest {
  const { client, redirectUri } = request;
  if (redirectUri === undefined) return false;
  const isAuthenticated = methodOf(client) !== publicClientMethod && client.demoSecret === undefined;
  return client.rememberConsent ?? settings.remembersConsent ??
    (client.approvedBy === "operator" &&
      (redirectUri.startsWith("https:") || isAuthenticated && isLoopbackRedirectUri(redirectUri)));
}

/** Returns the origin of the redirect URI, or the scheme if the URI has a private scheme and so no origin. */
function originOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === "null" ? protocol : origin;
}

export interface ConsentCheck {
  /** The person has already consented to everything that the request asks for. */
  readonly isComplete: boolean;
  /** The scopes that the person left out before. */
  readonly leftOut: readonly string[];
}

export async function checkConsent(
  subject: string,
  request: AccessRequest,
  services: Services,
): Promise<ConsentCheck> {
  const nothing = { isComplete: false, leftOut: [] };
  if (!mayRemember(request, services)) return nothing;
  const { store, now } = services;
  const consent = (await store.get(consents, consentId(subject, request.client.id, services), now()))?.value;
  if (consent?.clientEpoch !== request.client.epoch) return nothing;
  const rows = await listRows(request, services);
  return {
    isComplete: !hasOptionalLines(rows) &&
      request.scope.every((name) => consent.scope.includes(name)) &&
      request.resource.every((each) => consent.resource.includes(each)) &&
      namesOf(rows).every((line) => consent.lines.includes(line)) &&
      consent.redirectOrigins.includes(originOf(request.redirectUri)),
    leftOut: consent.leftOut,
  };
}

/** Does nothing if consent to this client is not remembered. */
export async function rememberConsent(
  subject: string,
  request: AccessRequest,
  services: Services,
  leftOut: readonly string[],
): Promise<void> {
  if (!mayRemember(request, services)) return;
  const { store, now } = services;
  const id = consentId(subject, request.client.id, services);
  const lines = namesOf(await listRows(request, services));
  for (const retry = limitAttempts();; retry()) {
    const entry = await store.get(consents, id, now());
    const before = entry?.value.clientEpoch === request.client.epoch ? entry.value : undefined;
    const consent: Consent = {
      subject,
      clientId: request.client.id,
      clientEpoch: request.client.epoch,
      scope: union(before?.scope, request.scope).filter((name) => !leftOut.includes(name)),
      leftOut: union(before?.leftOut, leftOut).filter((name) => !request.scope.includes(name)),
      resource: union(before?.resource, request.resource),
      lines: union(before?.lines, lines),
      redirectOrigins: union(before?.redirectOrigins, [originOf(request.redirectUri)]),
    };
    const terms = { expiresAt: Math.ceil(now()) + lifetime, now: now(), if: entry?.version ?? null };
    if (await store.put(consents, id, consent, terms) !== undefined) return;
  }
}

interface RequestedRow extends Pick<ConsentRow, "name" | "heading"> {
  readonly lines: readonly (string | OptionalLine)[];
}

export async function listRows(request: AccessRequest, services: Services): Promise<readonly RequestedRow[]> {
  const rows: RequestedRow[] = [];
  for (const { name, heading, list } of services.slots.consentRows.values()) {
    const listing = list(request, services);
    const lines = listing instanceof Promise ? await listing : listing;
    if (lines.length > 0) rows.push({ name, lines, ...present({ heading }) });
  }
  return rows;
}

/** An optional line is about one act, such as a payment, so that its consent is never remembered. */
export function hasOptionalLines(rows: readonly RequestedRow[]): boolean {
  return rows.some(({ lines }) => lines.some((line) => typeof line !== "string"));
}

/** Returns the name of a line in the form and in remembered consent. */
export function nameLine({ name }: Pick<RequestedRow, "name">, line: string): string {
  return `${name}: ${line}`;
}

function namesOf(rows: readonly RequestedRow[]): readonly string[] {
  return rows.flatMap((row) =>
    row.lines.flatMap((line) => typeof line === "string" ? [nameLine(row, line)] : [])
  );
}

function union(before: readonly string[] = [], more: readonly string[]): readonly string[] {
  return [...new Set([...before, ...more])];
}
