/** Tells clients directly, not through the browser, that a sign-in has ended (OpenID Connect Back-Channel Logout). */

import { continueTrace } from "../oauth/continue_trace.ts";
import { randomText } from "../crypto/bytes.ts";
import type { FetchFailure } from "../http/guarded_fetch.ts";
import type { Client } from "../oauth/clients/client.ts";
import { memberOf } from "../oauth/clients/client_member.ts";
import { findClient } from "../oauth/clients/find_client.ts";
import { reachOf } from "../oauth/clients/reach.ts";
import { unfitForRegistration } from "../oauth/clients/redirect_uri.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { ClientMember, Feature } from "../oauth/feature.ts";
import type { Account } from "../oauth/people/session.ts";
import type { TellOutcome } from "../oauth/pages.ts";
import { subjectFor } from "../oauth/people/subject.ts";
import type { ToldClient } from "../oauth/people/told_client.ts";
import { passSeam } from "../oauth/seams.ts";
import type { Services } from "../oauth/services.ts";
import type { Grant } from "../oauth/tokens/grant.ts";
import { idTokenAlg } from "../oauth/tokens/id_token_alg.ts";
import { signToken } from "../oauth/tokens/sign_token.ts";
import { text } from "../schema/text.ts";

export function backChannelLogout(): Feature {
  return {
    name: "back_channel_logout",
    spec: "OpenID Connect Back-Channel Logout",
    clientMembers: [logoutUri, logoutSessionRequired],
    tellsSignOut: async (accounts, exchange, services) => {
      const told = await Promise.all(
        accounts.flatMap((account) =>
          account.clients.map(async (id) => await tellClient(id, account, exchange, services))
        ),
      );
      return told.flatMap((each) => each ?? []);
    },
    metadata: { backchannel_logout_supported: true, backchannel_logout_session_supported: true },
  };
}

const logoutUri: ClientMember<string> = {
  name: "backchannel_logout_uri",
  schema: text,
  check(uri, client) {
    // The server itself calls this address.
    const expected = unfitForRegistration(uri, client) ??
      (/^https?:/.test(uri) ? undefined : "must be https, or http on loopback");
    return expected === undefined ? undefined : { place: "backchannel_logout_uri", expected };
  },
};

// The server accepts this member and never reads it, because every logout token has a sid.
const logoutSessionRequired: ClientMember<boolean> = {
  name: "backchannel_logout_session_required",
  schema: { type: "boolean" },
};

const event = "http://schemas.openid.net/event/backchannel-logout";

// In seconds. §4 advises a short lifetime.
const tokenLifetime = 120;

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
  const form = new URLSearchParams({
    logout_token: await createLogoutToken(client, account, exchange, services),
  });
  // §2.5: the server tells each client once. A failure does not stop the sign-out, and a slow client does not delay it.
  const terms = { reach: reachOf(client, exchange, services), ...continueTrace(exchange, services) };
  const result = await services.fetch.postForm(uri, form, terms);
  const outcome = readResult(result);
  noteOutcome(exchange, id, describeOutcome(outcome));
  return { client, outcome };
}

function readResult(result: { readonly status: number } | FetchFailure): TellOutcome {
  if ("failure" in result) {
    const isForbidden = result.failure === "url_not_allowed" || result.failure === "address_not_allowed";
    return { kind: isForbidden ? "not_allowed" : "no_answer" };
  }
  const { status } = result;
  return status >= 200 && status < 300 ? { kind: "told" } : { kind: "refused", status };
}

/** Returns the text for the journal. */
function describeOutcome(outcome: TellOutcome): string {
  if (outcome.kind === "refused") return `answered ${outcome.status}`;
  return outcome.kind === "told" ? "told" : outcome.kind === "not_allowed" ? "not allowed" : "did not answer";
}

function noteOutcome(exchange: Exchange, clientId: string, outcome: string): void {
  const { more = {} } = exchange.facts;
  const before = more["back_channel_logout"] as Readonly<Record<string, string>> | undefined;
  exchange.note({ more: { ...more, back_channel_logout: { ...before, [clientId]: outcome } } });
}

const token = "logout_token" as const;

/** Creates a logout token (§2.4). */
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
    token,
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
  const alg = idTokenAlg(client, services);
  return await signToken({ token, typ: "logout+jwt", alg, claims }, exchange, services, about);
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
