/**
 * What a client may use that names no grant types and no response types. Written out here, so that a new feature never
 * widens what a client may do.
 */

import type { Slots } from "../feature.ts";

const forEveryClient: readonly string[] = ["authorization_code", "refresh_token"];
const forConfidentialClients: readonly string[] = [...forEveryClient, "client_credentials"];

/** Of these, the ones that the server has. */
export function usualGrantTypes(
  { isConfidential }: { readonly isConfidential: boolean },
  { grantTypes }: Slots,
): readonly string[] {
  const usual = isConfidential ? forConfidentialClients : forEveryClient;
  return usual.filter((name) => grantTypes.has(name));
}

/** RFC 7591 §2: `code`, where the client may redeem one. */
export function usualResponseTypes(
  grantTypes: readonly string[],
  { responseTypes }: Slots,
): readonly string[] {
  return grantTypes.includes("authorization_code") && responseTypes.has("code") ? ["code"] : [];
}
