/** Telling clients, behind the browser's back, that a sign-in has ended (OpenID Connect Back-Channel Logout). */

import { randomText } from "../crypto/bytes.ts";
import type { Client } from "../oauth/clients/client.ts";
import { findClient } from "../oauth/clients/find_client.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import type { Account } from "../oauth/people/session.ts";
import { subjectFor } from "../oauth/people/subject.ts";
import { passSeam, type SignedToken } from "../oauth/seams.ts";
import type { Services } from "../oauth/services.ts";
import type { Grant } from "../oauth/tokens/grant.ts";
import { signToken } from "../oauth/tokens/sign_token.ts";

export function backChannelLogout(): Feature {
  return {
    name: "back_channel_logout",
    spec: "OpenID Connect Back-Channel Logout",
    tellsSignOut: async (accounts, exchange, services) => {
      await Promise.all(
        accounts.flatMap((account) =>
          account.clients.map(async (id) => await tellClient(id, account, exchange, services))
        ),
      );
    },
    metadata: { backchannel_logout_supported: true, backchannel_logout_session_supported: true },
  };
}

const event = "http://schemas.openid.net/event/backchannel-logout";

// §4: a logout token is for now. A client that is slower than this must not keep anybody waiting (§2.5).
const tokenLifetime = 120;
const timeout = 5000;

async function tellClient(
  id: string,
  account: Account,
  exchange: Exchange,
  services: Services,
): Promise<void> {
  const client = await findClient(id, services);
  if (client?.backchannelLogoutUri === undefined) return;
  const body = new URLSearchParams({
    logout_token: await createLogoutToken(client, account, exchange, services),
  });
  try {
    const response = await services.fetch(client.backchannelLogoutUri, {
      method: "POST",
      body,
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
    });
    await response.body?.cancel();
    noteOutcome(exchange, id, response.ok ? "told" : `answered ${response.status}`);
  } catch {
    // §2.5: it is told once. Whether it listened is its own business, and no reason to stay signed in.
    noteOutcome(exchange, id, "did not answer");
  }
}

function noteOutcome(exchange: Exchange, clientId: string, outcome: string): void {
  const { more = {} } = exchange.facts;
  const before = more["back_channel_logout"] as Readonly<Record<string, string>> | undefined;
  exchange.note({ more: { ...more, back_channel_logout: { ...before, [clientId]: outcome } } });
}

const token: SignedToken = "logout_token";

/** §2.4. */
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
  const alg = client.idTokenAlg ?? settings.alg;
  return await signToken({ token, typ: "logout+jwt", alg, claims }, exchange, services, about);
}

/** For the seams: the sign-in that ends, as a grant of nothing. The token may call the person by another name. */
function describeSignIn(client: Client, { subject, authTime, amr }: Account): Grant {
  return {
    ...{ status: "revoked", clientId: client.id, clientEpoch: client.epoch, subject },
    ...{ scope: [], resource: [], authTime, amr },
  };
}
