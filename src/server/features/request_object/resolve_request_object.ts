/** Finds the authorization request in a request object, or the client that receives the refusal of the object (RFC 9101). */

import { readUnverified } from "../../crypto/jwt.ts";
import type { Client } from "../../oauth/clients/client.ts";
import { createClientJwtVerifier } from "../../oauth/clients/client_jwt.ts";
import { matchesRedirectUri } from "../../oauth/clients/redirect_uri.ts";
import { OAuthError } from "../../oauth/refusals.ts";
import type { RequestSource } from "../../oauth/feature.ts";
import type { Pair } from "../../http/form.ts";
import { createParams, type Params } from "../../oauth/params.ts";
import type { ResolvedRequest } from "../../oauth/authorization/contract.ts";
import { paramsOf, readRequestObject } from "./read_request_object.ts";
import { identifyClient } from "../../oauth/authorization/require_redirect_target.ts";

/** `sourceName` is how a request arrived that has an object. The resolver caches the keys of each client. */
export function createRequestObjectResolver(sourceName: string): RequestSource["resolve"] {
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
