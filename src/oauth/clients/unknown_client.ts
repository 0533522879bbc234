/** Names a client that the server does not know. A client_id is public, but some requests send a secret in its place. */

import { sameDigest } from "../../crypto/bytes.ts";
import type { Exchange } from "../exchange.ts";
import { hidden, redactText } from "../redaction.ts";
import type { Services } from "../services.ts";
import { hashSecret } from "../tokens/credential.ts";

/** Notes the id for the journal, without anything that looks like a secret. Returns the noted text. */
export function noteUnknownClient(id: string, exchange: Exchange, services: Services): string {
  const clientId = isConfiguredSecret(id, services) ? hidden : redactText(id);
  exchange.note({ clientId, clientIsUnknown: true });
  return clientId;
}

function isConfiguredSecret(text: string, { settings }: Services): boolean {
  const digest = hashSecret(text);
  return [...settings.clients.values()].some(({ authentication }) => {
    const hash = authentication?.secretHash;
    return hash !== undefined && sameDigest(digest, hash);
  });
}
