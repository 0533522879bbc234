/** `oauth4webapi` as its examples for OpenID Connect use it, with state and nonce. */

import * as oauth from "oauth4webapi";
import type { Mock, Scenario } from "../../../src/kit/mod.ts";
import {
  challenges,
  chosenPkce,
  comparedIdTokens,
  countRefreshes,
  type Examined,
  grantedScopes,
  keptStates,
  keptTokens,
  needsTwoLogins,
  notUsed,
  ofApplication,
  requireOk,
  resourceOf,
  scope,
  thrownErrors,
} from "./examined.ts";

const base = {
  package: "oauth4webapi",
  leaves: {
    ...challenges,
    ...notUsed("pushed_request", "dpop"),
    "The application limits the time, by `signal`.": [
      "keys.silent",
      "transport.stalled",
      "userinfo.never_answers",
    ],
    "The application opens the address.": ["metadata.authorization_endpoint_script"],
    ...chosenPkce,
    "The application compares what the server registered with what it asked for.": [
      "registration.auth_method_changed",
      "registration.redirect_uris_changed",
      "registration.scope_reduced",
    ],
    ...keptStates,
    ...keptTokens,
    ...thrownErrors,
    ...ofApplication,
    ...grantedScopes,
    ...comparedIdTokens,
  },
  notes: [
    "It asks for userinfo before it refuses an empty `sub`.",
    "It compares the issuer of the metadata as a `URL`, which adds a slash to an origin.",
    "Without a registered `id_token_signed_response_alg`, it accepts the algorithms that the metadata lists, as its " +
    "documentation says.",
    "A refresh does not know the first ID token. The application compares the two, so there are no rows about that.",
    "It returns the scope of a token, and leaves it to the application to compare it. So there are no rows about " +
    "additional scopes.",
    "`processDynamicClientRegistrationResponse()` does not get the request, so the application compares what the server " +
    "registered with what it asked for.",
  ],
} satisfies Partial<Examined>;

export const oauth4webapi: Examined = {
  ...base,
  use: "PKCE, state, nonce",
  client: (as, scenario) => run(as, scenario, { validatesSignatures: false }),
};

export const oauth4webapiWithSignatures: Examined = {
  ...base,
  use: "PKCE, state, nonce, `validateApplicationLevelSignature`",
  client: (as, scenario) => run(as, scenario, { validatesSignatures: true }),
};

interface Habits {
  readonly validatesSignatures: boolean;
}

interface Terms {
  readonly [oauth.customFetch]: Mock["fetch"];
}

async function run(as: Mock, scenario: Scenario, habits: Habits): Promise<void> {
  const { issuer } = scenario;
  const terms = { [oauth.customFetch]: as.fetch };
  const url = new URL(issuer);
  const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, terms));
  const client = await obtainClient(server, scenario, terms);
  if (needsTwoLogins(scenario)) await logIn(server, client, terms, scenario, habits);
  await logIn(server, client, terms, scenario, habits);
}

async function logIn(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  terms: Terms,
  scenario: Scenario,
  { validatesSignatures }: Habits,
): Promise<void> {
  const { redirectUri, api, phase, browse } = scenario;
  const resource = resourceOf(scenario);
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const address = new URL(server.authorization_endpoint!);
  const request = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...resource,
  };
  for (const [name, value] of Object.entries(request)) address.searchParams.set(name, value);
  const params = oauth.validateAuthResponse(server, client, await browse(address), state);
  const more = { ...terms, additionalParameters: { ...resource } };
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    params,
    redirectUri,
    verifier,
    more,
  );
  let tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  if (validatesSignatures) await oauth.validateApplicationLevelSignature(server, response, terms);
  const { sub } = oauth.getValidatedIdTokenClaims(tokens)!;
  const call = async () => {
    await requireOk(
      await oauth.protectedResourceRequest(
        tokens.access_token,
        "GET",
        new URL(api),
        undefined,
        undefined,
        terms,
      ),
    );
  };
  if (phase === "login" || phase === "register") {
    const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token, terms);
    await oauth.processUserInfoResponse(server, client, sub, userinfo);
    const isSigned = userinfo.headers.get("content-type")?.startsWith("application/jwt");
    if (validatesSignatures && isSigned) {
      await oauth.validateApplicationLevelSignature(server, userinfo, terms);
    }
  }
  if (phase === "call_api") await call();
  if (phase === "refresh") {
    let refreshToken = tokens.refresh_token!;
    for (let count = countRefreshes(scenario); count > 0; count--) {
      const refreshed = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        refreshToken,
        more,
      );
      tokens = await oauth.processRefreshTokenResponse(server, client, refreshed);
      if (validatesSignatures && tokens.id_token !== undefined) {
        await oauth.validateApplicationLevelSignature(server, refreshed, terms);
      }
      refreshToken = tokens.refresh_token ?? refreshToken;
      await call();
    }
  }
}

async function obtainClient(
  server: oauth.AuthorizationServer,
  { clientId, redirectUri, phase }: Scenario,
  terms: Terms,
): Promise<oauth.Client> {
  if (phase !== "register") return { client_id: clientId };
  const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, terms);
  return await oauth.processDynamicClientRegistrationResponse(response);
}
