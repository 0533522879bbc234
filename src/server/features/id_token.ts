/** ID tokens, for requests with the scope openid (OpenID Connect Core §2, §3.1.3, §12.2). */

import { carry, nonceKey, readCarried } from "../oauth/contracts/feature_values.ts";
import { sectorIdentifierMember } from "../oauth/clients/metadata/sector.ts";
import type { Feature, Services, TokenIssue } from "../oauth/contracts/feature.ts";
import { acrOf, requestedClaimsKey, selectClaims, subjectFor } from "../oauth/people/claims.ts";
import { passSeam } from "../oauth/contracts/seams.ts";
import type { SigningAlgorithm } from "../../ground/crypto/platform.ts";
import type { Claims } from "../../ground/values/members.ts";
import type { Person } from "../oauth/contracts/people.ts";
import { hashToken } from "../../ground/crypto/jwt.ts";
import { idTokenAlg, idTokenJwt } from "../oauth/tokens/response_jwt.ts";
import type { TokenMembers } from "../oauth/contracts/redemption.ts";
import { present } from "../../ground/values/present.ts";

export function idToken(): Feature {
  return {
    name: "id_token",
    spec: "OpenID Connect Core §2",
    scopes: ["openid"],
    clientMembers: [idTokenJwt.algMember, ...idTokenJwt.encryptionMembers, sectorIdentifierMember],
    requestParams: [{ name: "nonce", read: (text) => ({ carried: carry(nonceKey, text) }) }],
    carries: [nonceKey],
    tokenMembers: createIdToken,
    metadata: {
      subject_types_supported: ["public", "pairwise"],
      ...idTokenJwt.metadata,
    },
  };
}

async function createIdToken(
  issue: TokenIssue & { readonly accessToken: string },
  services: Services,
): Promise<TokenMembers | undefined> {
  const { redemption: { grantId, grant, scope, refreshFamily }, client, exchange } = issue;
  const person = services.settings.people.findBySubject(grant.subject);
  const { refreshesIdToken } = services.settings;
  const asked = refreshesIdToken && refreshFamily !== undefined ? grant.scope : scope;
  if (grantId === undefined || person === undefined || !asked.includes("openid")) return undefined;
  const subject = await subjectFor(client, grant.subject, services);
  const alg = idTokenAlg(client, services);
  const described = describeLogin(issue, { grantId, person, subject, alg }, services);
  const value = { token: "id_token", claims: described } as const;
  const { claims } = await passSeam(services.seams, "claims", value, exchange, grant);
  const terms = { token: "id_token", typ: "JWT", alg, claims } as const;
  return { members: { id_token: await idTokenJwt.write(terms, client, exchange, services, grant) } };
}

function describeLogin(
  { redemption, accessToken, client }: TokenIssue & { readonly accessToken: string },
  { grantId, person, subject, alg }: {
    readonly grantId: string;
    readonly person: Person;
    readonly subject: string;
    readonly alg: SigningAlgorithm;
  },
  services: Services,
): Claims {
  const { grant } = redemption;
  const { settings, now } = services;
  const issuedAt = Math.floor(now());
  const atHash = hashToken(accessToken, alg);
  return {
    ...selectClaims(person, [
      ...settings.claimsIn.idToken,
      ...readCarried(grant, requestedClaimsKey)?.idToken ?? [],
    ]),
    ...redemption.tokenClaims?.claims,
    iss: settings.issuer,
    sub: subject,
    aud: client.id,
    exp: issuedAt + settings.lifetimes.idToken,
    iat: issuedAt,
    auth_time: grant.authTime,
    ...present({
      // §12.2: the nonce belongs to the authentication, so an ID token from a refresh has none.
      nonce: redemption.refreshFamily === undefined ? readCarried(grant, nonceKey) : undefined,
      amr: grant.amr.length === 0 ? undefined : grant.amr,
      acr: acrOf(grant, services),
      sid: grant.session?.sid,
    }),
    at_hash: atHash,
    // Begins with the id of the grant, as the jti of an access token does.
    jti: `${grantId}.${atHash}`,
  };
}
