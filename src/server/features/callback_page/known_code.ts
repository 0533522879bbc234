/** Finds what the server knows about a code. The pages show it only to a browser that has the complete code. */

import { deriveVerifier } from "../../client/flow.ts";
import { nonceKey, readCarried } from "../../oauth/contracts/feature_values.ts";
import { provesSecret } from "../../oauth/secrets/credential.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { findClient } from "../../oauth/clients/records/find_client.ts";
import type { Browser } from "../../oauth/people/browser.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { findGrantByCode, type GrantByCode } from "../../oauth/tokens/check_grant.ts";
import type { Walk } from "./walk.ts";
import { present } from "../../../ground/values/present.ts";

export interface KnownCode {
  readonly found: GrantByCode;
  readonly client: Client;
  /** Present if the flow began at this server in this browser. */
  readonly codeVerifier?: string;
}

export async function findKnownCode(
  { code, state }: { readonly code: string; readonly state?: string },
  browser: Pick<Browser, "secret"> | undefined,
  services: Services,
): Promise<KnownCode | undefined> {
  const found = await findGrantByCode(code, services);
  const client = found && await findClient(found.entry.value.clientId, services);
  if (found === undefined || client === undefined) return undefined;
  const { challenge } = found.code;
  const verifier = browser && state && deriveVerifier(browser, state);
  const isOurs = verifier && challenge && provesSecret(verifier, challenge);
  return { found, client, ...present({ codeVerifier: isOurs ? verifier : undefined }) };
}

export function startWalk(
  { code, state }: { readonly code: string; readonly state?: string },
  { found: { id, entry, code: { redirectUri } } }: KnownCode,
): Omit<Walk, "clientId"> {
  const { scope, resource } = entry.value;
  const nonce = readCarried(entry.value, nonceKey);
  return {
    code,
    ...present({ state }),
    redirectUri,
    grantId: id,
    ...present({ nonce }),
    scope,
    resource,
    begun: 0,
    steps: [],
  };
}
