/** The three APIs of these tests, which differ in their habits only (RFC 9068 §4; RFC 6750 §3). */

import { decodeJwt } from "jose";
import type { Fetch } from "../../../../src/kit/mod.ts";
import { differs, type Habits, Refusal, startleIf } from "../clients/habits.ts";
import { boundCertificateOf, checkCertificate } from "./check_certificate.ts";
import { introspect, type IntrospectionCredentials } from "./introspect.ts";
import { readClaims } from "./read_claims.ts";

/** What an API knows about the server and about itself. */
export interface ApiOptions {
  readonly habits: Habits;
  readonly fetch: Fetch;
  readonly issuer: string;
  readonly jwksUri: string;
  /** The value of `aud` that names this API. */
  readonly audience: string;
  readonly scope: string;
  /** If present, the API asks the server about each token. */
  readonly introspection?: IntrospectionCredentials;
}

/**
 * Creates an API that answers with the claims of the token. `shown` is the certificate of the connection in PEM. A
 * connection with one needs a token that is bound to it.
 */
export function createApi(terms: ApiOptions): (request: Request, shown?: string) => Promise<Response> {
  let demandsNonces = !terms.habits.checks;
  return async (request, shown) => {
    if (demandsNonces && request.headers.has("dpop")) {
      // It checks no nonce later.
      demandsNonces = false;
      const headers = { "www-authenticate": 'DPoP error="use_dpop_nonce"', "dpop-nonce": "a-nonce" };
      return new Response(null, { status: 401, headers });
    }
    const [, token] = /^(?:Bearer|DPoP) (.+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (token === undefined) return challenge(401);
    try {
      const claims = await readClaims(token, terms);
      if (shown !== undefined || boundCertificateOf(claims) !== undefined) {
        checkCertificate(shown, claims, terms);
      } else checkProof(request, terms);
      const scope = terms.introspection === undefined
        ? `${claims["scope"] ?? ""}`
        : await introspect(token, claims, terms.introspection, terms);
      // RFC 6749 §7.
      if (terms.habits.checks && scope.split(" ").every((each) => differs(terms, each, terms.scope))) {
        return challenge(403, "insufficient_scope", "the scope is missing");
      }
      return Response.json(claims);
    } catch (error) {
      if (error instanceof RangeError) return new Response(null, { status: 500 });
      return challenge(401, "invalid_token", error instanceof Refusal ? error.message : "not valid");
    }
  };
}

/** Stops at a DPoP proof that is unusual (RFC 9449 §4.2). The API of the test kit has the checks of §4.3. */
function checkProof(request: Request, check: { readonly habits: Habits }): void {
  const proof = request.headers.get("dpop");
  if (proof === null || !check.habits.startles) return;
  const claims = decodeJwt(proof);
  startleIf(check, claims["htu"] !== request.url, "another spelling of the URL");
  startleIf(check, Object.keys(claims).length > 5, "more claims");
}

/** RFC 6750 §3. */
function challenge(status: number, error?: string, description?: string): Response {
  // RFC 6750 §3 allows no other characters.
  const legal = description?.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
  const params = error === undefined ? "" : ` error="${error}", error_description="${legal}"`;
  return new Response(null, { status, headers: { "www-authenticate": `Bearer${params}` } });
}
