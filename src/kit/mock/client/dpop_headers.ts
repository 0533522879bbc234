/** Creates the headers of a client's request to an API with a token that is bound to a key (RFC 9449 §7.1). */

import { signProof } from "../../../server/client/dpop_key.ts";
import { randomText } from "../../../ground/crypto/bytes.ts";
import { parseAddress, withoutQuery } from "../../../ground/http/address.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { type DpopTerm, openDpopKey } from "./dpop_client.ts";
import { type GivenTokens, requireToken } from "./given_tokens.ts";
import type { RunningTenant } from "../running_tenant.ts";

/** Options of `dpopHeaders`. */
export interface DpopHeadersTerms {
  /** The method of the request to the API. Default: `GET`. */
  readonly method?: string;
  /** The nonce from the header `DPoP-Nonce` of the API. */
  readonly nonce?: string;
  /** The private JWK, or `true` for a key that the token is not bound to. Default: the key of the token. */
  readonly dpop?: true | Extract<DpopTerm, object>;
  /** Claims that are added to the proof or replace its claims, to test an API. `undefined` removes a claim. */
  readonly claims?: Claims;
}

/** The headers of a request with a bound token. */
export interface DpopHeaders extends Readonly<Record<string, string>> {
  /** The scheme `DPoP` and the access token. */
  readonly authorization: string;
  /** The proof, which is good for one request. */
  readonly dpop: string;
}

export async function dpopHeaders(
  tokens: string | Pick<GivenTokens, "access_token">,
  url: string | URL,
  terms: DpopHeadersTerms,
  running: RunningTenant,
): Promise<DpopHeaders> {
  const doing = "create DPoP headers";
  running.requireOpen();
  requireTerms(doing, terms, types.DpopHeadersTerms);
  const { method = "GET", nonce, claims } = terms;
  const accessToken = requireToken(doing, tokens, ["access_token"], {
    wanted: "an access token, or a token response",
    none: "the response has no access_token",
  });
  const text = `${url}`;
  if (parseAddress(text) === undefined) {
    throw new TypeError(
      `Cannot ${doing}: expected the http or https URL of the API, not ${withoutQuery(text)}`,
    );
  }
  // A given key replaces that of the token, and `true` is a new one.
  const known = terms.dpop === undefined ? running.recipients.get(accessToken)?.dpop : undefined;
  const key = await openDpopKey(doing, terms.dpop, running, known);
  if (key === undefined) {
    throw new TypeError(
      `Cannot ${doing}: the test kit has no key for this token. ` +
        'Get it with as.login("alice", { dpop: true }) or as.mint({ dpop: true }), or pass the private JWK as dpop',
    );
  }
  const proof = await signProof(key, {
    method,
    url: text,
    accessToken,
    nonce,
    claims,
    jti: randomText(running.services.random, 16),
    // The client uses the test's clock, because the skew applies to the server only.
    now: running.clock.now,
  });
  return { authorization: `DPoP ${accessToken}`, dpop: proof };
}
