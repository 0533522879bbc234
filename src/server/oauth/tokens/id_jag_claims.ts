/** The claims of an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant §3). */

import { randomText } from "../../../ground/crypto/bytes.ts";
import { present } from "../../../ground/values/present.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { claimsOfScope, selectClaims } from "../people/claims.ts";
import type { Person } from "../contracts/people.ts";
import type { Services } from "../contracts/feature.ts";

export const idJagTyp = "oauth-id-jag+jwt";

// In seconds.
const lifetime = 300;

interface DescribedIdJag {
  /** The issuer of the server that the ID-JAG is for. */
  readonly audience: string;
  /** The id that the client has at that server. */
  readonly clientId: string;
  readonly subject: string;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** The person whose email address the ID-JAG has. Absent: it has none. */
  readonly emailOf: Person | undefined;
  /** The end of the token that the ID-JAG is issued for. */
  readonly endsAt?: number;
}

export function describeIdJag(
  { audience, clientId, subject, scope, resource, emailOf, endsAt = Infinity }: DescribedIdJag,
  { settings, now, random }: Services,
): Claims & { readonly iat: number; readonly exp: number } {
  const issuedAt = Math.floor(now());
  return {
    ...(emailOf === undefined ? {} : selectClaims(emailOf, claimsOfScope["email"]!)),
    iss: settings.issuer,
    sub: subject,
    aud: audience,
    client_id: clientId,
    jti: randomText(random, 12),
    iat: issuedAt,
    exp: Math.min(issuedAt + lifetime, Math.floor(endsAt)),
    ...present({
      resource: resource.length > 1 ? resource : resource[0],
      scope: scope.length === 0 ? undefined : scope.join(" "),
    }),
  };
}
