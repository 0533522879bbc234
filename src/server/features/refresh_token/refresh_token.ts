/**
 * Refresh tokens. Each use replaces the token, and using an old one revokes all tokens of its login (OAuth 2.1 §4.3). A
 * server or a client can also keep one token.
 */

import type { Client } from "../../oauth/contracts/client.ts";
import { clockSkew } from "../../oauth/options/clock_skew.ts";
import type { Feature, Services } from "../../oauth/contracts/feature.ts";
import type { Members } from "../../../ground/values/members.ts";
import { type Setting, settingOf } from "../../oauth/contracts/feature_values.ts";
import type { Grant, RefreshChain } from "../../oauth/contracts/grant.ts";
import type { Redemption } from "../../oauth/contracts/redemption.ts";
import { grantEnd, idleEnd, refreshEnd } from "../../oauth/tokens/check_grant.ts";
import { readRefreshToken, redeemRefresh } from "./redeem_refresh.ts";
import { bindChain, formatRefreshToken, rotation, rotationMember, startChain } from "./refresh_chain.ts";

const name = "refresh_token";

/** The options of refresh tokens. */
export interface RefreshTokenOptions {
  /**
   * `false`: a refresh token stays the same when it is used, as FAPI 2.0 requires. It must be that of a client that
   * authenticates, or be bound to a key (OAuth 2.1 §4.3.1). A single client has `rotate_refresh_tokens`. Default:
   * `true`.
   */
  readonly rotateRefreshTokens?: boolean;
  /**
   * `true`: token responses have `refresh_token_timeout` and `authorization_expires_in`, which say how long the client
   * can refresh (draft-ietf-oauth-refresh-token-expiration-03). Default: `false`, because the names may still change.
   */
  readonly refreshTokenExpiration?: boolean;
}

/** What a client can say about its refresh tokens. */
export interface RefreshTokenClientMembers {
  /** `false`: a refresh token stays the same when it is used (FAPI 2.0). Default: `rotateRefreshTokens`. */
  readonly rotate_refresh_tokens?: boolean;
}

const announcesExpiration: Setting<boolean> = { name: "refreshTokenExpiration", schema: { type: "boolean" } };

export function refreshToken(): Feature {
  return {
    name,
    spec: "OAuth 2.1 §4.3",
    settings: [announcesExpiration, rotation],
    clientMembers: [rotationMember],
    metadata: {
      refresh_token_expiration_types_supported: ({ settings }) =>
        settingOf(settings, announcesExpiration) ? ["authorization", "token_timeout"] : undefined,
    },
    scopes: ["offline_access"],
    grantTypes: [{
      name,
      params: [name, "scope", "resource"],
      redeem: redeemRefresh,
      tokenReader: { kind: name, read: readRefreshToken },
    }],
    tokenMembers({ redemption, client, sender }, services) {
      const continued = continueOrStart(redemption, client, services);
      if (continued === undefined) return undefined;
      const chain = bindChain(continued.chain, sender);
      return {
        members: {
          refresh_token: formatRefreshToken(redemption.grantId!, chain, continued.family),
          ...describeExpiration(chain, redemption.grant, services),
        },
        grant: { refresh: chain },
        // The record outlives the token, so that a late client learns that the token has expired and is not unknown.
        expiresAt: idleEnd(chain, services) + Math.max(services.settings.lifetimes.refreshIdle, clockSkew),
        livesUntil: idleEnd(chain, services),
      };
    },
  };
}

function describeExpiration(chain: RefreshChain, grant: Grant, services: Services): Members {
  if (!settingOf(services.settings, announcesExpiration)) return {};
  const secondsUntil = (time: number) => Math.max(0, Math.floor(time - services.now()));
  return {
    refresh_token_timeout: secondsUntil(refreshEnd(chain, grant, services)),
    authorization_expires_in: secondsUntil(grantEnd(chain, grant, services)),
  };
}

function continueOrStart(
  redemption: Redemption,
  client: Client,
  services: Services,
): { readonly chain: RefreshChain; readonly family: string } | undefined {
  const { grantId, grant, refreshFamily } = redemption;
  if (grantId === undefined || !client.grantTypes.includes(name)) return undefined;
  return refreshFamily !== undefined && grant.refresh !== undefined
    ? { chain: grant.refresh, family: refreshFamily }
    : startChain(services);
}
