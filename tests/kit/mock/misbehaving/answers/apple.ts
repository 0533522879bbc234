/** The answers of Apple, whose clients sign their secret. */

import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type Provider, refuseAll } from "../provider_answers.ts";
import { redirectUri } from "../provider_shop.ts";

const { privateKey, publicKey } = await generateKeyPair("ES256");
const jwks = { keys: [await exportJWK(publicKey)] };

export const appleAnswers: Provider = {
  authorize: "https://appleid.apple.com/auth/authorize",
  token: "https://appleid.apple.com/auth/token",
  login: {},
  clients: [{
    ...{ client_id: "shop", token_endpoint_auth_method: "private_key_jwt", jwks },
    redirect_uris: [redirectUri],
  }],
  secretOf: (now) =>
    new SignJWT({ iss: "ABCDE12345", sub: "shop", aud: "https://appleid.apple.com" })
      .setProtectedHeader({ alg: "ES256" }).setIssuedAt(now).setExpirationTime(now + 600).sign(privateKey),
  tokens: "access_token token_type expires_in:number refresh_token id_token:jwt",
  idToken: "iss:url sub aud iat:number exp:number at_hash auth_time:number nonce_supported:boolean",
  answers: [],
  refused: "error error_description:text|absent",
  refusals: refuseAll(400),
};
