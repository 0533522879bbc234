/** Tells clients directly, not through the browser, that a sign-in has ended (OpenID Connect Back-Channel Logout). */

import { uriText } from "../oauth/clients/metadata/metadata_texts.ts";
import { unfitForCalls } from "../oauth/clients/metadata/redirect_uri.ts";
import type { ClientMember, Feature, Services } from "../oauth/contracts/feature.ts";
import { continueTrace } from "../oauth/requests/continue_trace.ts";
import { parseJwt } from "../../ground/crypto/jwt_parts.ts";
import { randomText } from "../../ground/crypto/bytes.ts";
import type { FetchFailure } from "../../ground/http/guarded_fetch.ts";
import type { Client } from "../oauth/contracts/client.ts";
import { memberOf } from "../oauth/contracts/feature_values.ts";
import { findClient } from "../oauth/clients/records/find_client.ts";
import { reachOf } from "../oauth/clients/metadata/reach.ts";
import { OAuthError } from "../oauth/contracts/refusals.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Account } from "../oauth/contracts/session.ts";
import type { TellOutcome } from "../oauth/contracts/pages.ts";
import { subjectFor } from "../oauth/people/claims.ts";
import type { ToldClient } from "../oauth/contracts/told_client.ts";
import { passSeam } from "../oauth/contracts/seams.ts";
import type { Grant } from "../oauth/contracts/grant.ts";
import { idTokenAlg, idTokenJwt } from "../oauth/tokens/response_jwt.ts";

export function backChannelLogout(): Feature {
  return {
    name: "back_channel_logout",
    spec: "OpenID Connect Back-Channel Logout",
    clientMembers: [logoutUri, logoutSessionRequired],
    tellsSignOut: tellClients,
    metadata: { backchannel_logout_supported: true, backchannel_logout_session_supported: true },
  };
}

const logoutUri: ClientMember<string> = {
  name: "backchannel_logout_uri",
  schema: uriText,
  check: unfitForCalls,
};

const event = "http://schemas.openid.net/event/backchannel-logout";

// In seconds. §4 advises a short lifetime.
const tokenLifetime = 120;

async function tellClients(
  accounts: readonly Account[],
  exchange: Exchange,
  services: Services,
): Promise<readonly ToldClient[]> {
  const told = await Promise.all(
    accounts.flatMap((account) =>
      account.clients.map(async (id) => await tellClient(id, account, exchange, services))
    ),
  );
  return told.flatMap((each) => each ?? []);
}

async function tellClient(
  id: string,
  account: Account,
  exchange: Exchange,
  services: Services,
): Promise<ToldClient | undefined> {
  const client = await findClient(id, services);
  if (client === undefined) return undefined;
  const uri = memberOf(client, logoutUri);
  if (uri === undefined) return { client, outcome: { kind: "no_address" } };
  const token = await createLogoutToken(client, account, exchange, services).catch(catchRefusal);
  if (token === undefined) {
    noteOutcome(exchange, id, "has no key that encrypts the logout token");
    return { client, outcome: { kind: "no_answer" } };
  }
  const form = new URLSearchParams({ logout_token: token });
  // §2.5: the server tells each client once. A failure does not stop the sign-out, and a slow client does not delay it.
  const terms = { reach: reachOf(client, exchange, services), ...continueTrace(exchange, services) };
  const result = await services.fetch.postForm(uri, form, terms);
  const outcome = readResult(result);
  noteOutcome(exchange, id, describeOutcome(outcome), token);
  return { client, outcome };
}

/** The server refuses to create a logout token if it cannot encrypt it to the client. */
function catchRefusal(thrown: unknown): undefined {
  if (!(thrown instanceof OAuthError)) throw thrown;
}

function readResult(result: { readonly status: number } | FetchFailure): TellOutcome {
  if ("failure" in result) {
    const isForbidden = result.failure === "url_not_allowed" || result.failure === "address_not_allowed";
    return { kind: isForbidden ? "not_allowed" : "no_answer" };
  }
  const { status } = result;
  return status >= 200 && status < 300 ? { kind: "told" } : { kind: "refused", status };
}

function describeOutcome(outcome: TellOutcome): string {
  if (outcome.kind === "refused") return `answered ${outcome.status}`;
  return outcome.kind === "told" ? "told" : outcome.kind === "not_allowed" ? "not allowed" : "did not answer";
}

/** Also notes what the token says, but not the token itself. */
function noteOutcome(exchange: Exchange, clientId: string, outcome: string, token = ""): void {
  const { more = {} } = exchange.facts;
  const add = (name: string, value: unknown) =>
    value === undefined ? {} : { [name]: { ...more[name] as object | undefined, [clientId]: value } };
  const { header, claims } = parseJwt(token) ?? {};
  exchange.note({
    more: {
      ...more,
      ...add("back_channel_logout", outcome),
      ...add("logout_token", header && { header, claims }),
    },
  });
}

const kind = "logout_token" as const;

async function createLogoutToken(
  client: Client,
  account: Account,
  exchange: Exchange,
  services: Services,
): Promise<string> {
  const { settings, now, random, seams } = services;
  const issuedAt = Math.floor(now());
  const about = describeSignIn(client, account);
  const value = {
    token: kind,
    claims: {
      iss: settings.issuer,
      sub: await subjectFor(client, account.subject, services),
      aud: client.id,
      iat: issuedAt,
      exp: issuedAt + tokenLifetime,
      jti: randomText(random, 16),
      sid: account.sid,
      events: { [event]: {} },
    },
  };
  const { claims } = await passSeam(seams, "claims", value, exchange, about);
  // §2.6 (1): a client with encrypted ID tokens gets encrypted logout tokens.
  const terms = { token: kind, typ: "logout+jwt", alg: idTokenAlg(client, services), claims };
  return await idTokenJwt.write(terms, client, exchange, services, about);
}

/** Describes the ended sign-in as a grant without scope, because seams receive a grant. */
function describeSignIn(client: Client, { subject, authTime, amr }: Account): Grant {
  return {
    status: "revoked",
    clientId: client.id,
    clientEpoch: client.epoch,
    subject,
    scope: [],
    resource: [],
    authTime,
    amr,
    carried: {},
  };
}

// The server accepts this member and never reads it, because every logout token has a sid.
const logoutSessionRequired: ClientMember<boolean> = {
  name: "backchannel_logout_session_required",
  schema: { type: "boolean" },
};
