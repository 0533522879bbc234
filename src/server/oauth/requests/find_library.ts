/** Says a refusal in the words of libraries. Their words are loaded at the first such refusal. */

import { namesThisMachine } from "../../../ground/http/address.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { LibraryHelp } from "../../libraries/library.ts";
import type { OAuthError } from "../contracts/refusals.ts";
import type { Services } from "../contracts/feature.ts";

/** What libraries are told after a refusal with this reason. */
export const switches: Readonly<Record<string, "pkce" | "response_type">> = {
  challenge_missing: "pkce",
  challenge_and_nonce_missing: "pkce",
  challenge_method_missing: "pkce",
  challenge_method_unsupported: "pkce",
  response_type_missing: "response_type",
  response_type_unsupported: "response_type",
};

/** Returns nothing if no library has a word for the change, or if other machines can reach the issuer. */
export async function findLibraries(
  { details: { reason } }: OAuthError,
  { request, bodyRead }: Pick<Exchange, "request" | "bodyRead">,
  { settings: { issuer } }: Pick<Services, "settings">,
): Promise<LibraryHelp | undefined> {
  const of = Object.hasOwn(switches, reason) ? switches[reason] : undefined;
  if (of === undefined || !namesThisMachine(new URL(issuer).hostname)) return undefined;
  const { helpWith } = await import("../../libraries/help.ts");
  return helpWith(of, bodyRead ?? request.address.query, issuer);
}
