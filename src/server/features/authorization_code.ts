/** The authorization code: issued for an approval, and valid for one redemption (OAuth 2.1 §4.1). */

import { sha256 } from "../../ground/crypto/platform.ts";
import { mayOmitPkce } from "../oauth/authorization/pkce.ts";
import type { Client } from "../oauth/contracts/client.ts";
import { memberOf } from "../oauth/contracts/feature_values.ts";
import { describeForeignClock, timeFor } from "../oauth/options/clock_skew.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { ClientMember, Feature, GrantType, ResponseType, Services } from "../oauth/contracts/feature.ts";
import { describeMissing, type Params, requireParam } from "../oauth/contracts/params.ts";
import {
  checkGrant,
  findGrantByCode,
  type GrantByCode,
  grantNeeds,
  proposeEnd,
  redeemGrant,
  requireOwnIssuer,
} from "../oauth/tokens/check_grant.ts";
import { createSecret, formatCredential, hashSecret, provesSecret } from "../oauth/secrets/credential.ts";
import type { Grant, GrantCode } from "../oauth/contracts/grant.ts";
import { requireSameSender } from "../oauth/tokens/prove_sender.ts";
import type { Ending } from "../oauth/contracts/redemption.ts";
import { narrowResources } from "../oauth/tokens/resource.ts";
import { narrowScope, remainingScope } from "../oauth/clients/metadata/scope.ts";
import { fail, type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { formatDelay, formatDuration } from "../../ground/schema/duration.ts";
import { describeSecretText } from "../../ground/schema/received.ts";
import { present } from "../../ground/values/present.ts";

const refusal = refusals({ error: "invalid_grant", spec: "OAuth 2.1 §4.1.3" }, {
  verifier_malformed: {
    error: "invalid_request",
    spec: "RFC 7636 §4.1",
    sentence: "code_verifier does not have the form that PKCE requires",
    expected: "43 to 128 characters of A-Z a-z 0-9 - . _ ~",
    change: "Use 43 to 128 characters of A-Z a-z 0-9 - . _ ~ as code_verifier.",
  },
  code_unknown: {
    spec: "OAuth 2.1 §3.2.4",
    sentence: "The code is not valid",
    expected:
      "a code that this server issued and still knows; a restart with a memory store forgets all codes",
    change:
      "Send the code as it came in the redirect, to the server that issued it. A restart with a memory store forgets all codes.",
  },
  code_of_another_client: {
    sentence: "The code was given to another client",
    expected: "the client to which the code was issued",
    change: "Redeem the code as the client that made the authorization request.",
  },
  code_expired: {
    spec: "OAuth 2.1 §4.1.2",
    sentence: "The code has expired",
    expected: "a redemption within lifetimes.code",
    change: "Redeem the code right after the redirect, within the lifetime of a code.",
  },
  redirect_uri_missing: {
    error: "invalid_request",
    spec: "RFC 6749 §4.1.3",
    sentence: "The redirect_uri of the authorization request must be repeated",
    expected: "{redirectUri}, or a client with oauth_version 2.1",
    change: "Add the redirect_uri of the authorization request.",
  },
  redirect_uri_differs: {
    spec: "RFC 6749 §4.1.3",
    sentence: "The redirect_uri is not that of the authorization request",
    expected: "the redirect URI of the authorization request",
    change: "Send the same redirect_uri as in the authorization request, character by character.",
  },
  code_grant_ended: {
    sentence: "The grant of this code is no longer valid",
    expected: "a grant that has not ended",
    change: "Start a new login: the person, the client or the grant of this code has changed.",
  },
  challenge_lost: {
    sentence: "The code was given without PKCE, which this client needs",
    expected: "a code_challenge stored with the code",
    change: "Send a code_challenge in the authorization request.",
  },
  verifier_without_challenge: {
    error: "invalid_request",
    sentence: "The request has a code_verifier, but the authorization request had no code_challenge",
    change: "Leave code_verifier out, or send a code_challenge in the authorization request.",
  },
  verifier_missing: {
    spec: "RFC 7636 §4.5",
    sentence: "The code_verifier is missing",
    expected: "the code_verifier whose hash was the code_challenge",
    change: "Add the code_verifier of the authorization request.",
  },
  verifier_wrong: {
    spec: "RFC 7636 §4.6",
    sentence: "The code_verifier does not match the code_challenge",
    expected: "the verifier of code_challenge {hash}",
    change:
      "Send the code_verifier of the authorization request that led to this code. If logins run in several tabs, keep one verifier for each state.",
  },
  code_revoked: {
    sentence: "The code is not valid any more",
    change: "Start a new login: an earlier request ended this code.",
  },
  code_replayed: {
    sentence: "The code was used before; its tokens are revoked",
    expected: "one request with this code",
    change:
      "Send each code once, and start a new login. Find out why the client redeems the code twice, for example an effect that runs twice or a reload of the callback page.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function authorizationCode(): Feature {
  return {
    name: "authorization_code",
    spec: "OAuth 2.1 §4.1, RFC 7636",
    responseTypes: [codeResponseType],
    grantTypes: [codeGrantType],
    clientMembers: [codeLifetime],
    metadata: { code_challenge_methods_supported: ["S256"] },
  };
}

// In seconds. The record outlives an unused code, so that a late redemption is refused as expired and not as unknown.
const keptAfterCode = 3600;

const codeLifetime: ClientMember<number> = {
  name: "authorization_code_lifetime",
  schema: { type: "integer", minimum: 1, maximum: 600 },
};

const codeResponseType: ResponseType = {
  name: "code",
  issue(
    { grantId, grant },
    { challenge, confirmation, redirectUri },
    { settings: { lifetimes }, now, clock, random },
    client,
  ) {
    const secret = createSecret(random);
    const expiresAt = Math.floor(now()) +
      Math.min(lifetimes.code, memberOf(client, codeLifetime) ?? Infinity);
    const code: GrantCode = {
      hash: hashSecret(secret),
      ...present({ challenge, confirmation }),
      redirectUri,
      expiresAt,
      clock,
    };
    return {
      grant: { ...grant, code },
      expiresAt: expiresAt + keptAfterCode,
      params: [["code", formatCredential({ id: grantId, secret })]],
    };
  },
};

const codeGrantType: GrantType = {
  name: "authorization_code",
  params: ["code", "redirect_uri", "code_verifier", "resource"],
  // The order matters. Until the verifier is checked, a refused request changes nothing, so the client can correct it.
  // Only a request that is right in all else learns the status of the grant, or ends the grant.
  async redeem({ exchange, form, client: { client }, sender }, services) {
    const verifier = readVerifier(form, services);
    const text = requireParam(form, "code");
    const found = await findGrantByCode(text, services) ??
      fail(refusal("code_unknown", { received: describeSecretText(text) }));
    const { id, entry, code } = found;
    const grant = entry.value;
    exchange.note({
      flow: id,
      subject: grant.subject,
      scope: grant.scope,
      resource: grant.resource,
      pkce: code.challenge === undefined ? "none" : "S256",
    });
    requireOwnIssuer(grant, { credential: "code", error: "invalid_grant" }, services);
    requireSameClient(grant, client);
    requireSameSender(code.confirmation, sender);
    requireUnexpired(code, services);
    requireSameRedirectUri(form, code, client, services);
    requireKnownChallenge(grant, code, client, services);
    if (!provesPossession(verifier, code, form)) return wrongVerifierRefusal(found, verifier!);
    const resource = narrowResources(form.all("resource"), grant.resource, services.settings);
    const scope = narrowScope(form.get("scope"), remainingScope(grant.scope, client, services));
    if (grant.status !== "approved") return usedCodeRefusal(found, exchange);
    const check = await checkGrant(id, entry, services, client);
    if (!check.isValid) {
      throw refusal("code_grant_ended", { expected: grantNeeds[check.loss], received: check.loss });
    }
    return redeemGrant(id, entry, { scope, resource }, services);
  },
};

function requireSameClient(grant: Grant, client: Client): void {
  if (grant.clientId === client.id && grant.clientEpoch === client.epoch) return;
  throw refusal("code_of_another_client", { expected: grant.clientId, received: client.id });
}

function requireUnexpired(code: GrantCode, services: Services): void {
  const late = timeFor(code, services) - code.expiresAt;
  if (late < 0) return;
  const { code: lifetime } = services.settings.lifetimes;
  throw refusal("code_expired", {
    expected: `within ${formatDuration(lifetime)}`,
    received: `after ${formatDelay(lifetime + late)}${describeForeignClock(code, services)}`,
  });
}

/** RFC 6749 §4.1.3: must equal that of the authorization request. A client of OAuth 2.1 may omit it (§10.2). */
function requireSameRedirectUri(
  form: Params,
  code: GrantCode,
  client: Client,
  { settings }: Services,
): void {
  const presented = form.get("redirect_uri");
  if (presented === undefined) {
    if (client.oauthVersion === "2.1" || settings.presumesRedirectUri) return;
    throw refusal("redirect_uri_missing", {
      redirectUri: code.redirectUri,
      received: describeMissing("redirect_uri", form),
    });
  }
  if (presented === code.redirectUri) return;
  throw refusal("redirect_uri_differs", { expected: code.redirectUri, received: presented });
}

/** The authorization endpoint required one, so the record is damaged or the client's settings have changed. */
function requireKnownChallenge(
  grant: Grant,
  { challenge }: GrantCode,
  client: Client,
  { settings }: Services,
): void {
  if (challenge !== undefined || mayOmitPkce({ client, scope: grant.scope, carrier: grant }, settings)) {
    return;
  }
  throw refusal("challenge_lost");
}

/** RFC 7636 §4.6. Returns `false` for a wrong verifier. Throws if a verifier is missing or unexpected. */
function provesPossession(verifier: string | undefined, { challenge }: GrantCode, form: Params): boolean {
  if (challenge === undefined) {
    if (verifier === undefined) return true;
    throw refusal("verifier_without_challenge");
  }
  if (verifier === undefined) {
    throw refusal("verifier_missing", { received: describeMissing("code_verifier", form) });
  }
  return provesSecret(verifier, challenge);
}

/** Ends the grant of an unused code, so that a guess cannot be repeated. Tokens of a redeemed code stay valid. */
function wrongVerifierRefusal({ id, entry, code }: GrantByCode, verifier: string): Ending {
  const wrong = refusal("verifier_wrong", {
    hash: code.challenge!,
    received: `the verifier of code_challenge ${sha256(verifier)}`,
  });
  if (entry.value.status !== "approved") throw wrong;
  return proposeEnd(id, entry, wrong);
}

/** Ends the grant of a used code. The rest of the request is right, so the code was copied or sent twice. */
function usedCodeRefusal({ id, entry }: GrantByCode, { receivedAt }: Exchange): Ending {
  const { status, redeemedAt } = entry.value;
  if (status !== "active") throw refusal("code_revoked");
  const later = receivedAt - redeemedAt!;
  const replayed = refusal("code_replayed", {
    received: later < 0
      ? "a second one, which arrived while the first one was answered"
      : `a second one, ${formatDuration(later)} after the tokens of the first one were issued`,
  });
  return proposeEnd(id, entry, replayed);
}

/** Reads the verifier. Checks its form before the server hashes it: 43 to 128 unreserved characters (RFC 7636 §4.1). */
function readVerifier(params: Params, { settings }: Services): string | undefined {
  const verifier = params.get("code_verifier");
  const form = settings.takesBase64Verifiers
    ? /^(?=.{43,128}$)[A-Za-z0-9._~+/-]+={0,2}$/
    : /^[A-Za-z0-9._~-]{43,128}$/;
  if (verifier !== undefined && !form.test(verifier)) {
    throw refusal("verifier_malformed", { received: describeSecretText(verifier) });
  }
  return verifier;
}
