/** Plays a resource server, which checks access tokens by RFC 6750 and RFC 9068 and explains its refusals. */

import { withoutQuery } from "../../http/address.ts";
import { type Answer, fromRequest, toResponse, withHeaders } from "../../http/message.ts";
import { formatRefusal } from "../../oauth/endpoints/refuse.ts";
import { type Challenge, fail, OAuthError } from "../../oauth/error.ts";
import { createExchange } from "../../oauth/exchange.ts";
import type { ProofTerms } from "../../oauth/feature.ts";
import type { Claims } from "../../oauth/members.ts";
import type { Services } from "../../oauth/services.ts";
import { listChallenges, needsConfirmation, requireConfirmed } from "../../oauth/tokens/confirm_token.ts";
import { type NonceMode, nonceModes } from "../../oauth/tokens/dpop_settings.ts";
import { bearer } from "../../oauth/tokens/sender.ts";
import { describeType } from "../../schema/received.ts";
import type { Schema } from "../../schema/schema.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import { findDefaultResource } from "../terms/configured.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import { checkToken, type TokenCheckReason } from "./check_token.ts";
import { type PresentedTokenReason, readPresentedToken } from "./presented_token.ts";

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
}

/** How a resource server uses DPoP (RFC 9449 §7, §9). */
export interface ProtectDpop {
  /** Whether it refuses bearer tokens. Default: `false`. */
  readonly required?: boolean;
  /** Its own nonces, which the authorization server does not accept. Default: `off`. */
  readonly nonces?: NonceMode;
}

/** Returns the claims of the token, or a `Response` that refuses the request. */
export type Protect = (request: Request) => Promise<Response | Claims>;

/** Why the resource server refuses a request. */
export type ProtectReason = PresentedTokenReason | TokenCheckReason | "token_not_bound";

/** The terms with their defaults. */
interface ResourceTerms extends ProtectTerms {
  readonly scope: readonly string[];
  readonly audience: string;
}

const usualTerms = termsOf<ProtectTerms>({
  ...{ scope: true, audience: true, realm: true, resourceMetadata: true, dpop: true },
});

const knownTerms: Schema = {
  ...usualTerms,
  properties: {
    ...usualTerms.properties,
    dpop: {
      type: "object",
      additionalProperties: false,
      properties: { required: { type: "boolean" }, nonces: { type: "string", enum: nonceModes } },
    },
  },
};

export function protect(terms: ProtectTerms, context: TenantContext): Protect {
  requireKnownTerms("protect", terms, knownTerms);
  const scope = [terms.scope ?? []].flat().flatMap((names) => names.split(" ")).filter((name) => name !== "");
  const api = terms.audience ?? findDefaultResource("protect", "audience", context);
  return async (request) => {
    context.requireOpen();
    requireRequest(request);
    // Reads the issuer at each request, because the issuer changes when the mock starts to listen.
    const audience = api ?? context.services.settings.issuer;
    const checked = await authorizeRequest(request, { ...terms, scope, audience }, context);
    return "claims" in checked ? checked.claims : checked.refusal;
  };
}

/** Checks members and not the class, because a framework may have its own `Request` class. */
function requireRequest(request: unknown): void {
  const { url, headers } = Object(request) as Partial<Request>;
  if (typeof url === "string" && typeof headers?.get === "function") return;
  throw new TypeError(
    `Cannot protect ${
      describeType(request)
    }: expected the Request to the API, as in await as.protect()(request)`,
  );
}

/** The claims and the headers for the answer of the API, or the response that refuses the request. */
type CheckedRequest =
  | { readonly claims: Claims; readonly headers: Readonly<Record<string, string>> }
  | { readonly refusal: Response };

async function authorizeRequest(
  request: Request,
  terms: ResourceTerms,
  { clock, services }: TenantContext,
): Promise<CheckedRequest> {
  // The API uses the test's clock, because the skew applies to the server's clock only.
  const { now } = clock;
  const exchange = createExchange(fromRequest(request, undefined), {
    receivedAt: now,
    random: services.random,
    hasJournal: true,
  });
  let scheme = bearer.tokenType;
  try {
    const presentation = await readPresentedToken(request, services);
    scheme = presentation.scheme;
    const token = await checkToken(presentation.text, terms, now, services);
    if (needsConfirmation(token, presentation)) {
      const resource = { ...presentation, urls: [withoutQuery(request.url)], ...nonceTerms(terms) };
      await requireConfirmed(token, resource, exchange, { ...services, now: () => now });
    } else if (terms.dpop?.required) refuseBearer();
    return { claims: token.claims, headers: exchange.addedHeaders ?? {} };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const answer = refuse(error, terms, listAccepted(scheme, terms, services));
    return { refusal: toResponse(withHeaders(answer, exchange.addedHeaders ?? {})) };
  }
}

/** An API is another server than the issuer, even if its audience is the issuer. So its nonces are its own. */
function nonceTerms({ audience, dpop }: ResourceTerms): Required<Pick<ProofTerms, "audience" | "nonces">> {
  return { audience: `API ${audience}`, nonces: dpop?.nonces ?? "off" };
}

function refuseBearer(): never {
  return fail<ProtectReason>("invalid_token", "The access token must be bound to a key", {
    reason: "token_not_bound",
    spec: "RFC 9449 §7.2",
    expected: "a token with the token_type DPoP, and a proof",
  });
}

/** Lists the challenges of the accepted schemes, the one of the request first. */
function listAccepted(scheme: string, { dpop }: ResourceTerms, services: Services): readonly Challenge[] {
  const challenges = listChallenges(scheme, services);
  return dpop?.required ? challenges.filter((each) => each.scheme !== bearer.tokenType) : challenges;
}

function refuse(error: OAuthError, terms: ResourceTerms, challenges: readonly Challenge[]): Answer {
  const { audience, realm = audience, scope, resourceMetadata } = terms;
  return formatRefusal(error, {
    realm,
    challenges,
    params: {
      ...(scope.length === 0 ? {} : { scope: scope.join(" ") }),
      ...(resourceMetadata === undefined ? {} : { resource_metadata: resourceMetadata }),
    },
  });
}
