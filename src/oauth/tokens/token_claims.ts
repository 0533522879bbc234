/** Finds the configured claims of a token by its request. Features add claims with their slot `accessTokenClaims`. */

import type { Client } from "../clients/client.ts";
import type { Exchange } from "../exchange.ts";
import { readForm } from "../params.ts";
import type { Settings, TokenClaims } from "../settings.ts";
import type { Redemption } from "./redemption.ts";

/** Returns the first entry whose conditions the request meets. */
export async function findTokenClaims(
  { scope }: Redemption,
  { id }: Client,
  exchange: Exchange,
  { tokenClaims }: Settings,
): Promise<TokenClaims | undefined> {
  const form = await readForm(exchange);
  const valuesOf = (param: string): readonly string[] =>
    param === "client_id" ? [id] : param === "scope" ? [scope.join(" ")] : form.all(param);
  return tokenClaims.find(({ when }) =>
    when.every(([param, pattern]) => valuesOf(param).some((value) => pattern.test(value)))
  );
}
