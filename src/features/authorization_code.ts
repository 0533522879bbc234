/** The authorization code: given for an approval, good for one redemption (OAuth 2.1 §4.1). */

import { formLifetime } from "../oauth/authorization/pending_request.ts";
import { pkceException, provesChallenge, readVerifier } from "../oauth/authorization/pkce.ts";
import type { Client } from "../oauth/clients/client.ts";
import { fail, OAuthError, type RefusalDetails } from "../oauth/error.ts";
import type { Feature, GrantType, ResponseType } from "../oauth/feature.ts";
import { requireParam } from "../oauth/params.ts";
import type { Services } from "../oauth/services.ts";
import { checkGrant, grantNeeds } from "../oauth/tokens/check_grant.ts";
import { createSecret, formatCredential, hashSecret } from "../oauth/tokens/credential.ts";
import { findGrantByCode, type GrantByCode } from "../oauth/tokens/find_grant.ts";
import type { Grant, GrantCode } from "../oauth/tokens/grant.ts";
import { requireSameSender } from "../oauth/tokens/prove_sender.ts";
import { endGrant, type Ending } from "../oauth/tokens/redemption.ts";
import { narrowResources } from "../oauth/tokens/resource.ts";
import { narrowScope, remainingScope } from "../oauth/tokens/scope.ts";

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
  issue({ grantId, grant }, { challenge, confirmation, redirectUri }, { settings, now, random }) {
    const secret = createSecret(random);
    const expiresAt = Math.floor(now()) + settings.lifetimes.code;
    const code: GrantCode = {
      hash: hashSecret(secret),
      ...(challenge === undefined ? {} : { challenge }),
      ...(confirmation === undefined ? {} : { confirmation }),
      redirectUri,
      expiresAt,
    };
    return {
      grant: { ...grant, code },
      // It outlives an unused code: an attempt that comes too late is told so, and the form that was approved is not
      // good for a second approval.
      expiresAt: expiresAt + formLifetime,
      params: [["code", formatCredential({ id: grantId, secret })]],
    };
  },
};

const redemption: GrantType = {
  name: "authorization_code",
  // The order is the point: whoever is refused has changed nothing and can correct the request, and only a request
  // that is valid in everything else learns what became of the grant, or does something about it.
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
    requireSameRedirectUri(form.get("redirect_uri"), code, client);
    requireKnownChallenge(grant, code, client);
    if (!provesPossession(verifier, code)) return refuseWrongVerifier(found);
    const resource = narrowResources(form.all("resource"), grant.resource, services.settings);
    const scope = narrowScope(form.get("scope"), remainingScope(grant.scope, client, services));
    if (grant.status !== "approved") return refuseUsed(found, services);
    await requireAlive(found, services);
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
      expected: "a code that this server gave and has not forgotten",
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

function requireUnexpired(code: GrantCode, { settings, now }: Services): void {
  const late = now() - code.expiresAt;
  if (late < 0) return;
  fail<CodeReason>("invalid_grant", "The code has expired", {
    reason: "code_expired",
    spec: "OAuth 2.1 §4.1.2",
    expected: `within ${settings.lifetimes.code} seconds`,
    received: `${Math.ceil(late)} seconds too late`,
  });
}

/** RFC 6749 §4.1.3: identical to that of the authorization request. A client of OAuth 2.1 may leave it out (§10.2). */
function requireSameRedirectUri(presented: string | undefined, code: GrantCode, client: Client): void {
  const spec = "RFC 6749 §4.1.3";
  if (presented === undefined) {
    if (client.oauthVersion === "2.1") return;
    fail<CodeReason>("invalid_request", "The redirect_uri of the authorization request must be repeated", {
      reason: "redirect_uri_missing",
      spec,
      expected: `${code.redirectUri}, or a client with oauth_version 2.1`,
      received: "no redirect_uri",
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

async function requireAlive({ id, entry }: GrantByCode, services: Services): Promise<void> {
  const live = await checkGrant(id, entry, services);
  if (typeof live !== "string") return;
  fail<CodeReason>("invalid_grant", "What the code was given for has ended", {
    reason: "code_grant_ended",
    spec: "OAuth 2.1 §4.1.3",
    expected: grantNeeds[live],
    received: live,
  });
}

/** A client that needs PKCE was asked for a challenge: without one, the record is damaged or the client has changed. */
function requireKnownChallenge(grant: Grant, { challenge }: GrantCode, client: Client): void {
  if (challenge !== undefined || pkceException(client, grant.scope, grant.nonce)?.isMet) return;
  fail<CodeReason>("invalid_grant", "The code was given without PKCE, which this client needs", {
    reason: "challenge_lost",
    spec: "OAuth 2.1 §4.1.3",
    expected: "a code_challenge kept with the code",
  });
}

/** RFC 7636 §4.6. `false`: a verifier came, well-formed and wrong. */
function provesPossession(verifier: string | undefined, { challenge }: GrantCode): boolean {
  if (challenge === undefined) {
    if (verifier === undefined) return true;
    fail<CodeReason>(
      "invalid_request",
      "A code_verifier came, but the code was asked for without a challenge",
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
    });
  }
  return provesChallenge(verifier, challenge);
}

/** Ends the code, for the next guess would be an attack's; never the tokens of whoever redeemed it. */
function refuseWrongVerifier({ id, entry }: GrantByCode): Ending {
  const refusal = refuse("The code_verifier does not match the code_challenge", {
    reason: "verifier_wrong",
    spec: "RFC 7636 §4.6",
  });
  if (entry.value.status !== "approved") throw refusal;
  return endGrant(id, entry, refusal);
}

/** Everything about the request is right but its time: a code comes twice only when it was copied or resent. */
function refuseUsed({ id, entry }: GrantByCode, { now }: Services): Ending {
  const { status, redeemedAt } = entry.value;
  if (status !== "active") {
    throw refuse("The code is not valid any more", { reason: "code_revoked", spec: "OAuth 2.1 §4.1.3" });
  }
  const later = milliseconds(now() - redeemedAt!);
  return endGrant(
    id,
    entry,
    refuse("The code has been used already; what it gave is revoked", {
      reason: "code_replayed",
      spec: "OAuth 2.1 §4.1.3",
      expected: "one redemption",
      received: `a second one ${later} later: is an effect running twice?`,
    }),
  );
}

function refuse(description: string, details: RefusalDetails<CodeReason>): OAuthError {
  return new OAuthError("invalid_grant", description, details);
}

function milliseconds(seconds: number): string {
  return `${Math.round(seconds * 1000)} ms`;
}
