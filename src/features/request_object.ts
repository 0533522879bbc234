/** Request objects: the client sends its authorization request as a JWT that it has signed, by value or pushed. */

import { signingAlgorithms } from "../crypto/jwk.ts";
import { readUnverified } from "../crypto/jwt.ts";
import type { ResolvedRequest } from "../oauth/authorization/pending_request.ts";
import { paramsOf, readRequestObject, requestObjectAlg } from "../oauth/authorization/read_request_object.ts";
import type { Client } from "../oauth/clients/client.ts";
import { createClientJwtVerifier } from "../oauth/clients/client_jwt.ts";
import { hasKeys, jwksMember, jwksUriMember } from "../oauth/clients/client_keys.ts";
import { memberOf } from "../oauth/clients/client_member.ts";
import { identifyClient } from "../oauth/clients/find_client.ts";
import { matchesRedirectUri } from "../oauth/clients/redirect_uri.ts";
import { OAuthError } from "../oauth/error.ts";
import type { ClientMember, Feature } from "../oauth/feature.ts";
import { createParams, type Pair, type Params } from "../oauth/params.ts";

const name = "signed request object";
const param = "request";

const requireSigned: ClientMember<boolean> = {
  name: "require_signed_request_object",
  schema: {
    type: "boolean",
    description: "true: the client must sign its authorization requests (RFC 9101 §10.5). Default: false.",
  },
  check(isRequired, client) {
    return isRequired && !hasKeys(client)
      ? {
        place: "require_signed_request_object",
        expected: "must be left out, or the client needs jwks or jwks_uri",
      }
      : undefined;
  },
};

export function requestObject(): Feature {
  const verify = createClientJwtVerifier();
  return {
    name: "request_object",
    spec: "RFC 9101",
    clientMembers: [jwksMember, jwksUriMember, requestObjectAlg, requireSigned],
    requestSources: [{
      name,
      param,
      async resolve(value, outer, exchange, services) {
        const id = outer.get("client_id");
        const named = createParams(id === undefined ? [] : [["client_id", id]]);
        const client = await identifyClient(named, exchange, services);
        const read = await readRequestObject(
          value,
          client,
          (jwt) => verify(jwt, client, exchange, services),
          services,
        );
        return read instanceof OAuthError
          ? refuseToTarget(read, [outer, paramsOf(readUnverified(value) ?? {})], client)
          : { params: read, arrivedBy: [name] };
      },
      isRequired: (client, settings) =>
        settings.requireSignedRequests || memberOf(client, requireSigned) === true,
    }],
    metadata: {
      request_object_signing_alg_values_supported: signingAlgorithms,
      require_signed_request_object: ({ settings }) => settings.requireSignedRequests,
    },
  };
}

/** What the refusal of an object needs, to go back to the client. */
const targetParams: readonly string[] = ["redirect_uri", "response_mode", "state", "prompt"];

/**
 * Lets the client receive the refusal, if the request names one of its redirect URIs. No other parameter of such a
 * request counts. Throws the refusal, for a page, if there is no such redirect URI.
 */
function refuseToTarget(refusal: OAuthError, candidates: readonly Params[], client: Client): ResolvedRequest {
  const params = candidates.find((each) => {
    const redirectUri = each.get("redirect_uri");
    return redirectUri !== undefined && !each.isRepeated("redirect_uri") &&
      client.redirectUris.some((registered) => matchesRedirectUri(registered, redirectUri));
  });
  if (params === undefined) throw refusal;
  const target = params.pairs.filter(([each]) => targetParams.includes(each));
  const pairs: readonly Pair[] = [["client_id", client.id], ...target];
  return { params: createParams(pairs), arrivedBy: [name], refusal };
}
