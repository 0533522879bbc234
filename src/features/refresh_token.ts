/** Refresh tokens: rotated on every use; one that comes back ends everything it gave (OAuth 2.1 §4.3). */

import type { Client } from "../oauth/clients/client.ts";
import { fail, OAuthError, type RefusalDetails } from "../oauth/error.ts";
import type { Feature, GrantType, TokenReader } from "../oauth/feature.ts";
import { requireParam } from "../oauth/params.ts";
import type { Services } from "../oauth/services.ts";
import { checkGrant, type GrantLoss, grantNeeds } from "../oauth/tokens/check_grant.ts";
import { findGrant } from "../oauth/tokens/find_grant.ts";
import type { Grant } from "../oauth/tokens/grant.ts";
import { requireSameSender } from "../oauth/tokens/prove_sender.ts";
import { endGrant, type Ending, type Redemption } from "../oauth/tokens/redemption.ts";
import {
  bindChain,
  findBinding,
  formatRefreshToken,
  isOfChain,
  parseRefreshToken,
  type RefreshChain,
  type RefreshToken,
  startChain,
} from "../oauth/tokens/refresh_chain.ts";
import { narrowResources } from "../oauth/tokens/resource.ts";
import { narrowScope, remainingScope } from "../oauth/tokens/scope.ts";
import type { Sender } from "../oauth/tokens/sender.ts";
import type { Entry } from "../store/store.ts";

export type RefreshReason =
  | "refresh_unknown"
  | "refresh_of_another_client"
  | "refresh_expired"
  | "refresh_revoked"
  | "refresh_reused"
  | "refresh_grant_ended";

const name = "refresh_token";

export function refreshToken(): Feature {
  return {
    name,
    spec: "OAuth 2.1 §4.3",
    scopes: ["offline_access"],
    grantTypes: [grantType],
    tokenReaders: [reader],
    tokenMembers({ redemption, client, sender }, services) {
      const made = continueOrStart(redemption, client, services);
      if (made === undefined) return undefined;
      const { family } = made;
      const chain = bindToSender(made.chain, sender);
      return {
        members: { refresh_token: formatRefreshToken(redemption.grantId!, chain, family) },
        grant: { refresh: chain },
        // A client that comes too late is told so for as long again, and not that the token is unknown.
        expiresAt: idleEnd(chain, services) + services.settings.lifetimes.refreshIdle,
        livesUntil: idleEnd(chain, services),
      };
    },
  };
}

function continueOrStart(
  redemption: Redemption,
  client: Client,
  { now, random, settings }: Services,
): { readonly chain: RefreshChain; readonly family: string } | undefined {
  const { grantId, grant, refreshFamily } = redemption;
  if (grantId === undefined || !client.grantTypes.includes(name)) return undefined;
  if (refreshFamily !== undefined && grant.refresh !== undefined) {
    return { chain: grant.refresh, family: refreshFamily };
  }
  return startChain({ now: now(), endsAt: Math.floor(now()) + settings.lifetimes.refreshAbsolute, random });
}

function bindToSender(chain: RefreshChain, { confirmation, bindsRefresh }: Sender): RefreshChain {
  return bindsRefresh && confirmation !== undefined ? bindChain(chain, confirmation) : chain;
}

/** OAuth 2.1 §4.3.3: it ends when it is not used, and some day anyway. */
function idleEnd({ rotatedAt, endsAt }: RefreshChain, { settings }: Services): number {
  return Math.min(Math.floor(rotatedAt) + settings.lifetimes.refreshIdle, endsAt);
}

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

const reader: TokenReader = {
  kind: name,
  async read(text, services) {
    const found = await findChain(text, services);
    if (found === undefined) return undefined;
    const { token, entry, chain } = found;
    const { clientId, scope } = entry.value;
    return {
      kind: name,
      clientId,
      grantId: token.grantId,
      scope,
      audience: [services.settings.issuer],
      expiresAt: idleEnd(chain, services),
      claims: { iss: services.settings.issuer },
      ...(token.generation === chain.generation ? {} : { superseded: true }),
    };
  },
};

const grantType: GrantType = {
  name,
  // The same order as for a code, for the same reasons: status last, and only a request that is right in all else
  // ends anything.
  async redeem({ exchange, form, client: { client }, sender }, services) {
    const found = await requireChain(requireParam(form, name), services);
    const { token: { grantId, generation, family }, entry, chain } = found;
    const grant = entry.value;
    exchange.note({ flow: grantId, subject: grant.subject, scope: grant.scope, resource: grant.resource });
    requireSameClient(grant, client);
    requireSameSender(findBinding(found.token, chain), sender);
    requireUnexpired(chain, services);
    const resource = narrowResources(form.all("resource"), grant.resource, services.settings);
    const scope = narrowScope(form.get("scope"), remainingScope(grant.scope, client, services));
    if (grant.status !== "active") refuseRevoked();
    const live = await checkGrant(grantId, entry, services);
    if (typeof live === "string") refuseEnded(live);
    const common = { grantId, scope, resource, keepUntil: entry.expiresAt, refreshFamily: family };
    if (generation === chain.generation) {
      const next = { ...chain, generation: generation + 1, rotatedAt: services.now() };
      return { ...common, grant: { ...grant, refresh: next }, replaces: entry.version };
    }
    // The answer got lost: the same successor again, so that there are never two.
    if (isInGrace(found, services)) return { ...common, grant, replaces: "unstored" };
    return refuseReused(found, services);
  },
};

async function requireChain(text: string, services: Services): Promise<Found> {
  return await findChain(text, services) ??
    fail<RefreshReason>("invalid_grant", "The refresh token is not valid", {
      reason: "refresh_unknown",
      spec: "OAuth 2.1 §4.3.1",
      expected: "a refresh token that this server gave and has not forgotten",
    });
}

function requireSameClient(grant: Grant, client: Client): void {
  if (grant.clientId === client.id && grant.clientEpoch === client.epoch) return;
  fail<RefreshReason>("invalid_grant", "The refresh token was given to another client", {
    reason: "refresh_of_another_client",
    spec: "OAuth 2.1 §4.3.1",
    expected: grant.clientId,
    received: client.id,
  });
}

function requireUnexpired(chain: RefreshChain, services: Services): void {
  if (services.now() < idleEnd(chain, services)) return;
  const { refreshIdle, refreshAbsolute } = services.settings.lifetimes;
  fail<RefreshReason>("invalid_grant", "The refresh token has expired", {
    reason: "refresh_expired",
    spec: "OAuth 2.1 §4.3.3",
    expected: `used within ${refreshIdle} seconds, and for ${refreshAbsolute} seconds at most`,
  });
}

function isInGrace({ token, chain }: Found, { settings, now }: Services): boolean {
  return token.generation === chain.generation - 1 &&
    now() < chain.rotatedAt + settings.lifetimes.refreshGrace;
}

function refuseRevoked(): never {
  fail<RefreshReason>("invalid_grant", "The refresh token is not valid any more", {
    reason: "refresh_revoked",
    spec: "OAuth 2.1 §4.3.1",
  });
}

function refuseEnded(end: GrantLoss): never {
  fail<RefreshReason>("invalid_grant", "What the refresh token was given for has ended", {
    reason: "refresh_grant_ended",
    spec: "OAuth 2.1 §4.3.1",
    expected: grantNeeds[end],
    received: end,
  });
}

/** OAuth 2.1 §4.3.1: either copy may be the thief's, so both end. */
function refuseReused({ token, entry, chain }: Found, { now }: Services): Ending {
  const later = Math.round((now() - chain.rotatedAt) * 1000);
  const details: RefusalDetails<RefreshReason> = {
    reason: "refresh_reused",
    spec: "OAuth 2.1 §4.3.1",
    expected: `generation ${chain.generation}`,
    received:
      `generation ${token.generation}, ${later} ms after the last rotation: do two refreshes run at once?`,
  };
  const description = "The refresh token was used before; everything of its grant is revoked";
  return endGrant(token.grantId, entry, new OAuthError("invalid_grant", description, details));
}
