/** Expires and ends tokens by changing the times in the tokens or in their records. The clocks do not change. */

import { hashToken, type SigningKey, signWithHeader, verifyJwt } from "../../../ground/crypto/jwt.ts";
import { encryptLike } from "../../../ground/crypto/jwe.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { isEncryptedJwt, splitJwt } from "../../../ground/crypto/jwt_parts.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { opaqueTokens } from "../../../server/oauth/tokens/access_token.ts";
import { parseCredential } from "../../../server/oauth/secrets/credential.ts";
import { endToken, findToken, type LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { changeGrant } from "../../../server/oauth/tokens/check_grant.ts";
import type { Grant } from "../../../server/oauth/contracts/grant.ts";
import { readIssuedIdToken } from "../../../server/oauth/tokens/issued_id_token.ts";
import { moveBack } from "../../faults/move_back.ts";
import { decryptJwt } from "../client/decrypt_jwt.ts";
import { requireTokens } from "../client/given_tokens.ts";
import { readIdTokenClaims } from "../client/token_response.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { findFace, serverFor } from "../server/serving.ts";
import type { FutureTime, PastTime } from "../../faults/names.ts";
import { present } from "../../../ground/values/present.ts";

/** A token response, as any client library returns it. */
export interface ExpiringTokens {
  readonly access_token: string;
  readonly id_token?: string | undefined;
}

/** The result of `expire`: text for text, and a token response for a token response. */
export type Expired<T> = T extends string ? string : T;

export async function expire<T extends string | ExpiringTokens>(
  tokens: T,
  running: RunningTenant,
): Promise<Expired<T>> {
  running.requireOpen();
  if (typeof tokens !== "string") requireExpiring(tokens);
  const expired = typeof tokens === "string"
    ? await expireText(tokens, running)
    : await expireResponse(tokens, running);
  return expired as Expired<T>;
}

function requireExpiring(tokens: ExpiringTokens): void {
  const wanted = "a token, or a token response with one";
  requireTokens("expire", tokens, wanted);
  if (typeof tokens.access_token === "string") return;
  throw new TypeError(`Cannot expire: expected ${wanted}, but got no access_token`);
}

async function expireResponse(tokens: ExpiringTokens, running: RunningTenant): Promise<ExpiringTokens> {
  const { access_token: accessToken, id_token: idToken } = tokens;
  const recipient = running.recipients.get(tokens);
  const key = recipient?.decryptionKey;
  const signed = typeof idToken === "string" ? await openIdToken(idToken, key, running) : undefined;
  const expiredAccess = await expireText(accessToken, running);
  const expiredId = signed && await expireIdToken(signed, expiredAccess, running);
  const expired = {
    ...tokens,
    access_token: expiredAccess,
    ...present({
      id_token: expiredId && await closeIdToken(expiredId, idToken!, key),
      claims: expiredId !== undefined && "claims" in tokens ? readIdTokenClaims(expiredId) : undefined,
      expires_in: "expires_in" in tokens ? 0 : undefined,
    }),
  };
  if (recipient !== undefined) running.recipients.set(expired, recipient);
  return expired;
}

async function expireText(text: string, running: RunningTenant): Promise<string> {
  for await (const services of listIssuers(running)) {
    const own = services.settings.ownTokenOf?.(text) ?? text;
    const token = await findToken(own, undefined, services);
    // What a provider writes before its tokens stays there, and a token in another form is opaque.
    if (token !== undefined) return text.replace(own, await expireToken(token, own, running));
  }
  const key = running.recipients.get(text)?.decryptionKey;
  const signed = await openIdToken(text, key, running);
  return await closeIdToken(await expireIdToken(signed, undefined, running), text, key);
}

async function expireToken(token: LiveToken["token"], text: string, running: RunningTenant): Promise<string> {
  const { services } = running;
  if (token.kind === "refresh_token") {
    await endChain(token.grantId!, services);
    return text;
  }
  const opaque = parseCredential(text);
  if (opaque !== undefined) {
    await expireRecord(opaque.id, running);
    return text;
  }
  const expired = await signAgain(text, (claims) => moveBack(claims, findPast(running)), services);
  await endToken(token, services, { asExpired: true });
  return expired;
}

/** Returns the signed ID token, which may be inside of an encrypted one. Throws if it is not of this server. */
async function openIdToken(text: string, key: Jwk | undefined, running: RunningTenant): Promise<string> {
  const signed = await decryptJwt(text, key);
  if (isEncryptedJwt(signed)) {
    throw new TypeError(
      "Cannot expire: the ID token is encrypted: log in with decryptionKey, the private JWK of the client",
    );
  }
  if (await isIssued(signed, running)) return signed;
  throw new TypeError(
    "Cannot expire: expected an unchanged token of this server, or a token response with one",
  );
}

async function isIssued(idToken: string, running: RunningTenant): Promise<boolean> {
  for await (const services of listIssuers(running)) {
    if (await readIssuedIdToken(idToken, services) !== undefined) return true;
  }
  return false;
}

/** The server at the hosts of a look-alike is another issuer. It is made only if the first one does not know the token. */
async function* listIssuers(running: RunningTenant): AsyncGenerator<Services> {
  yield running.services;
  for (const origin of running.terms.claimedHosts.origins) {
    const face = await findFace(origin, running);
    if (face) yield serverFor(face, running).services;
  }
}

async function closeIdToken(changed: string, received: string, key: Jwk | undefined): Promise<string> {
  return key !== undefined && isEncryptedJwt(received) ? await encryptLike(received, changed, key) : changed;
}

async function expireIdToken(
  signed: string,
  accessToken: string | undefined,
  running: RunningTenant,
): Promise<string> {
  return await signAgain(signed, (claims, { alg }) => {
    const moved = moveBack(claims, findPast(running));
    // The at_hash is computed again, because the text of the access token has changed.
    const hasHash = accessToken !== undefined && moved["at_hash"] !== undefined;
    return hasHash ? { ...moved, at_hash: hashToken(accessToken, alg) } : moved;
  }, running.services);
}

/** Signs changed claims with the header and the key of the original token, so that only the claims differ. */
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
  return await signWithHeader(key, splitJwt(text).header, change(jwt.claims, key));
}

async function expireRecord(id: string, running: RunningTenant): Promise<void> {
  const { store, now } = running.services;
  const entry = await store.get(opaqueTokens, id, now());
  if (entry === undefined) return;
  const { value, expiresAt } = entry;
  const expired = { ...value, claims: moveBack(value.claims, findPast(running)) };
  await store.put(opaqueTokens, id, expired, { expiresAt, now: now() });
}

async function endChain(grantId: string, services: Services): Promise<void> {
  const endsAt = Math.floor(services.now()) - beyondLeeway;
  const end = (grant: Grant): Grant => ({ ...grant, refresh: { ...grant.refresh!, endsAt } });
  return await changeGrant(grantId, end, services);
}

/** Revokes an access token without a request, so that only the server knows that the token has ended. */
export async function endAccessToken(text: string, services: Services): Promise<void> {
  const token = await findToken(text, "access_token", services);
  if (token === undefined) {
    throw new TypeError("Cannot revoke the access token: the server does not know a token with these claims");
  }
  await endToken(token, services);
}

// Seconds. More than any leeway for different clocks, which is a few minutes at most (RFC 7519 §4.1.4).
const beyondLeeway = 600;

// Most clocks are between these times, which are constants, so that a seed creates the same tokens.
const beforeRealTime = Date.UTC(1990, 0) / 1000;
const afterRealTime = Date.UTC(2100, 0) / 1000;

type Clocks = Pick<RunningTenant, "clock"> & { readonly services: Pick<RunningTenant["services"], "now"> };

/** The hour lacks a minute, so that a leeway of exactly an hour is noticed, too. */
const secondsAgo = { minutes_ago: 1200, hour_ago: 3540 } as const;

/** By the clocks of the test, the server and the machine. Each is beyond any right leeway. */
export function findPast({ clock, services }: Clocks, when?: PastTime): number {
  const earliest = Math.floor(Math.min(clock.now, services.now()));
  if (when !== undefined && when !== "long_ago") {
    return Math.min(earliest, Math.floor(Date.now() / 1000)) - secondsAgo[when];
  }
  return Math.min(earliest - beyondLeeway, beforeRealTime);
}

/** By the clocks of the test, the server and the machine. */
export function findFuture({ clock, services }: Clocks, when?: FutureTime): number {
  const latest = Math.floor(Math.max(clock.now, services.now()));
  if (when === "in_an_hour") return Math.max(latest, Math.floor(Date.now() / 1000)) + secondsAgo.hour_ago;
  return Math.max(latest + beyondLeeway, afterRealTime);
}
