/** The features of a server, a line each. */

import type { Feature } from "../oauth/feature.ts";
import { account } from "./account.ts";
import { acrValues } from "./acr_values.ts";
import { authorizationCode } from "./authorization_code.ts";
import { authorize } from "./authorize.ts";
import { backChannelLogout } from "./back_channel_logout.ts";
import { callbackPage } from "./callback_page.ts";
import { claimsParameter } from "./claims_parameter.ts";
import { clientCredentials } from "./client_credentials.ts";
import { clientSecretBasic } from "./client_secret_basic.ts";
import { clientSecretPost } from "./client_secret_post.ts";
import { consent } from "./consent.ts";
import { firstUse } from "./first_use.ts";
import { formPost } from "./form_post.ts";
import { home } from "./home.ts";
import { idToken } from "./id_token.ts";
import { idTokenHint } from "./id_token_hint.ts";
import { introspection } from "./introspection.ts";
import { jwks } from "./jwks.ts";
import { logout } from "./logout.ts";
import { openidDiscovery } from "./openid_discovery.ts";
import { privateKeyJwt } from "./private_key_jwt.ts";
import { prompt } from "./prompt.ts";
import { refreshToken } from "./refresh_token.ts";
import { responseModes } from "./response_modes.ts";
import { revocation } from "./revocation.ts";
import { serverMetadata } from "./server_metadata.ts";
import { signIn } from "./sign_in.ts";
import { token } from "./token.ts";
import { userinfo } from "./userinfo.ts";

export function defaultFeatures(terms: { readonly firstUse: boolean }): readonly Feature[] {
  return [
    authorize(),
    prompt(),
    claimsParameter(),
    acrValues(),
    idTokenHint(),
    signIn(),
    account(),
    consent(),
    responseModes(),
    formPost(),
    authorizationCode(),
    token(),
    clientSecretBasic(),
    clientSecretPost(),
    privateKeyJwt(),
    ...(terms.firstUse ? [firstUse()] : []),
    refreshToken(),
    clientCredentials(),
    idToken(),
    userinfo(),
    revocation(),
    introspection(),
    logout(),
    backChannelLogout(),
    jwks(),
    serverMetadata(),
    openidDiscovery(),
    home(),
    callbackPage(),
  ];
}
