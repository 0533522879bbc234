/** Builds the requests of a client from their parameters and what identifies the client. */

import type { Pair } from "../http/form.ts";
import type { Identification } from "./authenticate.ts";

export interface ClientRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Names in lower case. */
  readonly headers: readonly Pair[];
  /** The fields of the body. */
  readonly form?: readonly Pair[];
  /** The text of a JSON body. */
  readonly json?: string;
}

const accept: Pair = ["accept", "application/json"];
const formType: Pair = ["content-type", "application/x-www-form-urlencoded"];

/** A form with these headers. */
export function createForm(url: string, form: readonly Pair[], headers: readonly Pair[] = []): ClientRequest {
  return { method: "POST", url, headers: [...headers, formType], form };
}

/** A form of the client: a token request, a pushed request, a revocation, an introspection. */
export function createClientForm(
  url: string,
  params: readonly Pair[],
  { headers, form }: Identification,
  proof?: string,
): ClientRequest {
  return createForm(url, [...params, ...form], [accept, ...headers, ...proofHeaders(proof)]);
}

/** A registration (RFC 7591 §3). */
export function createRegistration(
  url: string,
  metadata: string,
  initialAccessToken?: string,
): ClientRequest {
  const token = initialAccessToken === undefined ? [] : tokenHeaders(initialAccessToken);
  return {
    method: "POST",
    url,
    headers: [accept, ...token, ["content-type", "application/json"]],
    json: metadata,
  };
}

/** A GET, with an access token if there is one. */
export function createCall(url: string, accessToken?: string): ClientRequest {
  return {
    method: "GET",
    url,
    headers: [...(accessToken === undefined ? [] : tokenHeaders(accessToken)), accept],
  };
}

/** The headers that present an access token (RFC 6750 §2.1). With a proof, the token is bound to its key (RFC 9449 §7.1). */
export function tokenHeaders(accessToken: string, proof?: string): readonly Pair[] {
  return [
    ["authorization", `${proof === undefined ? "Bearer" : "DPoP"} ${accessToken}`],
    ...proofHeaders(proof),
  ];
}

/** RFC 9449 §5. */
export function proofHeaders(proof: string | undefined): readonly Pair[] {
  return proof === undefined ? [] : [["dpop", proof]];
}
