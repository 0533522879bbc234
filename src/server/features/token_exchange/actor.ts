/** Who acts for the subject of a token: the claims `act` and `may_act` (RFC 8693 §4.1, §4.4). */

import type { Claims } from "../../oauth/members.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import type { Settings } from "../../oauth/settings.ts";
import { listActors, mostActors, nameIssuers } from "../../oauth/tokens/actor_chain.ts";
import type { ExchangeableToken } from "../../oauth/tokens/exchangeable_token.ts";
import { present } from "../../values/present.ts";

const refusal = refusals({
  exchange_actors_too_many: {
    error: "invalid_request",
    spec: "RFC 8693 §4.1",
    sentence: "The new token would have too many actors",
    expected: `at most ${mostActors} actors, with the earlier ones`,
    change: "Let fewer services exchange the token one after the other, and look for a loop of services.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The current actor is the outermost, with the earlier ones in it. `may_act` stays, so that a further exchange is no freer. */
export function nameActor(
  { claims: { act: earlier, may_act } }: ExchangeableToken,
  actor: ExchangeableToken | undefined,
  { issuer }: Settings,
): Claims {
  const { iss = issuer, sub } = actor?.claims ?? {};
  // The tokens of earlier versions name no issuer of the actors of this server.
  const act = nameIssuers(actor === undefined ? earlier : { iss, sub, ...present({ act: earlier }) }, issuer);
  const { length } = listActors(act);
  if (length > mostActors) throw refusal("exchange_actors_too_many", { received: `${length} actors` });
  return present({ act, may_act });
}
