/** The grant and response types of a client that names none. They are a fixed list, so a new feature adds none. */

import type { Slots } from "../feature.ts";

const forEveryClient: readonly string[] = ["authorization_code", "refresh_token"];
const forConfidentialClients: readonly string[] = [...forEveryClient, "client_credentials"];

/** Without those that the server does not have. */
export function usualGrantTypes(
  { isConfidential }: { readonly isConfidential: boolean },
  { grantTypes }: Slots,
): readonly string[] {
  const usual = isConfidential ? forConfidentialClients : forEveryClient;
  return usual.filter((name) => grantTypes.has(name));
}

/** RFC 7591 §2: `code`, if the client may redeem one. */
export function usualResponseTypes(
  grantTypes: readonly string[],
  { responseTypes }: Slots,
): readonly string[] {
  return grantTypes.includes("authorization_code") && responseTypes.has("code") ? ["code"] : [];
}
