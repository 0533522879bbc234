/** A login with `openid-client` 6, as its README shows it. */

import * as client from "openid-client";
import { redirectUri } from "../../../world.ts";

interface Login {
  /** The parameters of the authorization request. */
  readonly params: Record<string, string>;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

export async function prepareLogin(): Promise<Login> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  return {
    params: {
      redirect_uri: redirectUri,
      scope: "openid profile email",
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    },
    checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true },
  };
}
