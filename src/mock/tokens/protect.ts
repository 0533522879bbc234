/** A resource server in one call: what RFC 6750 and RFC 9068 want of an API, with the reasons in plain words. */

import { verifyJwt } from "../../crypto/jwt.ts";
import { parseAuthorization } from "../../http/authorization.ts";
import { isFormType } from "../../http/body.ts";
import { fromRequest, toResponse } from "../../http/message.ts";
import { empty, json } from "../../http/respond.ts";
import { formatChallenge } from "../../oauth/challenge.ts";
import { fail, OAuthError, wireText } from "../../oauth/error.ts";
import { createExchange } from "../../oauth/exchange.ts";
import type { Claims } from "../../oauth/members.ts";
import type { Services } from "../../oauth/services.ts";
import { describeAccessToken, isTypedAsAccessToken } from "../../oauth/tokens/access_token.ts";
import {
  listChallenges,
  needsConfirmation,
  type Presentation,
  requireConfirmed,
} from "../../oauth/tokens/confirm_token.ts";
import { parseCredential } from "../../oauth/tokens/credential.ts";
import { findLiveToken, findToken } from "../../oauth/tokens/find_token.ts";
import type { ReadToken } from "../../oauth/tokens/read_token.ts";
import { bearer } from "../../oauth/tokens/sender.ts";
import { describeValue } from "../../schema/received.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import { findUsualResource } from "../terms/configured.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";

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

/** Why it was refused. */
export type ProtectReason =
  | "token_missing"
  | "token_malformed"
  | "token_twice"
  | "token_unreadable"
  | "token_unknown"
  | "token_of_unknown_key"
  | "signature_wrong"
  | "token_of_another_type"
  | "issuer_differs"
  | "claims_missing"
  | "token_expired"
  | "token_not_yet_valid"
  | "token_for_another_audience"
  | "token_ended"
  | "token_lacks_scope";

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

/** RFC 6750 §2: in the header, and nowhere else as well. */
async function readPresentation(request: Request, services: Services): Promise<Presentation> {
  const shown = parseAuthorization(request.headers.get("authorization") ?? "", services.slots.tokenTypes);
  if (shown === undefined) {
    fail<ProtectReason>("invalid_token", "This resource needs an access token", {
      reason: "token_missing",
      // RFC 6750 §3.1: whoever shows nothing is only told how to, not what is wrong.
      codeless: true,
    });
  }
  const { scheme, text } = shown;
  if (text === undefined) {
    fail<ProtectReason>(
      "invalid_request",
      `Expected one access token: Authorization: ${scheme} <access token>`,
      {
        reason: "token_malformed",
        spec: "RFC 6750 §2.1",
        challenge: listChallenges(scheme, services),
      },
    );
  }
  if (new URL(request.url).searchParams.has("access_token") || await hasTokenInForm(request)) {
    fail<ProtectReason>("invalid_request", "The access token must come once, in the header only", {
      reason: "token_twice",
      spec: "RFC 6750 §2",
    });
  }
  return { scheme, text };
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

async function hasTokenInForm(request: Request): Promise<boolean> {
  if (!isFormType(request.headers.get("content-type") ?? "") || request.bodyUsed) return false;
  // The handler behind this one wants to read the body, too.
  return new URLSearchParams(await request.clone().text()).has("access_token");
}

async function readToken(text: string, services: Services): Promise<ReadToken> {
  // An opaque token's claims come from our own store: issuer, type and signature need no check.
  if (parseCredential(text) !== undefined) {
    const token = await findToken(text, "access_token", services);
    if (token?.kind === "access_token") return token;
    // A record is kept for as long as its token is good.
    refuseToken(
      "token_unknown",
      "The server does not know this token, or not any more: it has expired, or another server gave it",
    );
  }
  const claims = await verify(text, services);
  const { issuer } = services.settings;
  if (claims["iss"] !== issuer) {
    refuseToken(
      "issuer_differs",
      `The token is not from ${issuer}: its issuer is ${quote(claims["iss"])}`,
      "RFC 9068 §4",
    );
  }
  const { sub, iat } = claims;
  const token = describeAccessToken(claims);
  if (token === undefined || typeof sub !== "string" || typeof iat !== "number") {
    refuseToken(
      "claims_missing",
      "The token lacks a claim that every access token has (iss, exp, aud, sub, client_id, iat, jti), or one of them " +
        "or its cnf cannot be read",
      "RFC 9068 §2.2",
    );
  }
  return token;
}

/** RFC 9068 §4: signed by a key that the server publishes, with the algorithm of that key, as an access token. */
async function verify(text: string, { keys, settings }: Services): Promise<Claims> {
  const published = await keys.published();
  let asked:
    | { readonly kid: string | undefined; readonly alg: string; readonly isKnown: boolean }
    | undefined;
  const jwt = await verifyJwt(text, (kid, alg) => {
    const key = published.find((each) => each.kid === kid && each.alg === alg);
    asked = { kid, alg, isKnown: key !== undefined };
    return key;
  });
  if (asked === undefined) {
    refuseToken(
      "token_unreadable",
      "The token is no access token of this server, and not a signed JWT either",
    );
  }
  if (!asked.isKnown) {
    const { kid, alg } = asked;
    refuseToken(
      "token_of_unknown_key",
      `No published key has kid ${quote(kid)} and signs with ${quote(alg)}`,
      "RFC 9068 §4",
    );
  }
  if (jwt === undefined) {
    refuseToken(
      "signature_wrong",
      "The signature does not verify, or the header demands what nobody here understands",
      "RFC 7515 §5.2",
    );
  }
  if (!isTypedAsAccessToken(jwt, settings)) {
    const { accessTokenType } = settings;
    refuseToken(
      "token_of_another_type",
      jwt.typ === accessTokenType
        ? `The token is no access token: its typ is ${accessTokenType}, but it has no client_id, or it has at_hash`
        : `The token is no access token: expected typ ${accessTokenType}, but it is ${quote(jwt.typ)}`,
      "RFC 9068 §4",
    );
  }
  return jwt.claims;
}

async function requireValid(
  token: ReadToken,
  { audience, scope }: { readonly audience: string; readonly scope: readonly string[] },
  { clock, services }: TenantContext,
): Promise<void> {
  const now = clock.now;
  if (token.expiresAt <= now) {
    refuseToken(
      "token_expired",
      `The token expired ${describeLateness(now - token.expiresAt)}`,
      "RFC 9068 §4",
    );
  }
  if (token.startsAt !== undefined && now < token.startsAt) {
    refuseToken("token_not_yet_valid", "The token is not valid yet", "RFC 7519 §4.1.5");
  }
  if (!token.audience.includes(audience)) {
    refuseToken(
      "token_for_another_audience",
      `The token is not for ${audience}, but for ${quote(token.audience.join(" "))}`,
      "RFC 9068 §4",
    );
  }
  // By the clock of whoever is asked for the resource: the server's may be wrong, and what it kept is not.
  const live = await findLiveToken(token, { ...services, now: () => now });
  if (live === undefined) {
    refuseToken("token_ended", "The token is revoked, or what it was given for has ended");
  }
  const held = live.token.scope;
  const missing = scope.filter((name) => !held.includes(name));
  if (missing.length > 0) {
    fail<ProtectReason>("insufficient_scope", `The token lacks the scope ${missing.join(" ")}`, {
      reason: "token_lacks_scope",
      spec: "RFC 6750 §3.1",
      expected: scope.join(" "),
      received: held.join(" "),
    });
  }
}

/** Of a token that was made to be expired, seconds would be a number without end. */
function describeLateness(late: number): string {
  const day = 24 * 60 * 60;
  return late < 2 * day ? `${Math.floor(late)} seconds ago` : `${Math.floor(late / day)} days ago`;
}

function refuseToken(reason: ProtectReason, description: string, spec = "RFC 6750 §3.1"): never {
  return fail<ProtectReason>("invalid_token", description, { reason, spec });
}

/** Whoever made the token wrote this. */
function quote(value: unknown): string {
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : "none";
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
