/** Reads the access token in the Authorization header of a request to an API (RFC 6750 §2). */

import { parseAuthorization } from "../../../ground/http/authorization.ts";
import { isFormType } from "../../../ground/http/body.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { listChallenges, type Presentation } from "../../../server/oauth/tokens/confirm_token.ts";

/** Why a resource server rejects a request before it checks the token. */
export type PresentedTokenReason = "token_missing" | "token_malformed" | "token_twice";

const refusal = refusals({
  token_missing: {
    error: "invalid_token",
    sentence: "This resource needs an access token",
    change: "Send the access token as Authorization: Bearer.",
  },
  token_malformed: {
    error: "invalid_request",
    spec: "RFC 6750 §2.1",
    sentence: "Expected one access token: Authorization: {scheme} <access token>",
    change: "Send one access token after the scheme, without quotes or line breaks.",
  },
  token_twice: {
    error: "invalid_request",
    spec: "RFC 6750 §2",
    sentence: "The access token must be sent once, in the header only",
    change: "Send the access token once, in the Authorization header only.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Reads the access token. Rejects a request that also sends a token in its query or form (RFC 6750 §2). */
export async function readPresentedToken(request: Request, services: Services): Promise<Presentation> {
  const presented = parseAuthorization(request.headers.get("authorization") ?? "", services.slots.tokenTypes);
  if (presented === undefined) {
    // The response to a request without a token has no error code (RFC 6750 §3.1).
    throw refusal("token_missing", { codeless: true });
  }
  const { scheme, text } = presented;
  if (text === undefined) {
    throw refusal("token_malformed", { scheme, challenge: listChallenges(scheme, services) });
  }
  if (new URL(request.url).searchParams.has("access_token") || await hasTokenInForm(request)) {
    throw refusal("token_twice");
  }
  return { scheme, text };
}

async function hasTokenInForm(request: Request): Promise<boolean> {
  if (!isFormType(request.headers.get("content-type") ?? "") || request.bodyUsed) return false;
  // Reads a clone, because the API reads the body of the request itself.
  return new URLSearchParams(await request.clone().text()).has("access_token");
}
