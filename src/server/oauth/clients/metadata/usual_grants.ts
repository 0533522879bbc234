/** Default grant and response types. The lists are fixed, so that a new feature does not change existing clients. */

import type { Slots } from "../../contracts/feature.ts";

const forEveryClient: readonly string[] = ["authorization_code", "refresh_token"];
const forConfidentialClients: readonly string[] = [...forEveryClient, "client_credentials"];

export function usualGrantTypes(
  { isConfidential }: { readonly isConfidential: boolean },
  { grantTypes }: Slots,
): readonly string[] {
  const usual = isConfidential ? forConfidentialClients : forEveryClient;
  return usual.filter((name) => grantTypes.has(name));
}

/** Returns `code` if the client may redeem a code (RFC 7591 §2). */
export function usualResponseTypes(
  grantTypes: readonly string[],
  { responseTypes }: Slots,
): readonly string[] {
  return grantTypes.includes("authorization_code") && responseTypes.has("code") ? ["code"] : [];
}
