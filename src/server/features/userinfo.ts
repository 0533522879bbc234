/** Userinfo: claims about the person of an access token (OpenID Connect Core §5.3). */

import type { Answer } from "../../ground/http/message.ts";
import { json, jwt } from "../../ground/http/respond.ts";
import { readCarried } from "../oauth/contracts/feature_values.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Claims } from "../../ground/values/members.ts";
import {
  claimsOfScope,
  namesOfScopes,
  requestedClaimsKey,
  selectClaims,
  subjectFor,
} from "../oauth/people/claims.ts";
import { type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { passSeam } from "../oauth/contracts/seams.ts";
import type { Person } from "../oauth/contracts/people.ts";
import type { Endpoint, Feature, Services } from "../oauth/contracts/feature.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import type { ReadToken } from "../oauth/contracts/read_token.ts";
import { bearer } from "../oauth/contracts/sender.ts";
import { listChallenges, tokenTypeOf } from "../oauth/tokens/confirm_token.ts";
import { requireAccessToken } from "../oauth/tokens/require_access_token.ts";
import { createResponseJwt, type ResponseJwt } from "../oauth/tokens/response_jwt.ts";
import { isSame } from "../../ground/values/is_same.ts";
import { usualPaths } from "../oauth/contracts/paths.ts";

const refusal = refusals({
  token_without_person: {
    error: "insufficient_scope",
    spec: "OAuth 2.1 §7.4",
    sentence: "This access token belongs to the client itself, not to a person",
    change: "Use an access token of a login, not of client_credentials.",
  },
});

export const refused: RefusalRows = refusal.rows;

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
    clientMembers: [userinfoJwt.algMember, ...userinfoJwt.encryptionMembers],
    metadata: {
      ...userinfoJwt.metadata,
      claims_supported: ({ settings: { claimsIn, tokenClaims } }) => [
        ...new Set([
          "sub",
          ...Object.values(claimsOfScope).flat(),
          ...claimsIn.idToken,
          ...claimsIn.userinfo,
          ...tokenClaims.flatMap(({ claims }) => Object.keys(claims)),
        ]),
      ],
    },
  };
}

const userinfoJwt: ResponseJwt = createResponseJwt("userinfo");

/** Returns the configured claims that the token got for its own request, without claims of the person. */
function selectTokenClaims(
  { claims }: ReadToken,
  person: Person,
  { tokenClaims, claimsIn }: Settings,
): Claims {
  if (tokenClaims.length === 0) return {};
  const own = selectClaims(person, claimsIn.accessToken);
  const fixed = tokenClaims.flatMap((each) => Object.entries(each.claims));
  return Object.fromEntries(
    fixed.filter(([name, value]) => isSame(claims[name], value) && !isSame(own[name], value)),
  );
}

async function showPerson(exchange: Exchange, services: Services): Promise<Answer> {
  const { settings, now, seams } = services;
  // identify, validate
  const needed = { audience: settings.issuer, scope: "openid" };
  const { token, client, grant } = await requireAccessToken(exchange, needed, services);
  if (grant === undefined) {
    const scheme = tokenTypeOf(token, services) ?? bearer.tokenType;
    throw refusal("token_without_person", { challenge: listChallenges(scheme, services) });
  }
  const { person, entry } = grant;
  exchange.note({ subject: person.subject });
  // respond
  const names = [
    ...namesOfScopes(token.scope),
    ...settings.claimsIn.userinfo,
    ...readCarried(entry.value, requestedClaimsKey)?.userinfo ?? [],
  ];
  const described = {
    ...selectClaims(person, names),
    ...selectTokenClaims(token, person, settings),
    sub: await subjectFor(client, person.subject, services),
  };
  const value = { token: "userinfo", claims: described } as const;
  const { claims } = await passSeam(seams, "claims", value, exchange, entry.value);
  const alg = userinfoJwt.algOf(client);
  if (alg === undefined && !userinfoJwt.isEncryptedFor(client)) return json(claims);
  // §5.3.2: a signed response names its issuer and its audience.
  const named = { ...claims, iss: settings.issuer, aud: client.id, iat: Math.floor(now()) };
  if (alg === undefined) {
    return jwt(await userinfoJwt.encryptClaims(JSON.stringify(named), client, exchange, services));
  }
  const terms = { token: "userinfo", typ: "JWT", alg, claims: named } as const;
  return jwt(await userinfoJwt.write(terms, client, exchange, services, entry.value));
}
