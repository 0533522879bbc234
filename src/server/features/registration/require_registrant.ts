/** Checks who may register a client: the holder of an initial access token, or a program on this machine (RFC 7591 §3). */

import { sameDigest } from "../../../ground/crypto/platform.ts";
import { parseAuthorization } from "../../../ground/http/authorization.ts";
import { isCrossSite } from "../../../ground/http/request_origin.ts";
import { findForeignOrigin } from "../../oauth/clients/reach/foreign_origin.ts";
import { hashSecret } from "../../oauth/secrets/credential.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { countAttempt, requireUnthrottled } from "../../oauth/secrets/throttle.ts";
import { registrationSetting } from "./registration_settings.ts";

const refusal = refusals({ error: "invalid_token" }, {
  initial_access_token_wrong: {
    spec: "RFC 7591 §3",
    sentence: "The initial access token is not valid",
    expected: "one of registration.initialAccessTokens, or no token if none are configured",
    change: "Send one of registration.initialAccessTokens.",
  },
  initial_access_token_missing: {
    spec: "RFC 7591 §3",
    sentence: "Registration needs an initial access token",
    expected: "Authorization: Bearer, with one of registration.initialAccessTokens of the configuration",
    change: "Send an initial access token as Authorization: Bearer.",
  },
  registration_from_foreign_origin: {
    error: "access_denied",
    status: 403,
    sentence: "A foreign web page may not register a client",
    expected:
      "a request without Origin, or from a page of this host or of this machine; for any other page, an initial access token",
    change: "Register from a program, or send an initial access token.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface Registrant {
  /** Otherwise the client may use only the code flow, and redirect URIs that lead to this machine. */
  readonly hasInitialToken: boolean;
}

export async function requireRegistrant(exchange: Exchange, services: Services): Promise<Registrant> {
  const { request } = exchange;
  const presented = parseAuthorization(request.header("authorization") ?? "", ["Bearer"]);
  if (presented !== undefined) {
    await requireInitialToken(presented.text, exchange, services);
    return { hasInitialToken: true };
  }
  if (!settingOf(services.settings, registrationSetting).isOpen) {
    throw refusal("initial_access_token_missing", {
      challenge: { scheme: "Bearer" },
      // RFC 6750 §3.1: a request without a token gets no error code.
      codeless: true,
      received: "no Authorization header",
    });
  }
  requireLocalPage(exchange, services);
  return { hasInitialToken: false };
}

async function requireInitialToken(
  token: string | undefined,
  { request }: Exchange,
  services: Services,
): Promise<void> {
  const caller = {
    purpose: "initial_access_token",
    account: "",
    peer: request.peer,
    fromAnotherSite: isCrossSite(request),
  };
  const { initialTokenHashes } = settingOf(services.settings, registrationSetting);
  const hash = hashSecret(token ?? "");
  // Compares with every token, so that the response time does not tell which one is similar.
  const isRight = initialTokenHashes.map((each) => sameDigest(hash, each)).includes(true);
  // After too many failures even a right token is refused, so that the answer confirms no guess.
  if (isRight || await countAttempt(caller, services) > 0) await requireUnthrottled(caller, services);
  if (isRight) return;
  throw refusal("initial_access_token_wrong", {
    challenge: { scheme: "Bearer" },
    expected: initialTokenHashes.length === 0
      ? "no Authorization header, because no initial access tokens are configured"
      : "one of registration.initialAccessTokens of the configuration",
    received: "another token",
  });
}

/** A web page in the developer's browser must not fill the server with clients. */
function requireLocalPage(exchange: Exchange, services: Services): void {
  const origin = findForeignOrigin(exchange, services);
  if (origin === undefined) return;
  throw refusal("registration_from_foreign_origin", { received: `Origin: ${origin}` });
}
