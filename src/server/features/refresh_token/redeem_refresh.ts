/** Finds refresh tokens, and redeems them (OAuth 2.1 §4.3.1). */

import type { Client } from "../../oauth/contracts/client.ts";
import { narrowScope, remainingScope, widenScope } from "../../oauth/clients/metadata/scope.ts";
import { describeForeignClock, timeFor } from "../../oauth/options/clock_skew.ts";
import { fail, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { GrantType, Services } from "../../oauth/contracts/feature.ts";
import { requireParam } from "../../oauth/contracts/params.ts";
import {
  checkGrant,
  findGrant,
  findOtherIssuer,
  grantNeeds,
  idleEnd,
  proposeEnd,
  refreshEnd,
  requireOwnIssuer,
} from "../../oauth/tokens/check_grant.ts";
import type { Grant, RefreshChain } from "../../oauth/contracts/grant.ts";
import { requireSameSender } from "../../oauth/tokens/prove_sender.ts";
import type { ReadToken } from "../../oauth/contracts/read_token.ts";
import type { Ending } from "../../oauth/contracts/redemption.ts";
import { narrowResources } from "../../oauth/tokens/resource.ts";
import { present } from "../../../ground/values/present.ts";
import { formatDuration } from "../../../ground/schema/duration.ts";
import type { Entry } from "../../store/store.ts";
import { findBinding, isOfChain, keepsToken, parseRefreshToken, type RefreshToken } from "./refresh_chain.ts";

const refusal = refusals({ error: "invalid_grant", spec: "OAuth 2.1 §4.3.1" }, {
  refresh_reused: {
    sentence: "The refresh token was used before; all tokens of its grant are revoked",
    expected: "the refresh token of the latest response: number {generation} since the login",
    change:
      "Use the refresh token of the latest response, and let only one request refresh at a time. The person must sign in again now.",
  },
  refresh_replaced: {
    sentence: "The refresh token was replaced by a new one, which has been used",
    expected: "the refresh token of the latest response that has a new one",
    change: "Use the refresh token of the latest response.",
  },
  refresh_unknown: {
    sentence: "The refresh token is not valid",
    expected: "a refresh token that this server issued and still knows",
    change:
      "Send the refresh token as it was issued, to the server that issued it. A restart with a memory store forgets it.",
  },
  refresh_of_another_client: {
    sentence: "The refresh token was given to another client",
    expected: "the client to which the refresh token was issued",
    change: "Refresh as the client that got the refresh token.",
  },
  refresh_expired: {
    spec: "OAuth 2.1 §4.3.3",
    sentence: "The refresh token has expired",
    expected:
      "a use within lifetimes.refreshIdle after the last one, and within lifetimes.refreshAbsolute after the first refresh token",
    change: "Refresh more often than lifetimes.refreshIdle, or start a new login.",
  },
  refresh_revoked: {
    sentence: "The refresh token is not valid any more",
    change: "Start a new login: an earlier request ended this grant.",
  },
  refresh_grant_ended: {
    sentence: "The grant of this refresh token is no longer valid",
    expected: "a grant that has not ended",
    change: "Start a new login: the person, the client or the session of this grant has ended.",
  },
});

export const refused: RefusalRows = refusal.rows;

interface Found {
  readonly token: RefreshToken;
  readonly entry: Entry<Grant>;
  readonly chain: RefreshChain;
}

async function findChain(text: string, services: Services): Promise<Found | undefined> {
  const token = parseRefreshToken(text);
  if (token === undefined) return undefined;
  const entry = await findGrant(token.grantId, services);
  const chain = entry?.value.refresh;
  return entry && chain && isOfChain(token, chain) ? { token, entry, chain } : undefined;
}

export async function readRefreshToken(text: string, services: Services): Promise<ReadToken | undefined> {
  const found = await findChain(text, services);
  if (found === undefined) return undefined;
  const { token, entry, chain } = found;
  const { clientId, scope } = entry.value;
  return {
    kind: "refresh_token",
    clientId,
    grantId: token.grantId,
    scope,
    audience: [services.settings.issuer],
    expiresAt: idleEnd(chain, services),
    endsAt: refreshEnd(chain, entry.value, services),
    ...present({ otherIssuer: findOtherIssuer(entry.value, services), clock: chain.clock }),
    claims: { iss: services.settings.issuer },
    ...present({
      superseded: token.generation === chain.generation
        ? undefined
        : mayRetry(found)
        ? "retriable" as const
        : "ended" as const,
    }),
  };
}

// The order matters, as for a code: only a request that is right in all else learns the status of the grant, or ends
// the grant.
export const redeemRefresh: GrantType["redeem"] = async (
  { exchange, form, client: { client }, sender },
  services,
) => {
  const text = requireParam(form, "refresh_token");
  const found = await findChain(text, services) ?? fail(refusal("refresh_unknown"));
  const { token: { grantId, generation, family }, entry, chain } = found;
  const grant = entry.value;
  exchange.note({ flow: grantId, subject: grant.subject, scope: grant.scope, resource: grant.resource });
  requireOwnIssuer(grant, { credential: "refresh token", error: "invalid_grant" }, services);
  requireSameClient(grant, client);
  requireSameSender(findBinding(found.token, chain), sender);
  requireUnexpired(chain, services);
  const resource = narrowResources(form.all("resource"), grant.resource, services.settings);
  const asked = form.get("scope");
  const widest = services.settings.widensRefresh ? widenScope(grant.scope, asked) : grant.scope;
  const scope = narrowScope(asked, remainingScope(widest, client, services));
  if (grant.status !== "active") throw refusal("refresh_revoked");
  const check = await checkGrant(grantId, entry, services, client);
  if (!check.isValid) {
    throw refusal("refresh_grant_ended", { expected: grantNeeds[check.loss], received: check.loss });
  }
  const common = {
    ...{ grantId, scope, resource, refreshFamily: family },
    ...{ replaces: entry.version, keepUntil: entry.expiresAt },
  };
  const keeps = keepsToken(chain, client, services);
  // The client may have lost a response. It gets the same new token again, so that two never exist.
  const isRetry = keeps && mayRetry(found);
  if (generation === chain.generation || isRetry) {
    const next = isRetry
      ? usedChain(chain, services)
      : keeps
      ? keptChain(chain, services)
      : replacedChain(chain, services);
    return next === chain
      ? { ...common, grant, keepsGrant: true }
      : { ...common, grant: { ...grant, refresh: next } };
  }
  if (keeps) {
    throw refusal("refresh_replaced", { received: `number ${generation}, before ${chain.generation}` });
  }
  if (isInGrace(found, services)) return { ...common, grant, keepsGrant: true };
  return reusedTokenRefusal(found, exchange);
};

function replacedChain(
  { replacesOnce: _once, isUnused: _unused, ...chain }: RefreshChain,
  { now, clock }: Services,
): RefreshChain {
  return { ...chain, generation: chain.generation + 1, rotatedAt: now(), clock };
}

/** Returns the chain after a use that does not replace the token, unless the test kit has asked for a new one. */
function keptChain(chain: RefreshChain, services: Services): RefreshChain {
  if (chain.replacesOnce) return { ...replacedChain(chain, services), isUnused: true };
  const { isUnused, ...used } = chain;
  return usedChain(isUnused ? used : chain, services);
}

function usedChain(chain: RefreshChain, { now, clock }: Services): RefreshChain {
  // Many requests may use the token at the same time. Only the first one in a second has something to write.
  const isNoted = chain.clock === clock && Math.floor(chain.rotatedAt) === Math.floor(now());
  return isNoted ? chain : { ...chain, rotatedAt: now(), clock };
}

/** FAPI 2.0 Security Profile §5.3.2.1-9: the old token can be sent again until the client has used the new one. */
function mayRetry({ token, chain }: Found): boolean {
  return chain.isUnused === true && token.generation === chain.generation - 1;
}

function requireSameClient(grant: Grant, client: Client): void {
  if (grant.clientId === client.id && grant.clientEpoch === client.epoch) return;
  throw refusal("refresh_of_another_client", { expected: grant.clientId, received: client.id });
}

function requireUnexpired(chain: RefreshChain, services: Services): void {
  if (timeFor(chain, services) < idleEnd(chain, services)) return;
  const { refreshIdle, refreshAbsolute } = services.settings.lifetimes;
  throw refusal("refresh_expired", {
    expected: `used within ${refreshIdle} seconds, and for ${refreshAbsolute} seconds at most` +
      describeForeignClock(chain, services),
  });
}

function isInGrace({ token, chain }: Found, services: Services): boolean {
  const { refreshGrace } = services.settings.lifetimes;
  return token.generation === chain.generation - 1 &&
    refreshGrace > 0 && timeFor(chain, services) < chain.rotatedAt + refreshGrace;
}

/** OAuth 2.1 §4.3.1: the server cannot tell which copy was stolen, so the grant ends. */
function reusedTokenRefusal({ token, entry, chain }: Found, { receivedAt }: Exchange): Ending {
  const later = receivedAt - chain.rotatedAt;
  const time = later < 0
    ? `while the server issued number ${chain.generation}`
    : `${formatDuration(later)} after number ${chain.generation} was issued`;
  const reused = refusal("refresh_reused", {
    generation: chain.generation,
    received: `number ${token.generation}, ${time}`,
  });
  return proposeEnd(token.grantId, entry, reused);
}
