/** A client whose logins fill the journal of a dashboard. */

import type { ClientMetadata } from "../../../src/server/setup/client_metadata.ts";
import type { ServerOptions } from "../../../src/server/setup/server_options.ts";
import { challenge, verifier } from "../../world.ts";
import type { OpenedDashboard } from "./open_dashboard.ts";

type Params = Readonly<Record<string, string>>;

export const redirectUri = "https://app.example/cb";
export const spa: ClientMetadata = { client_id: "spa", redirect_uris: [redirectUri] };

/** Options of a server on which the client logs in without a page. ES256 costs less time than RS256. */
export const spaOptions: Pick<ServerOptions, "alg" | "clients" | "login"> = {
  alg: "ES256",
  clients: [spa],
  login: "auto",
};

/** Returns the path of an authorization request with some parameters changed. An empty one is left out. */
export function authorizePath(changed: Params = {}): string {
  const params = {
    response_type: "code",
    client_id: spa.client_id,
    redirect_uri: redirectUri,
    scope: "openid offline_access",
    state: "STATE-CANARY",
    nonce: "NONCE-CANARY",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changed,
  };
  return `/oauth2/authorize?${new URLSearchParams(
    Object.entries(params).filter(([, value]) => value !== ""),
  )}`;
}

export async function getCode({ send }: Pick<OpenedDashboard, "send">, changed?: Params): Promise<string> {
  const location = (await send(authorizePath(changed))).headers.get("location")!;
  return new URL(location).searchParams.get("code")!;
}

/** Sends a token request as a program does, which has no cookies. */
export function requestTokens({ send }: Pick<OpenedDashboard, "send">, form: Params): Promise<Response> {
  return send("/oauth2/token", {
    method: "POST",
    body: new URLSearchParams({ client_id: spa.client_id, ...form }),
    headers: { accept: "application/json", "sec-fetch-mode": "cors", cookie: "" },
  });
}

export function redeem(
  opened: Pick<OpenedDashboard, "send">,
  code: string,
  changed: Params = {},
): Promise<Response> {
  return requestTokens(opened, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changed,
  });
}
