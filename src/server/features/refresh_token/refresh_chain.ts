/** The refresh chain: recognises every refresh token that a grant ever issued, although none of them is stored. */

import { requiresProof } from "../../oauth/clients/authentication/bound_tokens.ts";
import { type Client, publicClientMethod } from "../../oauth/contracts/client.ts";
import {
  type CoreSettings,
  memberOf,
  type Setting,
  settingOf,
  type SettingSlots,
} from "../../oauth/contracts/feature_values.ts";
import type { ClientMember, Services } from "../../oauth/contracts/feature.ts";
import { refuseOption } from "../../oauth/options/set_up_mistake.ts";
import type { RefreshChain } from "../../oauth/contracts/grant.ts";
import { randomText } from "../../../ground/crypto/bytes.ts";
import { hmacSha256, sameDigest, sha256 } from "../../../ground/crypto/platform.ts";
import { refreshTokenForm } from "../../oauth/secrets/credential.ts";
import type { Confirmation, Sender } from "../../oauth/contracts/sender.ts";

export interface RefreshToken {
  readonly grantId: string;
  readonly generation: number;
  readonly family: string;
  readonly proof: string;
}

export function parseRefreshToken(text: string): RefreshToken | undefined {
  const match = refreshTokenForm.exec(text);
  if (match === null) return undefined;
  const [, grantId, generation, family, proof] = match;
  return { grantId: grantId!, generation: Number(generation), family: family!, proof: proof! };
}

export function startChain(
  { now, clock, random, settings }: Services,
): { readonly chain: RefreshChain; readonly family: string } {
  const family = randomText(random, 24);
  const chain = {
    familyHash: sha256(family),
    key: randomText(random, 32),
    generation: 1,
    rotatedAt: now(),
    clock,
    endsAt: Math.floor(now()) + settings.lifetimes.refreshAbsolute,
  };
  return { chain, family };
}

/** Computes the current token from the chain and its secret, so that the token need not be stored. */
export function formatRefreshToken(grantId: string, chain: RefreshChain, family: string): string {
  const body = `${grantId}.${chain.generation}.${family}`;
  return `${body}.${proofOf(body, chain)}`;
}

/** Whether this chain issued the token, in its current or an earlier generation. */
export function isOfChain(token: RefreshToken, chain: RefreshChain): boolean {
  const body = `${token.grantId}.${token.generation}.${token.family}`;
  return sameDigest(sha256(token.family), chain.familyHash) &&
    sameDigest(token.proof, proofOf(body, chain)) &&
    token.generation <= chain.generation;
}

/** Returns the chain bound to a key that the client has proved. A chain that is bound already stays unchanged. */
export function bindChain(chain: RefreshChain, { confirmation, bindsRefresh }: Sender): RefreshChain {
  if (chain.binding !== undefined || !bindsRefresh || confirmation === undefined) return chain;
  return { ...chain, binding: { ...confirmation, fromGeneration: chain.generation } };
}

/** A token from before the binding needs no key, so that its reuse is always detected. */
export function findBinding(token: RefreshToken, { binding }: RefreshChain): Confirmation | undefined {
  return binding !== undefined && token.generation >= binding.fromGeneration ? binding : undefined;
}

function proofOf(body: string, { key }: RefreshChain): string {
  return hmacSha256(key, body, 16);
}

/** Whether each use of a refresh token replaces it (OAuth 2.1 §4.3.1). */
export const rotation: Setting<boolean> = {
  name: "rotateRefreshTokens",
  schema: { type: "boolean" },
  read(option, settings, features) {
    for (const [index, client] of [...settings.clients.values()].entries()) {
      const own = memberOf(client, rotationMember);
      if ((own ?? option) !== false || client.isDemo || isProtected(client, settings, features)) continue;
      refuseOption(
        own === undefined ? rotation.name : `clients[${index}].${rotationMember.name}`,
        `must not be false for the public client ${client.id}, unless its tokens are bound to a key by ` +
          "require_bound_access_tokens, dpop_bound_access_tokens or tls_client_certificate_bound_access_tokens " +
          "(OAuth 2.1 §4.3.1)",
      );
    }
    return option;
  },
};

export const rotationMember: ClientMember<boolean> = {
  name: "rotate_refresh_tokens",
  schema: { type: "boolean" },
};

function isPublic({ authentication }: Client): boolean {
  return authentication === undefined || authentication.method === publicClientMethod;
}

/** Whether only the client can use its refresh tokens: it gets none, it authenticates, or it proves a key. */
function isProtected(client: Client, settings: CoreSettings, { senderProofs }: SettingSlots): boolean {
  const services = { settings: { ...settings, ofFeatures: {} } };
  return !client.grantTypes.includes("refresh_token") || !isPublic(client) ||
    memberOf(client, requiresProof) === true ||
    [...senderProofs.values()].some((proof) => proof.isRequired?.(client, services));
}

export function keepsToken(
  { binding }: RefreshChain,
  client: Client,
  { settings }: Pick<Services, "settings">,
): boolean {
  const rotates = memberOf(client, rotationMember) ?? settingOf(settings, rotation) ?? true;
  return !rotates && (binding !== undefined || !isPublic(client));
}
