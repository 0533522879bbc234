/** Requires a valid access token for a protected resource (RFC 6750; OAuth 2.1 §5). */

import { parseAuthorization } from "../../http/authorization.ts";
import { isFormType } from "../../http/body.ts";
import { fail, type RefusalDetails } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import { readForm } from "../params.ts";
import type { Services } from "../services.ts";
import { listChallenges, needsConfirmation, type Presentation, requireConfirmed } from "./confirm_token.ts";
import { explainLoss, type Inactivity } from "./explain_inactive.ts";
import { checkToken, findToken, type LiveToken, type TokenCheck } from "./find_token.ts";
import { findUrl } from "./prove_sender.ts";
import type { ReadToken } from "./read_token.ts";
import { bearer } from "./sender.ts";

export type ResourceAccessReason =
  | "token_missing"
  | "token_malformed"
  | "token_twice"
  | "token_unknown"
  | "token_expired"
  | "token_ended"
  | "token_for_another_audience"
  | "token_lacks_scope";

export interface ResourceTerms {
  readonly audience: string;
  /** The scope that the token must have. Default: none. */
  readonly scope?: string;
  /** The URL of the resource, if it is not below the issuer. */
  readonly url?: string;
  /** Parameters of the challenges: `resource_metadata` (RFC 9728 §5.1). */
  readonly challengeParams?: Readonly<Record<string, string>>;
}

/** Returns the valid token in the header or in the form of a POST. A token in the URL is ignored. */
export async function requireAccessToken(
  exchange: Exchange,
  terms: ResourceTerms,
  services: Services,
): Promise<LiveToken> {
  const presentation = await readPresentation(exchange, terms, services);
  const live = await requireLive(presentation, exchange, services);
  exchange.note({ clientId: live.client.id, scope: live.token.scope });
  if (needsConfirmation(live.token, presentation)) {
    const { audience, url = findUrl(exchange, services.settings) } = terms;
    const urls = [url];
    await requireConfirmed(live.token, { ...presentation, urls, audience }, exchange, services);
  }
  requireFit(live.token, terms, presentation, services);
  return live;
}

async function requireLive(
  { scheme, text, challengeParams }: Presentation,
  exchange: Exchange,
  services: Services,
): Promise<LiveToken> {
  const found = await findToken(text, "access_token", services);
  if (found !== undefined) {
    const { clientId, grantId } = found;
    exchange.note({ clientId, ...(grantId === undefined ? {} : { flow: grantId }) });
  }
  const check = found?.kind === "access_token" ? await checkToken(found, services) : undefined;
  if (check?.isValid) return check.live;
  return fail<ResourceAccessReason>("invalid_token", "The access token is not valid", {
    ...await explainInvalid({ text, found, check }, exchange, services),
    spec: "RFC 6750 §3.1",
    challenge: listChallenges(scheme, services, challengeParams),
  });
}

interface Refused {
  readonly text: string;
  readonly found: ReadToken | undefined;
  readonly check: TokenCheck | undefined;
}

async function explainInvalid(
  { text, found, check }: Refused,
  { hasJournal }: Exchange,
  services: Services,
): Promise<RefusalDetails<ResourceAccessReason>> {
  if (found === undefined) {
    // Only the journal shows the cause, and finding it out verifies the signature again.
    if (!hasJournal) return { reason: "token_unknown" };
    const { explainUnknown } = await import("./explain_unknown.ts");
    return { reason: "token_unknown", ...describeCause(await explainUnknown(text, services)) };
  }
  if (check === undefined || check.isValid) {
    return { reason: "token_ended", expected: "an access token", received: "a refresh token" };
  }
  const hasExpired = check.loss === "expired" || check.loss === "expired_by_test";
  const reason = hasExpired ? "token_expired" : "token_ended";
  return { reason, ...describeCause(explainLoss(found, check.loss, services)) };
}

function describeCause(
  { because, expected, received }: Inactivity,
): Pick<RefusalDetails, "expected" | "received"> {
  return { ...(expected === undefined ? {} : { expected }), received: received ?? because };
}

/** Requires that the token is for this resource and has the scope that the resource needs. */
function requireFit(
  token: ReadToken,
  { audience, scope }: ResourceTerms,
  { scheme, challengeParams }: Presentation,
  services: Services,
): void {
  if (!token.audience.includes(audience)) {
    fail<ResourceAccessReason>("invalid_token", "The access token is for another resource", {
      reason: "token_for_another_audience",
      spec: "RFC 9068 §4",
      ...describeForeign(token.audience, audience),
      challenge: listChallenges(scheme, services, challengeParams),
    });
  }
  if (scope !== undefined && !token.scope.includes(scope)) {
    const [used, ...others] = listChallenges(scheme, services, challengeParams);
    fail<ResourceAccessReason>("insufficient_scope", `The access token lacks the scope ${scope}`, {
      reason: "token_lacks_scope",
      spec: "RFC 6750 §3.1",
      expected: scope,
      received: token.scope.join(" "),
      challenge: [{ ...used!, params: { ...used!.params, scope } }, ...others],
    });
  }
}

/** A client can request absolute URIs only (RFC 8707 §2), so any other audience was chosen by a test. */
function describeForeign(
  received: readonly string[],
  audience: string,
): Pick<RefusalDetails, "expected" | "received"> {
  const isRequested = received.every((each) => URL.canParse(each));
  if (isRequested) return { expected: `aud ${audience}`, received: `aud ${received.join(" ")}` };
  return {
    expected: `aud ${
      JSON.stringify([...received, audience])
    }, or tokenClaims with aud, which adds it for openid`,
    received: `aud ${received.join(" ")}, which claims, a hook or tokenClaims set`,
  };
}

async function readPresentation(
  exchange: Exchange,
  { challengeParams }: ResourceTerms,
  services: Services,
): Promise<Presentation> {
  const { request } = exchange;
  const parsedHeader = parseAuthorization(request.header("authorization") ?? "", services.slots.tokenTypes);
  const isForm = request.method === "POST" && isFormType(request.header("content-type"));
  const form = isForm ? await readForm(exchange) : undefined;
  const inForm = form?.get("access_token");
  const scheme = parsedHeader?.scheme ?? bearer.tokenType;
  // The server must not choose one of two tokens, because a proxy may have checked the other one.
  if (parsedHeader !== undefined && inForm !== undefined || form?.isRepeated("access_token")) {
    fail<ResourceAccessReason>("invalid_request", "The request must have only one access token", {
      reason: "token_twice",
      spec: "RFC 6750 §2",
      challenge: listChallenges(scheme, services, challengeParams),
    });
  }
  const expected = `Authorization: ${scheme} <access token>`;
  if (parsedHeader !== undefined && parsedHeader.text === undefined) {
    fail<ResourceAccessReason>(
      "invalid_request",
      "The Authorization header has no readable access token",
      {
        reason: "token_malformed",
        spec: "RFC 6750 §2.1",
        expected,
        challenge: listChallenges(scheme, services, challengeParams),
      },
    );
  }
  const text = parsedHeader?.text ?? inForm ??
    // RFC 6750 §3.1: the challenge for a request without a token has no error code.
    fail<ResourceAccessReason>("invalid_token", "This resource needs an access token", {
      reason: "token_missing",
      spec: "RFC 6750 §3.1",
      expected,
      codeless: true,
      challenge: listChallenges(scheme, services, challengeParams),
    });
  return { scheme, text, challengeParams };
}
