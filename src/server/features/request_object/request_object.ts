/** Request objects: the client sends its authorization request as a JWT that it has signed, by value or pushed. */

import { acceptedAlgorithmsMember } from "../../oauth/clients/authentication/accepted_algorithms.ts";
import { hasKeys, jwksMember, jwksUriMember } from "../../oauth/clients/authentication/client_keys.ts";
import type { ClientMember, Feature, RequestSource } from "../../oauth/contracts/feature.ts";
import { type Setting, settingOf } from "../../oauth/contracts/feature_values.ts";
import { otherNames } from "../../../ground/schema/schema.ts";
import { paramsOf, readRequestObject, requestObjectAlg, requestObjectTimes } from "./read_request_object.ts";
import { readUnverified } from "../../../ground/crypto/jwt.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { createClientJwtVerifier } from "../../oauth/clients/authentication/client_jwt.ts";
import { matchesRedirectUri } from "../../oauth/clients/metadata/redirect_uri.ts";
import { OAuthError } from "../../oauth/contracts/refusals.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { createParams, type Params } from "../../oauth/contracts/params.ts";
import type { ResolvedRequest } from "../../oauth/contracts/authorization_request.ts";
import { identifyClient } from "../../oauth/authorization/require_redirect_target.ts";

const name = "signed request object";

const requireSigned: ClientMember<boolean> = {
  name: "require_signed_request_object",
  schema: { type: "boolean" },
  check: (isRequired, client) =>
    isRequired && !hasKeys(client) ? "must be left out, or the client needs jwks or jwks_uri" : undefined,
};

/** The option of signed requests. */
export interface RequestObjectOptions {
  /**
   * `true`: every client must sign its authorization requests (RFC 9101). A single client has
   * `require_signed_request_object`. Default: `false`.
   */
  readonly requireSignedRequests?: boolean;
}

const requiredOfAll: Setting<boolean> = {
  name: "requireSignedRequests",
  schema: { type: "boolean", [otherNames]: [requireSigned.name, "requireJar"] },
};

export function requestObject(): Feature {
  return {
    name: "request_object",
    spec: "RFC 9101",
    settings: [requiredOfAll],
    clientMembers: [
      jwksMember,
      jwksUriMember,
      requestObjectAlg,
      requestObjectTimes,
      requireSigned,
      acceptedAlgorithmsMember,
    ],
    requestSources: [{
      name,
      param: "request",
      resolve: createRequestObjectResolver(name),
      requiredBy: { setting: requiredOfAll, member: requireSigned, spec: "RFC 9101 §10.5" },
    }],
    metadata: {
      request_object_signing_alg_values_supported: ({ settings }) => settings.acceptedAlgorithms,
      require_signed_request_object: ({ settings }) => settingOf(settings, requiredOfAll) ?? false,
    },
  };
}

/** `sourceName` is how a request arrived that has an object. The resolver caches the keys of each client. */
function createRequestObjectResolver(sourceName: string): RequestSource["resolve"] {
  const verify = createClientJwtVerifier();
  return async (value, outer, exchange, services) => {
    const id = outer.get("client_id");
    const named = createParams(id === undefined ? [] : [["client_id", id]]);
    const client = await identifyClient(named, exchange, services);
    const verifyOwn = (jwt: string) => verify(jwt, client, exchange, services);
    const read = await readRequestObject(value, client, verifyOwn, services);
    return read instanceof OAuthError
      ? targetRefusal(read, [outer, paramsOf(readUnverified(value) ?? {})], client, sourceName)
      : { params: read, arrivedBy: [sourceName] };
  };
}

/** What the refusal of an object needs, to go back to the client. */
const targetParams: readonly string[] = ["redirect_uri", "response_mode", "state", "prompt"];

/** Lets the client receive the refusal, at one of its redirect URIs. Without one, throws the refusal, for a page. */
function targetRefusal(
  refusal: OAuthError,
  candidates: readonly Params[],
  client: Client,
  sourceName: string,
): ResolvedRequest {
  const params = candidates.find((each) => {
    const redirectUri = each.get("redirect_uri");
    return redirectUri !== undefined && !each.isRepeated("redirect_uri") &&
      client.redirectUris.some((registered) => matchesRedirectUri(registered, redirectUri));
  });
  if (params === undefined) throw refusal;
  const target = params.pairs.filter(([each]) => targetParams.includes(each));
  const pairs: readonly Pair[] = [["client_id", client.id], ...target];
  return { params: createParams(pairs), arrivedBy: [sourceName], refusal };
}
