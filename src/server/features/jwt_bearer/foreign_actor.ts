/** Reads who acts for the subject of a trusted JWT: the claim `act` (RFC 8693 §4.1). */

import type { Claims } from "../../../ground/values/members.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { listActors, mostActors, nameIssuers } from "../../oauth/tokens/actor_chain.ts";
import { present } from "../../../ground/values/present.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { describeValue } from "../../../ground/schema/received.ts";

const spec = "RFC 8693 §4.1";

const refusal = refusals({ error: "invalid_grant", spec }, {
  jwt_grant_actor: {
    sentence: "The act of the JWT is malformed",
    expected: "an act that is a JSON object, as each earlier act in it; iss and sub are texts",
    change: "Let the issuer name the actor as RFC 8693 says, or leave act out.",
  },
  jwt_grant_actor_of_this_server: {
    sentence: "The act of the JWT names an actor of this server, for which another issuer cannot vouch",
    expected: "an act with another iss, or without one, which is then that of the JWT",
    change:
      "Let the issuer name its own actors. An actor of this server sends its token as actor_token of a token exchange.",
  },
  jwt_grant_actors_too_many: {
    sentence: "The act of the JWT has too many actors",
    expected: `at most ${mostActors} actors`,
    change: "Let fewer services exchange the token one after the other.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function requireForeignActor({ act }: Claims, { settings }: Pick<Services, "settings">): void {
  const levels = listActors(act);
  if (levels.length > mostActors) {
    throw refusal("jwt_grant_actors_too_many", { received: `${levels.length} actors` });
  }
  for (const level of levels) {
    if (!isJsonObject(level)) throw refusal("jwt_grant_actor", { received: describeValue(level) });
    const { iss, sub } = level;
    for (const [name, value] of Object.entries({ iss, sub })) {
      if (value === undefined || typeof value === "string" && value !== "") continue;
      throw refusal("jwt_grant_actor", { received: `${name} ${describeValue(value)}` });
    }
    if (iss === settings.issuer) throw refusal("jwt_grant_actor_of_this_server", { received: `iss ${iss}` });
  }
}

/** Returns the claim `act` of the new token: an actor without `iss` is one of the issuer of the JWT. */
export function readForeignActor({ iss, act }: Claims): Claims {
  return present({ act: nameIssuers(act, iss) });
}
