/** Checks the JWTs that clients sign, by the steps of the server: proofs, request objects, assertions. */

import { assertionParams } from "../../../server/client/client_request.ts";
import { endpointUrls } from "../../../server/oauth/requests/server_urls.ts";
import { OAuthError } from "../../../server/oauth/contracts/refusals.ts";
import { formatParams, type Pair } from "../../../ground/http/form.ts";
import { createProofKeys, readDpopProof } from "../../../server/oauth/tokens/dpop_proof.ts";
import { askServer, checkClientIn, type CheckJwt } from "./pasted_check.ts";
import { decide } from "./shown_check.ts";

/** RFC 9449 §4.3, by the checks of the server. The request that the proof is for is the one that it names. */
export const checkProof: CheckJwt = async (text, { claims }, { services }) => {
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
};

/** Lets the server answer an authorization request with this object. */
export const checkRequestObject: CheckJwt = async (text, { claims }, options) => {
  const { services: { settings: { baseUrl, paths } } } = options;
  const id = claims["client_id"] ?? claims["iss"];
  const query = formatParams([["client_id", String(id ?? "")], ["request", text]]);
  return [
    await checkClientIn("client", id, options),
    await askServer({ url: `${baseUrl}${paths.authorize}?${query}` }, options),
  ];
};

/** Lets the server answer a token request with this assertion. Any answer but a refused client proves the client. */
export const checkAssertion: CheckJwt = async (text, { claims }, options) => {
  const { services: { settings: { baseUrl, paths } } } = options;
  const form: readonly Pair[] = [["grant_type", "client_credentials"], ...assertionParams(text)];
  const url = baseUrl + paths.token;
  return [
    await checkClientIn("client", claims["sub"], options),
    await askServer({ url, form, failsWith: "invalid_client" }, options),
  ];
};
