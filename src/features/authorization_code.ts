/** The authorization code: issued for an approval, and valid for one redemption (OAuth 2.1 §4.1). */

import { sha256 } from "../crypto/bytes.ts";
import { formLifetime } from "../oauth/authorization/pending_request.ts";
import { mayOmitPkce, provesChallenge, readVerifier } from "../oauth/authorization/pkce.ts";
import type { Client } from "../oauth/clients/client.ts";
import { describeForeignClock, timeFor } from "../oauth/clock_skew.ts";
import { fail, OAuthError, type RefusalDetails } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature, GrantType, ResponseType } from "../oauth/feature.ts";
import { describeMissing, type Params, requireParam } from "../oauth/params.ts";
import type { Services } from "../oauth/services.ts";
import { checkGrant, grantNeeds } from "../oauth/tokens/check_grant.ts";
import { createSecret, formatCredential, hashSecret } from "../oauth/credential.ts";
import { findGrantByCode, type GrantByCode } from "../oauth/tokens/find_grant.ts";
import type { Grant, GrantCode } from "../oauth/tokens/grant.ts";
import { requireSameSender } from "../oauth/tokens/prove_sender.ts";
import { endGrant, type Ending } from "../oauth/tokens/redemption.ts";
import { narrowResources } from "../oauth/tokens/resource.ts";
import { narrowScope, remainingScope } from "../oauth/clients/scope.ts";
import { formatDelay, formatDuration } from "../schema/format_duration.ts";
import { describeSecretText } from "../schema/received.ts";

export type CodeReason =
  | "code_unknown"
  | "code_of_another_client"
  | "code_expired"
  | "code_replayed"
  | "code_revoked"
  | "code_grant_ended"
  | "redirect_uri_missing"
  | "redirect_uri_differs"
  | "challenge_lost"
  | "verifier_missing"
  | "verifier_without_challenge"
  | "verifier_wrong";

export function authorizationCode(): Feature {
  return {
    name: "authorization_code",
    spec: "OAuth 2.1 §4.1, RFC 7636",
    responseTypes: [code],
    grantTypes: [redemption],
    metadata: { code_challenge_methods_supported: ["S256"] },
  };
}

const code: ResponseType = {
  name: "code",
  issue({ grantId, grant }, { challenge, confirmation, redirectUri }, { settings, now, clock, random }) {
    const secret = createSecret(random);
    const expiresAt = Math.floor(now()) + settings.lifetimes.code;
    const code: GrantCode = {
      hash: hashSecret(secret),
      ...(challenge === undefined ? {} : { challenge }),
      ...(confirmation === undefined ? {} : { confirmation }),
      redirectUri,
      expiresAt,
      clock,
    };
    return {
      grant: { ...grant, code },
      // The record outlives an unused code. So a late redemption is refused as expired and not as unknown, and the
      // approved form cannot approve the request again.
      expiresAt: expiresAt + formLifetime,
      params: [["code", formatCredential({ id: grantId, secret })]],
    };
  },
};

const redemption: GrantType = {
  name: "authorization_code",
  // The order matters. Until the verifier is checked, a refused request changes nothing, so the client can correct it.
  // Only a request that is right in all else learns the status of the grant, or ends the grant.
  async redeem({ exchange, form, client: { client }, sender }, services) {
    const verifier = readVerifier(form);
    const found = await requireCode(requireParam(form, "code"), services);
    const { id, entry, code } = found;
    const grant = entry.value;
    exchange.note({
      flow: id,
      subject: grant.subject,
      scope: grant.scope,
      resource: grant.resource,
      pkce: code.challenge === undefined ? "none" : "S256",
    });
    requireSameClient(grant, client);
    requireSameSender(code.confirmation, sender);
    requireUnexpired(code, services);
    requireSameRedirectUri(form, code, client);
    requireKnownChallenge(grant, code, client);
    if (!provesPossession(verifier, code, form)) return refuseWrongVerifier(found, verifier);
    const resource = narrowResources(form.all("resource"), grant.resource, services.settings);
    const scope = narrowScope(form.get("scope"), remainingScope(grant.scope, client, services));
    if (grant.status !== "approved") return refuseUsed(found, exchange);
    await requireAlive(found, client, services);
    return {
      grantId: id,
      grant: { ...grant, status: "active", redeemedAt: services.now() },
      replaces: entry.version,
      keepUntil: entry.expiresAt,
      scope,
      resource,
    };
  },
};

async function requireCode(text: string, services: Services): Promise<GrantByCode> {
  return await findGrantByCode(text, services) ??
    fail<CodeReason>("invalid_grant", "The code is not valid", {
      reason: "code_unknown",
      spec: "OAuth 2.1 §3.2.4",
      expected:
        "a code that this server issued and still knows; a restart with a memory store forgets all codes",
      received: describeSecretText(text),
    });
}

function requireSameClient(grant: Grant, client: Client): void {
  if (grant.clientId === client.id && grant.clientEpoch === client.epoch) return;
  fail<CodeReason>("invalid_grant", "The code was given to another client", {
    reason: "code_of_another_client",
    spec: "OAuth 2.1 §4.1.3",
    expected: grant.clientId,
    received: client.id,
  });
}

function requireUnexpired(code: GrantCode, services: Services): void {
  const late = timeFor(code, services) - code.expiresAt;
  if (late < 0) return;
  const { code: lifetime } = services.settings.lifetimes;
  fail<CodeReason>("invalid_grant", "The code has expired", {
    reason: "code_expired",
    spec: "OAuth 2.1 §4.1.2",
    expected: `within ${formatDuration(lifetime)}`,
    received: `after ${formatDelay(lifetime + late)}${describeForeignClock(code, services)}`,
  });
}

/** RFC 6749 §4.1.3: must equal that of the authorization request. A client of OAuth 2.1 may omit it (§10.2). */
function requireSameRedirectUri(form: Params, code: GrantCode, client: Client): void {
  const spec = "RFC 6749 §4.1.3";
  const presented = form.get("redirect_uri");
  if (presented === undefined) {
    if (client.oauthVersion === "2.1") return;
    fail<CodeReason>("invalid_request", "The redirect_uri of the authorization request must be repeated", {
      reason: "redirect_uri_missing",
      spec,
      expected: `${code.redirectUri}, or a client with oauth_version 2.1`,
      received: describeMissing("redirect_uri", form),
    });
  }
  if (presented === code.redirectUri) return;
  fail<CodeReason>("invalid_grant", "The redirect_uri is not that of the authorization request", {
    reason: "redirect_uri_differs",
    spec,
    expected: code.redirectUri,
    received: presented,
  });
}

async function requireAlive({ id, entry }: GrantByCode, client: Client, services: Services): Promise<void> {
  const check = await checkGrant(id, entry, services, client);
  if (check.isValid) return;
  fail<CodeReason>("invalid_grant", "The grant of this code is no longer valid", {
    reason: "code_grant_ended",
    spec: "OAuth 2.1 §4.1.3",
    expected: grantNeeds[check.loss],
    received: check.loss,
  });
}

/**
 * Refuses a code without a challenge if the client needs PKCE. The authorization endpoint required one, so the record
 * is damaged or the client's settings have changed.
 */
function requireKnownChallenge(grant: Grant, { challenge }: GrantCode, client: Client): void {
  if (challenge !== undefined || mayOmitPkce(client, grant.scope, grant)) return;
  fail<CodeReason>("invalid_grant", "The code was given without PKCE, which this client needs", {
    reason: "challenge_lost",
    spec: "OAuth 2.1 §4.1.3",
    expected: "a code_challenge stored with the code",
  });
}

/** RFC 7636 §4.6. Returns `false` for a wrong verifier. Throws if a verifier is missing or unexpected. */
function provesPossession(verifier: string | undefined, { challenge }: GrantCode, form: Params): boolean {
  if (challenge === undefined) {
    if (verifier === undefined) return true;
    fail<CodeReason>(
      "invalid_request",
      "The request has a code_verifier, but the authorization request had no code_challenge",
      {
        reason: "verifier_without_challenge",
        spec: "OAuth 2.1 §4.1.3",
      },
    );
  }
  if (verifier === undefined) {
    fail<CodeReason>("invalid_grant", "The code_verifier is missing", {
      reason: "verifier_missing",
      spec: "RFC 7636 §4.5",
      expected: "the code_verifier whose hash was the code_challenge",
      received: describeMissing("code_verifier", form),
    });
  }
  return provesChallenge(verifier, challenge);
}

/** Ends the grant of an unused code, so that a guess cannot be repeated. Tokens of a redeemed code stay valid. */
function refuseWrongVerifier({ id, entry, code }: GrantByCode, verifier: string | undefined): Ending {
  const refusal = refuse("The code_verifier does not match the code_challenge", {
    reason: "verifier_wrong",
    spec: "RFC 7636 §4.6",
    expected: `the verifier of code_challenge ${code.challenge}`,
    ...(verifier === undefined ? {} : { received: `the verifier of code_challenge ${sha256(verifier)}` }),
  });
  if (entry.value.status !== "approved") throw refusal;
  return endGrant(id, entry, refusal);
}

/** Ends the grant of a used code. The rest of the request is right, so the code was copied or sent twice. */
function refuseUsed({ id, entry }: GrantByCode, { receivedAt }: Exchange): Ending {
  const { status, redeemedAt } = entry.value;
  if (status !== "active") {
    throw refuse("The code is not valid any more", { reason: "code_revoked", spec: "OAuth 2.1 §4.1.3" });
  }
  const later = receivedAt - redeemedAt!;
  return endGrant(
    id,
    entry,
    refuse("The code was used before; its tokens are revoked", {
      reason: "code_replayed",
      spec: "OAuth 2.1 §4.1.3",
      expected: "one redemption",
      received: later < 0
        ? "a second one, which arrived while the first one was answered"
        : `a second one, ${formatDuration(later)} after the tokens of the first one were issued`,
    }),
  );
}

function refuse(description: string, details: RefusalDetails<CodeReason>): OAuthError {
  return new OAuthError("invalid_grant", description, details);
}
