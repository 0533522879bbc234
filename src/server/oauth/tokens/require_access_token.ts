/** Requires a valid access token for a protected resource (RFC 6750; OAuth 2.1 §5). */

import { parseAuthorization } from "../../../ground/http/authorization.ts";
import { isFormType } from "../../../ground/http/body.ts";
import { fail, type RefusalDetails, type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { type Params, readForm, readQuery } from "../contracts/params.ts";
import type { Services } from "../contracts/feature.ts";
import { listChallenges, needsConfirmation, type Presentation, requireConfirmed } from "./confirm_token.ts";
import {
  checkToken,
  explainLoss,
  findToken,
  type Inactivity,
  type LiveToken,
  type TokenCheck,
} from "./find_token.ts";
import { explainUnknown } from "./explain_unknown.ts";
import { findUrl } from "../requests/server_urls.ts";
import { refuseOtherIssuer } from "./check_grant.ts";
import type { ReadToken } from "../contracts/read_token.ts";
import { bearer } from "../contracts/sender.ts";
import { present } from "../../../ground/values/present.ts";

const invalid = {
  error: "invalid_token",
  spec: "RFC 6750 §3.1",
  sentence: "The access token is not valid",
} as const;

const refusal = refusals(invalid, {
  token_unknown: {
    change: "Send an access token that this server issued and that is still valid.",
  },
  token_ended: { change: "Get a new token: an earlier request ended this one." },
  token_is_for_refresh: {
    reason: "token_ended",
    expected: "an access token",
    change: "Get a new token: an earlier request ended this one.",
  },
  token_expired: { change: "Refresh before the access token expires." },
  token_for_another_audience: {
    spec: "RFC 9068 §4",
    sentence: "The access token is for another resource",
    expected: "the audience of this resource in aud",
    change:
      "Send the parameter resource (audience at Auth0), with the address of this API, in the authorization request and in the token request, or let the API accept the audience that it received.",
  },
  token_lacks_scope: {
    error: "insufficient_scope",
    sentence: "The access token lacks the scope {scope}",
    expected: "{scope}",
    change: "Ask for the missing scope in the authorization request.",
  },
  token_twice: {
    error: "invalid_request",
    spec: "RFC 6750 §2",
    sentence: "The request must have only one access token",
    change: "Send the access token once, in the Authorization header only.",
  },
  token_malformed: {
    error: "invalid_request",
    spec: "RFC 6750 §2.1",
    sentence: "The Authorization header has no readable access token",
    expected: "Authorization: {scheme} <access token>",
    change: "Send one access token after the scheme, without quotes or line breaks.",
  },
  token_missing: {
    sentence: "This resource needs an access token",
    expected: "Authorization: {scheme} <access token>",
    change: "Send the access token as Authorization: Bearer.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface ResourceOptions {
  readonly audience: string;
  /** The scope that the token must have. Default: none. */
  readonly scope?: string;
  /** The URL of the resource, if it is not below the issuer. */
  readonly url?: string;
  /** Parameters of the challenges: `resource_metadata` (RFC 9728 §5.1). */
  readonly challengeParams?: Readonly<Record<string, string>>;
}

/** Returns the valid token in the header or in the form of a POST. A token in the URL is ignored, unless `readPairs` finds it. */
export async function requireAccessToken(
  exchange: Exchange,
  options: ResourceOptions,
  services: Services,
): Promise<LiveToken> {
  const { request } = exchange;
  const isForm = request.method === "POST"
    ? isFormType(request.header("content-type")) || exchange.readOtherForm !== undefined
    : exchange.readPairs !== undefined;
  const read = request.method === "HEAD" ? readQuery : readForm;
  const form = isForm ? await read(exchange) : undefined;
  const presentation = readPresentation(exchange, form, options, services);
  const live = await requireLive(presentation, exchange, services);
  exchange.note({ clientId: live.client.id, scope: live.token.scope });
  if (needsConfirmation(live.token, presentation)) {
    const { audience, url = findUrl(exchange, services.settings) } = options;
    await requireConfirmed(live.token, { ...presentation, urls: [url], audience }, exchange, services);
  }
  requireFit(live.token, options, presentation, services);
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
    exchange.note({ clientId, ...present({ flow: grantId }) });
  }
  if (found !== undefined) {
    const challenge = listChallenges(scheme, services, challengeParams);
    refuseOtherIssuer(found, { credential: "access token", error: "invalid_token", challenge }, services);
  }
  const check = found?.kind === "access_token" ? await checkToken(found, services) : undefined;
  if (check?.isValid) return check.live;
  const { name, ...cause } = await explainInvalid({ text, found, check }, exchange, services);
  throw refusal(name, { ...cause, challenge: listChallenges(scheme, services, challengeParams) });
}

async function explainInvalid(
  { text, found, check }: {
    readonly text: string;
    readonly found: ReadToken | undefined;
    readonly check: TokenCheck | undefined;
  },
  { hasJournal }: Exchange,
  services: Services,
): Promise<
  & { readonly name: "token_unknown" | "token_expired" | "token_ended" | "token_is_for_refresh" }
  & Pick<RefusalDetails, "expected" | "received">
> {
  if (found === undefined) {
    // Only the journal shows the cause, and finding it out verifies the signature again.
    if (!hasJournal) return { name: "token_unknown" };
    return { name: "token_unknown", ...describeCause(await explainUnknown(text, services)) };
  }
  if (check === undefined || check.isValid) {
    return { name: "token_is_for_refresh", received: "a refresh token" };
  }
  const hasExpired = check.loss === "expired" || check.loss === "expired_by_test";
  const name = hasExpired ? "token_expired" : "token_ended";
  return { name, ...describeCause(explainLoss(found, check.loss, services)) };
}

function describeCause(
  { because, expected, received }: Inactivity,
): Pick<RefusalDetails, "expected" | "received"> {
  return { ...present({ expected }), received: received ?? because };
}

function requireFit(
  token: ReadToken,
  { audience, scope }: ResourceOptions,
  { scheme, challengeParams }: Presentation,
  services: Services,
): void {
  const isTaken = services.settings.takesAudience?.(token.audience, audience);
  if (!isTaken && !token.audience.includes(audience)) {
    throw refusal("token_for_another_audience", {
      ...describeForeign(token.audience, audience),
      challenge: listChallenges(scheme, services, challengeParams),
    });
  }
  if (scope !== undefined && !token.scope.includes(scope)) {
    const [used, ...others] = listChallenges(scheme, services, challengeParams);
    throw refusal("token_lacks_scope", {
      scope,
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

function readPresentation(
  { request }: Exchange,
  form: Params | undefined,
  { challengeParams }: ResourceOptions,
  services: Services,
): Presentation {
  const parsedHeader = parseAuthorization(request.header("authorization") ?? "", services.slots.tokenTypes);
  const inForm = form?.get("access_token");
  const scheme = parsedHeader?.scheme ?? bearer.tokenType;
  const challenge = () => listChallenges(scheme, services, challengeParams);
  // The server must not choose one of two tokens, because a proxy may have checked the other one.
  if (parsedHeader !== undefined && inForm !== undefined || form?.isRepeated("access_token")) {
    throw refusal("token_twice", { challenge: challenge() });
  }
  if (parsedHeader !== undefined && parsedHeader.text === undefined) {
    throw refusal("token_malformed", { scheme, challenge: challenge() });
  }
  const text = parsedHeader?.text ?? inForm ??
    // RFC 6750 §3.1: the challenge for a request without a token has no error code.
    fail(refusal("token_missing", {
      scheme,
      codeless: true,
      challenge: challenge(),
      ...present({
        programsSend: request.method === "GET"
          ? { header: `${scheme} <access token>`, forms: [] }
          : undefined,
      }),
    }));
  return { scheme, text, challengeParams };
}
