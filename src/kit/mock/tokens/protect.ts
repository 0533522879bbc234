/** Plays a resource server, which checks access tokens by RFC 6750 and RFC 9068 and explains its refusals. */

import { parseAddress, withoutQuery } from "../../../ground/http/address.ts";
import { fromRequest, toResponse } from "../../../ground/http/message.ts";
import { createExchange, type Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { describeType } from "../../../ground/schema/received.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { findDefaultResource, toList } from "../terms/configured.ts";
import { requireNotNegative } from "../terms/duration.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import type { ShownCertificate } from "../../../server/shown_certificate.ts";
import { certificateOf, showCertificate } from "../network/show_certificate.ts";
import { checkRequest } from "./check_request.ts";
import type { ProtectDpop } from "./protect_dpop.ts";

/** Options of `protect`: what the resource server requires of a token. */
export interface ProtectTerms {
  /** The scopes that the token must have. */
  readonly scope?: string | readonly string[];
  /** The required audience. Default: the only configured resource, or the issuer if none is configured. */
  readonly audience?: string;
  /** The `realm` in the `WWW-Authenticate` header. Default: the audience. */
  readonly realm?: string;
  /** The URL of the resource's metadata, which the `WWW-Authenticate` header names (RFC 9728 §5.1). */
  readonly resourceMetadata?: string;
  /** How the resource server uses DPoP. Default: it accepts bearer tokens and bound tokens, without nonces. */
  readonly dpop?: ProtectDpop;
  /** The values of the claim `acr`, of which the token must have one (RFC 9470). */
  readonly acr?: string | readonly string[];
  /** How long ago the person may have signed in (RFC 9470). */
  readonly maxAge?: Duration;
}

/**
 * Returns the claims of the token, or a `Response` that refuses the request. `certificate` is the one that the client of
 * the API has shown (RFC 8705).
 */
export type Protect = (
  request: Request,
  connection?: { readonly certificate?: ShownCertificate },
) => Promise<Response | Claims>;

export function protect(terms: ProtectTerms, running: RunningTenant): Protect {
  requireTerms("protect", terms, types.ProtectTerms);
  const { scope, acr, maxAge, dpop } = terms;
  const required = {
    scope: readScope(scope),
    dpop,
    acr: acr === undefined ? undefined : toList(acr),
    maxAge: maxAge === undefined ? undefined : requireNotNegative(maxAge, "protect"),
  };
  const api = terms.audience ?? findDefaultResource("protect", "audience", running);
  return async (request, { certificate } = {}) => {
    requireRequest(request, "protect");
    showCertificate(request, certificate);
    const exchange = openExchange(request, running);
    // Reads the services at each request, because the issuer changes when the mock starts to listen.
    const { clock: { now }, services } = running;
    const audience = api ?? services.settings.issuer;
    const { realm = audience, resourceMetadata } = terms;
    const checked = await checkRequest(request, exchange, {
      ...required,
      audiences: [audience],
      issuers: [services.settings.issuer],
      url: withoutQuery(request.url),
      challenge: { realm, scope: "needed", resourceMetadata },
      // The API uses the test's clock, because the skew applies to the server's clock only.
    }, { now, services });
    return "live" in checked ? checked.live.token.claims : toResponse(checked.refusal);
  };
}

export function openExchange(request: Request, { clock, services, requireOpen }: RunningTenant): Exchange {
  requireOpen();
  const { random } = services;
  return createExchange(fromRequest(request, undefined, parseAddress, certificateOf(request)), {
    receivedAt: clock.now,
    random,
    hasJournal: true,
  });
}

export function readScope(scope: string | readonly string[] | undefined): readonly string[] {
  return toList(scope).flatMap((names) => names.split(" ")).filter((name) => name !== "");
}

/** Checks members and not the class, because a framework may have its own `Request` class. */
export function requireRequest(request: unknown, doing: string): void {
  const { url, headers } = Object(request) as Partial<Request>;
  if (typeof url === "string" && typeof headers?.get === "function") return;
  throw new TypeError(
    `Cannot ${doing} ${
      describeType(request)
    }: expected the Request to the API, as in await as.protect()(request)`,
  );
}
