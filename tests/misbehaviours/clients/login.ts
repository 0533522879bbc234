/** Sends a person to the server, and redeems the code (RFC 6749 §4.1; RFC 7636). */

import { challengeOf, verifier } from "../../world.ts";
import type { ServerMetadata } from "./discovery.ts";
import { refuseIf, type Run } from "./habits.ts";
import { type IdTokenClaims, verifyIdToken } from "./id_token.ts";
import type { Json } from "./json.ts";
import { requestTokens } from "./token_request.ts";

export interface Login {
  readonly tokens: Json;
  readonly idToken: IdTokenClaims;
}

const state = "a-state-of-this-test";
const nonce = "a-nonce-of-this-test";

export async function logIn(metadata: ServerMetadata, run: Run): Promise<Login> {
  const callback = await run.scenario.browse(formatRequest(metadata, run));
  const code = readCode(callback.searchParams, metadata, run);
  const { clientId, redirectUri, api } = run.scenario;
  const tokens = await requestTokens(
    {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: verifier,
      resource: api,
    },
    metadata,
    run,
  );
  const idToken = await verifyIdToken(
    `${tokens["id_token"]}`,
    { nonce, accessToken: `${tokens["access_token"]}` },
    metadata,
    run,
  );
  return { tokens, idToken };
}

function formatRequest(
  { authorizationEndpoint }: ServerMetadata,
  { scenario: { clientId, redirectUri, api } }: Run,
): URL {
  const url = new URL(authorizationEndpoint);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid email orders offline_access",
    state,
    nonce,
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
    resource: api,
  }).toString();
  return url;
}

function readCode(params: URLSearchParams, { issuer }: ServerMetadata, run: Run): string {
  // RFC 9700 §4.7.
  refuseIf(run, params.get("state") !== state, "the state is not of this login");
  // RFC 9207 §2.4.
  refuseIf(run, params.get("iss") !== issuer, `the response is of the issuer ${params.get("iss")}`);
  return `${params.get("code")}`;
}
