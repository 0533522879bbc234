/** The sender of a token that `mint` issues. It proves the key that the tokens of the client are bound to. */

import type { DpopKey } from "../../../server/client/dpop_key.ts";
import { type Client, methodOf, publicClientMethod } from "../../../server/oauth/clients/client.ts";
import type { SenderProof } from "../../../server/oauth/feature.ts";
import type { Services } from "../../../server/oauth/services.ts";
import { bearer, type Sender } from "../../../server/oauth/tokens/sender.ts";
import { type DpopTerm, openClientKey, senderWith } from "../client/dpop_client.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import type { MintKind } from "./mint_terms.ts";

export interface MintSender {
  readonly sender: Sender;
  readonly dpop?: DpopKey | undefined;
}

/** Throws if the client gets such a token only with a certificate, and has none. */
export async function openMintSender(
  kind: MintKind,
  term: DpopTerm | undefined,
  client: Client,
  context: TenantContext,
): Promise<MintSender> {
  const { services } = context;
  const bindsRefresh = methodOf(client) === publicClientMethod;
  const dpop = await openClientKey("mint", term, client.members, context);
  if (dpop !== undefined) return { sender: senderWith(dpop, { bindsRefresh }), dpop };
  const isBound = kind === "access" || kind === "refresh" && bindsRefresh;
  const proof = isBound && term === undefined ? findCertificateProof(client, services) : undefined;
  if (proof === undefined) return { sender: bearer };
  const thumbprint = context.certificates.of(client.id)?.thumbprint;
  if (thumbprint === undefined) {
    throw new TypeError(
      `Cannot mint: the tokens of the client ${client.id} are bound to its certificate, and it has none. ` +
        `Create one with as.certificate(${
          JSON.stringify(client.id)
        }), or mint an unbound token with dpop: false`,
    );
  }
  const confirmation = { method: proof.name, thumbprint };
  return { sender: { tokenType: proof.tokenType, confirmation, bindsRefresh } };
}

/** Returns the proof by a certificate, if the client has registered that it binds its tokens (RFC 8705 §3.4). */
function findCertificateProof(client: Client, services: Services): SenderProof | undefined {
  return [...services.slots.senderProofs.values()].find(({ boundBy, isRequired }) =>
    boundBy !== undefined && isRequired?.(client, services)
  );
}
