/** Whether each use of a refresh token replaces it (OAuth 2.1 §4.3.1). */

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
