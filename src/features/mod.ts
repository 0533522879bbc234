/** The features of a server, a line each. */

import type { Feature } from "../oauth/feature.ts";
import { authorizationCode } from "./authorization_code.ts";
import { authorize } from "./authorize.ts";
import { callbackPage } from "./callback_page.ts";
import { clientSecretBasic } from "./client_secret_basic.ts";
import { clientSecretPost } from "./client_secret_post.ts";
import { consent } from "./consent.ts";
import { firstUse } from "./first_use.ts";
import { formPost } from "./form_post.ts";
import { home } from "./home.ts";
import { jwks } from "./jwks.ts";
import { responseModes } from "./response_modes.ts";
import { serverMetadata } from "./server_metadata.ts";
import { signIn } from "./sign_in.ts";
import { token } from "./token.ts";

export function defaultFeatures(terms: { readonly firstUse: boolean }): readonly Feature[] {
  return [
    authorize(),
    signIn(),
    consent(),
    responseModes(),
    formPost(),
    authorizationCode(),
    token(),
    clientSecretBasic(),
    clientSecretPost(),
    ...(terms.firstUse ? [firstUse()] : []),
    jwks(),
    serverMetadata(),
    home(),
    callbackPage(),
  ];
}
