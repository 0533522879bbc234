/** Who acts for the subject of a token: the claims `act` and `may_act` (RFC 8693 §4.1, §4.4). */

import type { Claims } from "../../oauth/members.ts";
import type { Settings } from "../../oauth/settings.ts";
import type { ExchangeableToken } from "../../oauth/tokens/exchangeable_token.ts";
import { present } from "../../present.ts";

/**
 * Returns the claims of the new token about actors. The current actor is the outermost, and the earlier ones are nested
 * in it. `may_act` stays, so that a further exchange is no freer.
 */
export function nameActor(
  { claims: { act: earlier, may_act } }: ExchangeableToken,
  actor: ExchangeableToken | undefined,
  { issuer }: Settings,
): Claims {
  if (actor === undefined) return present({ act: earlier, may_act });
  const { iss, sub } = actor.claims;
  const isForeign = iss !== issuer;
  return present({ act: { sub, ...present({ iss: isForeign ? iss : undefined, act: earlier }) }, may_act });
}
