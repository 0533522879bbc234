/** Finds tokens by their text, explains why one is not valid, and ends one before it expires (RFC 7009 §2.1). */

import type { Kind } from "../../store/store.ts";
import type { Client } from "../contracts/client.ts";
import { findClient } from "../clients/records/find_client.ts";
import { clockSkew, markMargin, timeFor } from "../options/clock_skew.ts";
import type { Services, TokenReader } from "../contracts/feature.ts";
import { accessTokenReader } from "./access_token.ts";
import { checkActiveGrant, grantNeeds, type LiveGrant, revokeGrant } from "./check_grant.ts";
import type { ReadToken, TokenLoss } from "../contracts/read_token.ts";
import { remainingScope } from "../clients/metadata/scope.ts";
import { present } from "../../../ground/values/present.ts";
import { formatDuration } from "../../../ground/schema/duration.ts";

export interface LiveToken {
  /** Its scope contains only names that are still configured. */
  readonly token: ReadToken;
  readonly client: Client;
  /** Absent if the client got the token for itself, without a person. */
  readonly grant?: LiveGrant;
}

/** Tokens that ended before their time. `asExpired` is set if the test kit ended the token as if it had expired. */
const revokedTokens: Kind<{ readonly revokedAt: number; readonly asExpired?: true }> = {
  name: "revoked_token",
};

/** Finds a token, valid or not. The hint says which kind to try first (RFC 7009 §2.1, RFC 7662 §2.1). */
export async function findToken(
  text: string,
  hint: string | undefined,
  services: Services,
): Promise<ReadToken | undefined> {
  const { settings: { ownTokenOf }, slots } = services;
  const own = ownTokenOf === undefined ? text : ownTokenOf(text);
  for (const reader of orderReaders(hint, slots.tokenReaders)) {
    const token = await reader.read(own, services);
    if (token !== undefined) return token;
  }
  return undefined;
}

/** Access tokens come first, unless the hint names another kind. */
function orderReaders(hint: string | undefined, others: readonly TokenReader[]): readonly TokenReader[] {
  const hinted = others.find(({ kind }) => kind === hint);
  return hinted === undefined
    ? [accessTokenReader, ...others]
    : [hinted, accessTokenReader, ...others.filter((each) => each !== hinted)];
}

export type TokenCheck =
  | { readonly isValid: true; readonly live: LiveToken }
  | { readonly isValid: false; readonly loss: TokenLoss };

export async function checkToken(token: ReadToken, services: Services): Promise<TokenCheck> {
  const { store, now } = services;
  if (token.otherIssuer !== undefined) return lost("other_issuer");
  if (!hasBegun(token, now())) return lost("early");
  if (token.expiresAt <= timeFor(token, services)) return lost("expired");
  if (token.superseded === "ended") return lost("replaced");
  const ended = token.jti === undefined ? undefined : await store.get(revokedTokens, token.jti, now());
  if (ended !== undefined) return lost(ended.value.asExpired ? "expired_by_test" : "revoked");
  const check = token.grantId === undefined ? undefined : await checkActiveGrant(token.grantId, services);
  if (check?.isValid === false) return check;
  const grant = check?.live;
  // A client may have exchanged the token of another client, and so uses the grant of that client.
  const client = grant?.client.id === token.clientId
    ? grant.client
    : await findClient(token.clientId, services);
  if (client === undefined) return lost("client_gone");
  const scope = remainingScope(token.scope, client, services);
  if (scope.length === 0 && token.scope.length > 0) return lost("scope_removed");
  return { isValid: true, live: { token: { ...token, scope }, client, ...present({ grant }) } };
}

/** Finds a valid token of this kind. */
export async function findLive(
  text: string,
  kind: ReadToken["kind"],
  services: Services,
): Promise<LiveToken | undefined> {
  const token = await findToken(text, kind, services);
  const check = token?.kind === kind ? await checkToken(token, services) : undefined;
  return check?.isValid ? check.live : undefined;
}

/** A token whose iat is in the future comes from a server with a clock that is ahead, and so does its nbf. */
function hasBegun({ startsAt = 0, claims: { iat } }: ReadToken, now: number): boolean {
  const ahead = typeof iat === "number" ? Math.min(Math.max(0, iat - now), clockSkew) : 0;
  return startsAt <= now + ahead;
}

function lost(loss: TokenLoss): TokenCheck {
  return { isValid: false, loss };
}

/** The cause, as the `reason` of the advice in the journal. It is no reason of a refusal. */
type InactiveCause =
  | "inactive_unknown"
  | "inactive_other_issuer"
  | "inactive_signature"
  | "inactive_token_type"
  | "inactive_claims"
  | "inactive_early"
  | "inactive_expired"
  | "inactive_replaced"
  | "inactive_revoked"
  | "inactive_grant";

export interface Inactivity {
  readonly reason: InactiveCause;
  /** The cause, as the end of a sentence: "it has expired". */
  readonly because: string;
  readonly expected?: string;
  readonly received?: string;
}

/** For the journal: only clients that may see a token learn anything about it. */
export function explainLoss(token: ReadToken, loss: TokenLoss, { now, settings }: Services): Inactivity {
  const time = Math.floor(now());
  switch (loss) {
    case "other_issuer":
      return {
        reason: "inactive_other_issuer",
        because: "another issuer made it",
        expected: settings.issuer,
        ...present({ received: token.otherIssuer }),
      };
    case "early":
      return {
        reason: "inactive_early",
        because: "it is not valid yet",
        expected: `nbf ${time} or before`,
        received: `nbf ${token.startsAt}${describeFutureIssue(token, time)}`,
      };
    case "expired":
      return {
        reason: "inactive_expired",
        because: "it has expired",
        expected: `exp after ${time}`,
        received: `exp ${token.expiresAt}`,
      };
    case "expired_by_test":
      return {
        reason: "inactive_expired",
        because: "a test let it expire",
        received: "the original of a token that expire() replaced by an expired copy",
      };
    case "replaced":
      return {
        reason: "inactive_replaced",
        because: "a newer refresh token has replaced it",
        expected: "the refresh token of the latest response",
      };
    case "revoked":
      return { reason: "inactive_revoked", because: "it was revoked" };
    default:
      return {
        reason: "inactive_grant",
        because: "its grant or its client is no longer valid",
        expected: grantNeeds[loss],
        received: loss,
      };
  }
}

/** A server never issues a token in the future, so the clocks of two servers differ, or a hook has changed `iat`. */
function describeFutureIssue({ claims: { iat } }: ReadToken, now: number): string {
  return typeof iat === "number" && iat > now + clockSkew
    ? `; its iat is ${formatDuration(iat - now)} in the future, so the clock of a server may be wrong`
    : "";
}

/** A refresh token ends its grant and all tokens of it. An access token ends alone. `asExpired`: errors call it expired. */
export async function endToken(
  token: ReadToken,
  services: Services,
  { asExpired }: { readonly asExpired?: true } = {},
): Promise<void> {
  if (token.kind === "refresh_token") return await revokeGrant(token.grantId!, services);
  await putEnd(token, services, present({ asExpired }));
}

/** Ends an access token in place of which the client gets another one. Of several requests at once, one gets `true`. */
export async function replaceToken(token: ReadToken, services: Services): Promise<boolean> {
  return await putEnd(token, services, { if: null });
}

async function putEnd(
  token: ReadToken,
  { store, now }: Services,
  { asExpired, ...terms }: { readonly asExpired?: true; readonly if?: null },
): Promise<boolean> {
  // A server whose clock is behind still accepts a token that has just expired here.
  const expiresAt = token.expiresAt + markMargin;
  if (expiresAt <= now()) return false;
  const record = { revokedAt: now(), ...present({ asExpired }) };
  return await store.put(revokedTokens, token.jti!, record, { expiresAt, now: now(), ...terms }) !==
    undefined;
}
