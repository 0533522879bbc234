/** Checks a request to an API as a resource server does, and creates the answer that refuses it. */

import { type Answer, withHeaders } from "../../../ground/http/message.ts";
import { formatRefusal, noteRefusal } from "../../../server/oauth/requests/refuse.ts";
import {
  type Challenge,
  OAuthError,
  type RefusalRows,
  refusals,
} from "../../../server/oauth/contracts/refusals.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { ProofOptions, Services } from "../../../server/oauth/contracts/feature.ts";
import {
  listChallenges,
  needsConfirmation,
  requireConfirmed,
} from "../../../server/oauth/tokens/confirm_token.ts";
import type { LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { bearer } from "../../../server/oauth/contracts/sender.ts";
import { type Audiences, type CheckContext, checkToken, type TokenCheckReason } from "./check_token.ts";
import { type PresentedTokenReason, readPresentedToken } from "./presented_token.ts";
import type { ProtectDpop } from "./protect_dpop.ts";
import {
  type AuthenticationReason,
  insufficientAuthentication,
  requireAuthentication,
  type RequiredAuthentication,
} from "./require_authentication.ts";
import { present } from "../../../ground/values/present.ts";

/** Why the resource server refuses a request. */
export type ProtectReason =
  | PresentedTokenReason
  | TokenCheckReason
  | AuthenticationReason
  | "token_not_bound"
  | "refused_by_rule"
  | "server_not_trusted";

const refusal = refusals({
  server_not_trusted: {
    error: "invalid_token",
    spec: "RFC 9068 §4",
    sentence: "The token is not from an authorization server of this resource",
    expected: "a token from {issuers}",
    change: "Send a token of an authorization server that the API names in its metadata.",
  },
  token_lacks_scope: {
    error: "insufficient_scope",
    spec: "RFC 6750 §3.1",
    sentence: "The token lacks the scope {missing}",
    change: "Ask for the missing scope in the authorization request.",
  },
  refused_by_rule: {
    error: "insufficient_scope",
    spec: "RFC 6750 §3.1",
    sentence: "A rule of this resource refuses every token",
    change: "Change the rule of the API in the test: it refuses every token.",
  },
  token_not_bound: {
    error: "invalid_token",
    spec: "RFC 9449 §7.2",
    sentence: "The access token must be bound to a key",
    expected: "a token with the token_type DPoP, and a proof",
    change: "Get a token with a DPoP proof, so that it is bound to the client's key.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface RequestCheckOptions extends RequiredAuthentication {
  readonly audiences: Audiences;
  readonly issuers: readonly string[];
  /** The URL of the request without its query, for which a DPoP proof has to be. */
  readonly url: string;
  readonly scope: readonly string[];
  /** Refuses every token, even one that has the scope. */
  readonly isRefused?: boolean;
  readonly dpop: ProtectDpop | undefined;
  /** `false`: refusals have no header WWW-Authenticate. */
  readonly challenge: ChallengeForm | false;
}

interface ChallengeForm {
  readonly realm: string;
  /** `needed`: the scope that the request needs. `missing`: without the scopes of the token. `false`: no `scope`. */
  readonly scope: "needed" | "missing" | false;
  /** The URL of the resource's metadata (RFC 9728 §5.1). */
  readonly resourceMetadata: string | undefined;
}

/** Notes the client, the person, the scope and a refusal on the exchange. The headers for the answer are added there. */
export async function checkRequest(
  request: Request,
  exchange: Exchange,
  options: RequestCheckOptions,
  context: CheckContext,
): Promise<{ readonly live: LiveToken } | { readonly refusal: Answer }> {
  const { services } = context;
  let scheme = bearer.tokenType;
  try {
    const presentation = await readPresentedToken(request, services);
    scheme = presentation.scheme;
    requireTrust(options, services);
    const live = await checkToken(presentation.text, options.audiences, context);
    noteToken(live, exchange);
    requireScope(live, options);
    if (needsConfirmation(live.token, presentation)) {
      const resource = { ...presentation, urls: [options.url], ...nonceOptions(options) };
      await requireConfirmed(live.token, resource, exchange, { ...services, now: () => context.now });
    } else if (options.dpop?.required) throw refusal("token_not_bound");
    requireAuthentication(live.token.claims, options, context.now);
    return { live };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    noteRefusal(error, exchange);
    const answer = formatCheckRefusal(error, options, listAccepted(scheme, options, services), exchange);
    return { refusal: withHeaders(answer, exchange.addedHeaders ?? {}) };
  }
}

function noteToken({ token, grant }: LiveToken, exchange: Exchange): void {
  exchange.note({
    clientId: token.clientId,
    scope: token.scope,
    ...(grant === undefined ? {} : { flow: grant.id, subject: grant.entry.value.subject }),
  });
}

/** Refuses all tokens if the resource server accepts none of the servers in this test. */
function requireTrust({ issuers }: RequestCheckOptions, { settings: { issuer } }: Services): void {
  if (issuers.includes(issuer)) return;
  throw refusal("server_not_trusted", { issuers: issuers.join(" or ") || "no server" });
}

function requireScope({ token }: LiveToken, { scope, isRefused = false }: RequestCheckOptions): void {
  const missing = scope.filter((name) => !token.scope.includes(name));
  const difference = { expected: scope.join(" "), received: token.scope.join(" ") };
  if (missing.length > 0) {
    throw refusal("token_lacks_scope", { missing: missing.join(" "), ...difference });
  }
  if (!isRefused) return;
  throw refusal("refused_by_rule", difference);
}

/** An API is another server than the issuer, even if its audience is the issuer. So its nonces are its own. */
function nonceOptions(
  { audiences, dpop }: RequestCheckOptions,
): Required<Pick<ProofOptions, "audience" | "nonces">> {
  return { audience: `API ${audiences[0]}`, nonces: dpop?.nonces ?? "off" };
}

/** The challenge of the request's own scheme comes first. */
function listAccepted(
  scheme: string,
  { dpop }: RequestCheckOptions,
  services: Services,
): readonly Challenge[] {
  const challenges = listChallenges(scheme, services);
  return dpop?.required ? challenges.filter((each) => each.scheme !== bearer.tokenType) : challenges;
}

/** `facts.scope` is the scope of the token, if the request had a valid one. */
function formatCheckRefusal(
  error: OAuthError,
  { scope, acr, maxAge, challenge }: RequestCheckOptions,
  challenges: readonly Challenge[],
  { facts: { scope: granted = [] } }: Exchange,
): Answer {
  if (challenge === false) {
    const { headers: { "www-authenticate": _challenge, ...headers }, ...answer } = formatRefusal(error, {
      realm: "",
    });
    return { ...answer, headers };
  }
  const { realm, resourceMetadata } = challenge;
  const missing = scope.filter((name) => !granted.includes(name));
  const isShort = challenge.scope === "missing" && missing.length > 0;
  const named = challenge.scope === false ? [] : isShort ? missing : scope;
  const isAboutPerson = error.error === insufficientAuthentication.code;
  return formatRefusal(error, {
    realm,
    challenges,
    params: present({
      scope: named.length === 0 ? undefined : named.join(" "),
      // RFC 9470 §3.
      acr_values: isAboutPerson && acr !== undefined ? acr.join(" ") : undefined,
      max_age: isAboutPerson && maxAge !== undefined ? `${maxAge}` : undefined,
      resource_metadata: resourceMetadata,
    }),
  });
}
