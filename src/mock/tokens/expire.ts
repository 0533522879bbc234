/** Tokens as they are once they have expired: theirs are the times that change, and no clock is touched. */

import { Buffer } from "node:buffer";
import { type SigningKey, signWithHeader, verifyJwt } from "../../crypto/jwt.ts";
import type { Claims, Members } from "../../oauth/members.ts";
import type { Services } from "../../oauth/services.ts";
import { opaqueTokens } from "../../oauth/tokens/access_token.ts";
import { parseCredential } from "../../oauth/tokens/credential.ts";
import { endToken } from "../../oauth/tokens/end_token.ts";
import { findGrant } from "../../oauth/tokens/find_grant.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import { grants } from "../../oauth/tokens/grant.ts";
import { hashToken } from "../../oauth/tokens/hash_token.ts";
import { readIssuedIdToken } from "../../oauth/tokens/issued_id_token.ts";
import { requireTokens } from "../client/given_tokens.ts";
import type { TenantContext } from "../client/tenant_context.ts";

/** A token response, from whichever client library. */
export interface ExpiringTokens {
  readonly access_token: string;
  readonly id_token?: string | undefined;
}

/** What was given, as it is after its time. */
export type Expired<T> = T extends string ? string : T;

// RFC 7519 §4.1.4: whoever allows for clocks that differ allows no more than a few minutes.
const beyondLeeway = 600;

// In seconds. The real time is between them, and so are most fake ones: it need not be known, and a seed would not
// repeat it.
const beforeRealTime = Date.UTC(1990, 0) / 1000;
const afterRealTime = Date.UTC(2100, 0) / 1000;

/** A response's refresh token stays good; one that comes by itself expires. */
export async function expire<T extends string | ExpiringTokens>(
  tokens: T,
  context: TenantContext,
): Promise<Expired<T>> {
  context.requireOpen();
  if (typeof tokens !== "string") requireExpiring(tokens);
  const expired = typeof tokens === "string"
    ? await expireText(tokens, context)
    : await expireResponse(tokens, context);
  return expired as Expired<T>;
}

function requireExpiring(tokens: ExpiringTokens): void {
  const wanted = "a token, or a token response with one";
  requireTokens("expire", tokens, wanted);
  if (typeof tokens.access_token === "string") return;
  throw new TypeError(`Cannot expire: expected ${wanted}, but got no access_token`);
}

async function expireResponse(tokens: ExpiringTokens, context: TenantContext): Promise<ExpiringTokens> {
  const { access_token: accessToken, id_token: idToken } = tokens;
  const expiredAccess = await expireText(accessToken, context);
  const expired = {
    ...tokens,
    access_token: expiredAccess,
    ...(typeof idToken !== "string"
      ? {}
      : { id_token: await expireIdToken(idToken, expiredAccess, context) }),
    ...("expires_in" in tokens ? { expires_in: 0 } : {}),
  };
  const recipient = context.recipients.get(tokens);
  if (recipient !== undefined) context.recipients.set(expired, recipient);
  return expired;
}

async function expireText(text: string, context: TenantContext): Promise<string> {
  const { services } = context;
  const token = await findToken(text, undefined, services);
  if (token === undefined) return await expireIdToken(text, undefined, context);
  if (token.kind === "refresh_token") {
    await endChain(token.grantId!, services);
    return text;
  }
  const opaque = parseCredential(text);
  if (opaque !== undefined) {
    await expireRecord(opaque.id, context);
    return text;
  }
  const expired = await signAgain(text, (claims) => moveBack(claims, context), services);
  await endToken(token, services);
  return expired;
}

async function expireIdToken(
  text: string,
  accessToken: string | undefined,
  context: TenantContext,
): Promise<string> {
  const { services } = context;
  if (await readIssuedIdToken(text, services) === undefined) {
    throw new TypeError(
      "Cannot expire: expected a token that this server gave and that nothing was changed in, or a token response with one",
    );
  }
  return await signAgain(text, (claims, { alg }) => {
    const moved = moveBack(claims, context);
    // The access token beside it has another text now.
    const binds = accessToken !== undefined && moved["at_hash"] !== undefined;
    return binds ? { ...moved, at_hash: hashToken(accessToken, alg) } : moved;
  }, services);
}

/** With its own header and by its own key, so that nothing else about it is new. */
async function signAgain(
  text: string,
  change: (claims: Claims, key: SigningKey) => Claims,
  { keys }: Services,
): Promise<string> {
  const published = await keys.published();
  let key: SigningKey | undefined;
  const jwt = await verifyJwt(
    text,
    (kid, alg) => key = published.find((each) => each.kid === kid && each.alg === alg),
  );
  if (jwt === undefined || key === undefined) {
    throw new TypeError("Cannot expire: the server has forgotten the key of this token");
  }
  return await signWithHeader(key, readPart(text, 0), change(jwt.claims, key));
}

/** The header of a JWT is part 0, its claims are part 1. */
export function readPart(text: string, part: 0 | 1): Members {
  return JSON.parse(Buffer.from(text.split(".")[part]!, "base64url").toString());
}

/** Before now by every clock: the mock's, the server's, however wrong it is, and the real one. */
function findPast({ clock, services }: TenantContext): number {
  return Math.min(Math.floor(Math.min(clock.now, services.now())) - beyondLeeway, beforeRealTime);
}

/** After now by every clock. */
export function findFuture({ clock, services }: TenantContext): number {
  return Math.max(Math.floor(Math.max(clock.now, services.now())) + beyondLeeway, afterRealTime);
}

/** All its times, so that it is as old as it looks. */
export function moveBack(claims: Claims, context: TenantContext): Claims {
  const end = findPast(context);
  const { exp } = claims;
  if (typeof exp !== "number" || exp <= end) return claims;
  const moved = ["iat", "nbf", "exp", "auth_time"].flatMap((name) => {
    const time = claims[name];
    return typeof time === "number" ? [[name, time - exp + end]] : [];
  });
  return { ...claims, ...Object.fromEntries(moved) };
}

async function expireRecord(id: string, context: TenantContext): Promise<void> {
  const { store, now } = context.services;
  const entry = await store.get(opaqueTokens, id, now());
  if (entry === undefined) return;
  const { value, expiresAt } = entry;
  const expired = { ...value, claims: moveBack(value.claims, context) };
  await store.put(opaqueTokens, id, expired, { expiresAt, now: now() });
}

/** Whatever happens to the grant meanwhile. */
async function endChain(grantId: string, services: Services): Promise<void> {
  const { store, now } = services;
  while (true) {
    const entry = await findGrant(grantId, services);
    const chain = entry?.value.refresh;
    if (entry === undefined || chain === undefined) return;
    const { value, version, expiresAt } = entry;
    const ended = { ...value, refresh: { ...chain, endsAt: Math.floor(now()) - beyondLeeway } };
    const terms = { expiresAt, now: now(), if: version };
    if (await store.put(grants, grantId, ended, terms) !== undefined) return;
  }
}
