/** Checks the JWTs that clients sign, by the steps of the server: proofs, request objects, assertions. */

import { assertionParams } from "../../../server/client/client_request.ts";
import type { JwtParts } from "../../../server/crypto/jwt_parts.ts";
import { endpointUrls } from "../../../server/oauth/server_urls.ts";
import { OAuthError } from "../../../server/oauth/refusals.ts";
import { formatParams, type Pair } from "../../../server/http/form.ts";
import { createProofKeys, readDpopProof } from "../../../server/oauth/tokens/dpop_proof.ts";
import type { ShownCheck } from "../../../server/pages/token/token_props.ts";
import { askServer, checkClientIn, type PastedOptions } from "./pasted_check.ts";
import { decide } from "./shown_check.ts";

/** RFC 9449 §4.3, by the checks of the server. The request that the proof is for is the one that it names. */
export async function checkProof(
  text: string,
  { claims }: JwtParts,
  { services }: PastedOptions,
): Promise<readonly ShownCheck[]> {
  const { settings: { dpop, baseUrl, demoResource } } = services;
  const urls = [
    ...endpointUrls(services).values(),
    baseUrl,
    ...(demoResource === undefined ? [] : [demoResource]),
  ];
  const proof = await readDpopProof(
    text,
    { urls, method: typeof claims["htm"] === "string" ? claims["htm"] : "", now: services.now() },
    createProofKeys(),
    dpop,
  );
  return [
    proof instanceof OAuthError
      ? decide("server", false, {
        expected: proof.details.expected,
        received: [proof.message, proof.details.received].filter((each) => each !== undefined).join(": "),
        rule: proof.details.spec,
      })
      : decide("server", true, { received: `jkt ${proof.thumbprint}`, rule: "RFC 9449 §4.3" }),
    ...(claims["ath"] === undefined ? [] : [
      decide("ath", undefined, { received: claims["ath"], rule: "RFC 9449 §4.3" }),
    ]),
  ];
}

/** Lets the server answer an authorization request with this object. */
export async function checkRequestObject(
  text: string,
  { claims }: JwtParts,
  options: PastedOptions,
): Promise<readonly ShownCheck[]> {
  const { services: { settings: { baseUrl, paths } } } = options;
  const id = claims["client_id"] ?? claims["iss"];
  const query = formatParams([["client_id", String(id ?? "")], ["request", text]]);
  return [
    await checkClientIn("client", id, options),
    await askServer({ url: `${baseUrl}${paths.authorize}?${query}` }, options),
  ];
}

/** Lets the server answer a token request with this assertion. Any answer but a refused client proves the client. */
export async function checkAssertion(
  text: string,
  { claims }: JwtParts,
  options: PastedOptions,
): Promise<readonly ShownCheck[]> {
  const { services: { settings: { baseUrl, paths } } } = options;
  const form: readonly Pair[] = [["grant_type", "client_credentials"], ...assertionParams(text)];
  const url = baseUrl + paths.token;
  return [
    await checkClientIn("client", claims["sub"], options),
    await askServer({ url, form, failsWith: "invalid_client" }, options),
  ];
}
