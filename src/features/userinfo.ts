/** Userinfo: claims about the person of an access token (OpenID Connect Core §5.3). */

import { type SigningAlgorithm, signingAlgorithms } from "../crypto/platform.ts";
import type { Answer } from "../http/message.ts";
import { json, jwt } from "../http/respond.ts";
import { readCarried } from "../oauth/carried.ts";
import { memberOf } from "../oauth/clients/client_member.ts";
import { usualPaths } from "../oauth/paths.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { ClientMember, Endpoint, Feature } from "../oauth/feature.ts";
import type { Claims } from "../oauth/members.ts";
import { claimsOfScope, namesOfScopes, requestedClaimsKey, selectClaims } from "../oauth/people/claims.ts";
import { subjectFor } from "../oauth/people/subject.ts";
import { type RefusalRows, refusals } from "../oauth/refusals.ts";
import { passSeam } from "../oauth/seams.ts";
import type { Services } from "../oauth/services.ts";
import type { Settings, TokenClaims } from "../oauth/settings.ts";
import type { ReadToken } from "../oauth/tokens/read_token.ts";
import { requireAccessToken } from "../oauth/tokens/require_access_token.ts";
import { signToken } from "../oauth/tokens/sign_token.ts";

const refusal = refusals({
  token_without_person: {
    error: "insufficient_scope",
    spec: "OAuth 2.1 §7.4",
    sentence: "This access token belongs to the client itself, not to a person",
    change: "Use an access token of a login, not of client_credentials.",
  },
});

export const refused: RefusalRows = refusal.rows;

const userinfoAlg: ClientMember<SigningAlgorithm> = {
  name: "userinfo_signed_response_alg",
  schema: { type: "string", enum: signingAlgorithms },
  isSigningAlgorithm: true,
};

export function userinfo(): Feature<"userinfo"> {
  const endpoint: Omit<Endpoint<"userinfo">, "method"> = {
    name: "userinfo",
    path: usualPaths.userinfo,
    metadataName: "userinfo_endpoint",
    refusal: "json",
    cors: true,
    handle: showPerson,
  };
  return {
    name: "userinfo",
    spec: "OpenID Connect Core §5.3",
    scopes: Object.keys(claimsOfScope),
    endpoints: [{ method: "GET", ...endpoint }, { method: "POST", ...endpoint }],
    clientMembers: [userinfoAlg],
    metadata: {
      userinfo_signing_alg_values_supported: ({ settings }) => settings.algorithms,
      claims_supported: ({ settings: { claimsIn, tokenClaims } }) => [
        ...new Set([
          "sub",
          ...Object.values(claimsOfScope).flat(),
          ...claimsIn.idToken,
          ...claimsIn.userinfo,
          ...namesOf(tokenClaims),
        ]),
      ],
    },
  };
}

function namesOf(tokenClaims: readonly TokenClaims[]): readonly string[] {
  return tokenClaims.flatMap(({ claims }) => Object.keys(claims));
}

/** Returns the configured claims that the token got for its own request. */
function selectTokenClaims({ claims }: ReadToken, { tokenClaims }: Settings): Claims {
  if (tokenClaims.length === 0) return {};
  const present = namesOf(tokenClaims).filter((name) => claims[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, claims[name]]));
}

async function showPerson(exchange: Exchange, services: Services): Promise<Answer> {
  const { settings, now, seams } = services;
  // identify, validate
  const { token, client, grant } = await requireAccessToken(
    exchange,
    { audience: settings.issuer, scope: "openid" },
    services,
  );
  if (grant === undefined) throw refusal("token_without_person");
  const { person, entry: { value } } = grant;
  exchange.note({ subject: person.subject });
  // respond
  const names = [
    ...namesOfScopes(token.scope),
    ...settings.claimsIn.userinfo,
    ...readCarried(value, requestedClaimsKey)?.userinfo ?? [],
  ];
  const described = {
    ...selectClaims(person, names),
    ...selectTokenClaims(token, settings),
    sub: await subjectFor(client, person.subject, services),
  };
  const { claims } = await passSeam(
    seams,
    "claims",
    { token: "userinfo", claims: described },
    exchange,
    value,
  );
  const alg = memberOf(client, userinfoAlg);
  if (alg === undefined) return json(claims);
  // §5.3.2: a signed response names its issuer and its audience.
  const signed = { ...claims, iss: settings.issuer, aud: client.id, iat: Math.floor(now()) };
  const terms = { token: "userinfo", typ: "JWT", alg, claims: signed } as const;
  return jwt(await signToken(terms, exchange, services, value));
}
