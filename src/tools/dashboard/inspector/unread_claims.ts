/** Tells why a name is missing: the client reads only its ID token, and the claims of its scopes are at userinfo. */

import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { flowOf } from "../../../kit/mock/journal/exchange_parts.ts";
import type { JournalIndex } from "../../../kit/mock/journal/journal_index.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import type { ShownRefusal } from "../../../kit/timeline/exchange_props.ts";
import { namesOfScopes, selectClaims } from "../../../server/oauth/people/claims.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";

// In seconds, by the server's clock. A client that calls userinfo does so at once.
const patience = 30;

/**
 * Returns advice for the response with the ID token of a login, if the client has not called userinfo for a while, and the
 * ID token lacks claims of the person that the scope asks for. Nothing is refused.
 */
export function adviseUnreadClaims(
  kept: KeptEntry,
  journal: JournalIndex,
  { settings, now }: Services,
): ShownRefusal | undefined {
  const { entry: { facts, receivedAt, response } } = kept;
  const flow = flowOf(kept);
  if (facts.grantType !== "authorization_code" || flow === undefined) return undefined;
  if (now() - receivedAt < patience) return undefined;
  if (journal.listFlow(flow).some(({ endpoint }) => endpoint === "userinfo")) return undefined;
  const person = settings.people.findBySubject(facts.subject ?? "");
  const idToken = parseJwt(`${parseJsonObject(response.body ?? "")?.["id_token"]}`)?.claims;
  if (person === undefined || idToken === undefined) return undefined;
  const { scope: scopes = [] } = facts;
  const known = selectClaims(person, namesOfScopes(scopes));
  const listMissing = (scope: string) =>
    namesOfScopes([scope]).filter((name) => Object.hasOwn(known, name) && !Object.hasOwn(idToken, name));
  const asked = scopes.filter((scope) => listMissing(scope).length > 0);
  const missing = asked.flatMap(listMissing);
  const [first] = missing;
  if (first === undefined) return undefined;
  return {
    reason: "userinfo_not_called",
    description: `This client asked for ${
      asked.join(" and ")
    } and never called userinfo, where the claim ${first} is`,
    spec: "OpenID Connect Core §5.4",
    expected: `a request to userinfo with the access token, which gives ${missing.join(", ")}`,
    received: `no request to userinfo in ${patience} s. The ID token has no ${first}`,
    change: "Let the client call userinfo. For a library that reads only the ID token, set claimsIn.idToken.",
    remedy: JSON.stringify({ claimsIn: { idToken: [...settings.claimsIn.idToken, ...missing] } }, null, 2),
  };
}
