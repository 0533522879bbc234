/** A resource server in one call: what RFC 6750 and RFC 9068 want of an API, with the reasons in plain words. */

import { fromRequest, toResponse } from "../../http/message.ts";
import { empty, json } from "../../http/respond.ts";
import { formatChallenge } from "../../oauth/challenge.ts";
import { OAuthError, wireText } from "../../oauth/error.ts";
import { createExchange } from "../../oauth/exchange.ts";
import type { Claims } from "../../oauth/members.ts";
import type { Services } from "../../oauth/services.ts";
import {
  listChallenges,
  needsConfirmation,
  type Presentation,
  requireConfirmed,
} from "../../oauth/tokens/confirm_token.ts";
import type { ReadToken } from "../../oauth/tokens/read_token.ts";
import { bearer } from "../../oauth/tokens/sender.ts";
import { describeValue } from "../../schema/received.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import { findUsualResource } from "../terms/configured.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import { readToken, requireValid, type TokenCheckReason } from "./check_token.ts";
import { type PresentedTokenReason, readPresentation } from "./presented_token.ts";

/** What a resource server demands of a token. */
export interface ProtectTerms {
  /** All that the token has to hold. */
  readonly scope?: string | readonly string[];
  /** Default: the only configured resource; the issuer where none is configured. */
  readonly audience?: string;
  /** Default: the audience. */
  readonly realm?: string;
  /** Where the resource's own metadata is (RFC 9728 §5.1). */
  readonly resourceMetadata?: string;
}

/** All claims of the token, or else the answer that refuses the request: `result instanceof Response` tells. */
export type Protect = (request: Request) => Promise<Response | Claims>;

/** Why a request is refused. */
export type ProtectReason = PresentedTokenReason | TokenCheckReason;

const knownTerms = termsOf<ProtectTerms>({
  scope: true,
  audience: true,
  realm: true,
  resourceMetadata: true,
});

export function protect(terms: ProtectTerms, context: TenantContext): Protect {
  requireKnownTerms("protect", terms, knownTerms);
  const scope = [terms.scope ?? []].flat().flatMap((names) => names.split(" ")).filter((name) => name !== "");
  const api = terms.audience ?? findUsualResource("protect", "audience", context);
  return async (request) => {
    context.requireOpen();
    requireRequest(request);
    // The issuer may still change, when the mock begins to listen.
    const audience = api ?? context.services.settings.issuer;
    let scheme = bearer.tokenType;
    try {
      const presentation = await readPresentation(request, context.services);
      scheme = presentation.scheme;
      const token = await readToken(presentation.text, context.services);
      await requireValid(token, { audience, scope }, context);
      if (needsConfirmation(token, presentation)) await requireProof(token, presentation, request, context);
      return token.claims;
    } catch (error) {
      if (error instanceof OAuthError) {
        return refuse(error, { ...terms, audience, scope, scheme }, context.services);
      }
      throw error;
    }
  };
}

/** By its shape: a framework may bring a `Request` class of its own. */
function requireRequest(request: unknown): void {
  const { url, headers } = Object(request) as Partial<Request>;
  if (typeof url === "string" && typeof headers?.get === "function") return;
  throw new TypeError(
    `Cannot protect ${typeof request === "string" ? "what is text" : describeValue(request)}: expected the ` +
      "Request that the API was sent, as in await as.protect()(request)",
  );
}

/** A bound token needs a proof that the server's own features can check; without them it is refused. */
async function requireProof(
  token: ReadToken,
  presentation: Presentation,
  request: Request,
  { clock, services }: TenantContext,
): Promise<void> {
  const now = clock.now;
  const exchange = createExchange(fromRequest(request, undefined), {
    receivedAt: now,
    random: services.random,
  });
  const { origin, pathname } = new URL(request.url);
  const terms = { ...presentation, url: origin + pathname };
  await requireConfirmed(token, terms, exchange, { ...services, now: () => now });
}

interface ChallengeTerms extends ProtectTerms {
  /** By which the token came, or was asked for. */
  readonly scheme: string;
  readonly audience: string;
  readonly scope: readonly string[];
}

function refuse(error: OAuthError, terms: ChallengeTerms, services: Services): Response {
  const { scheme, audience, scope, realm = audience, resourceMetadata } = terms;
  const said: Readonly<Record<string, string>> = error.details.codeless
    ? {}
    : { error: error.error, error_description: wireText(error.message) };
  const params = {
    realm,
    ...said,
    ...(scope.length === 0 ? {} : { scope: scope.join(" ") }),
    ...(resourceMetadata === undefined ? {} : { resource_metadata: resourceMetadata }),
  };
  const [used, ...others] = [error.details.challenge ?? listChallenges(scheme, services)].flat();
  const challenges = [{ ...used!, params: { ...params, ...used!.params } }, ...others];
  const headers = {
    ...error.details.headers,
    "www-authenticate": challenges.map(formatChallenge).join(", "),
  };
  return toResponse(
    error.details.codeless ? empty(error.status, headers) : json(said, { status: error.status, headers }),
  );
}
