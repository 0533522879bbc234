/**
 * Lists the features of a server. A new feature has its import, its name and its call here. Metadata and pages list things
 * in this order, and challenges and advice name the first method of client authentication. Nothing else depends on it.
 */

import type { AnyFeature } from "../oauth/feature.ts";
import type { CoreOptions } from "../oauth/core_options.ts";
import type { FeatureOptions } from "./options.ts";
import { account } from "./account.ts";
import { acrValues } from "./acr_values.ts";
import { authorizationDetails } from "./authorization_details/authorization_details.ts";
import { authorizationCode } from "./authorization_code.ts";
import { authorize } from "./authorize/authorize.ts";
import { backChannelLogout } from "./back_channel_logout/back_channel_logout.ts";
import { callbackPage } from "./callback_page/callback_page.ts";
import { claimsParameter } from "./claims_parameter/claims_parameter.ts";
import { clientCredentials } from "./client_credentials.ts";
import { clientDocuments } from "./client_documents/client_documents.ts";
import { clientSecretBasic } from "./client_secret_basic.ts";
import { clientSecretJwt } from "./client_secret_jwt.ts";
import { clientSecretPost } from "./client_secret_post.ts";
import { consent } from "./consent.ts";
import { demoResource } from "./demo_resource/demo_resource.ts";
import { deviceLogin } from "./device_login/device_login.ts";
import { dpop } from "./dpop/dpop.ts";
import { fapi } from "./fapi/fapi.ts";
import { firstUse } from "./first_use/first_use.ts";
import { formPost } from "./form_post.ts";
import { health } from "./health.ts";
import { home } from "./home/home.ts";
import { idToken } from "./id_token.ts";
import { idTokenHint } from "./id_token_hint.ts";
import { initiateLogin } from "./initiate_login.ts";
import { introspection } from "./introspection/introspection.ts";
import { jarm } from "./jarm/jarm.ts";
import { jwks } from "./jwks.ts";
import { jwtBearer } from "./jwt_bearer/jwt_bearer.ts";
import { logout } from "./logout/logout.ts";
import { mtls } from "./mtls/mtls.ts";
import { openidDiscovery } from "./openid_discovery.ts";
import { par } from "./par/par.ts";
import { privateKeyJwt } from "./private_key_jwt.ts";
import { prompt } from "./prompt.ts";
import { refreshToken } from "./refresh_token/refresh_token.ts";
import { registration } from "./registration/registration.ts";
import { requestObject } from "./request_object/request_object.ts";
import { responseModes } from "./response_modes.ts";
import { revocation } from "./revocation.ts";
import { serverMetadata } from "./server_metadata.ts";
import { signIn } from "./sign_in/sign_in.ts";
import { token } from "./token.ts";
import { tokenExchange } from "./token_exchange/token_exchange.ts";
import { userinfo } from "./userinfo/userinfo.ts";
import { webMessage } from "./web_message.ts";

export {
  account,
  acrValues,
  authorizationCode,
  authorizationDetails,
  authorize,
  backChannelLogout,
  callbackPage,
  claimsParameter,
  clientCredentials,
  clientDocuments,
  clientSecretBasic,
  clientSecretJwt,
  clientSecretPost,
  consent,
  demoResource,
  deviceLogin,
  dpop,
  fapi,
  firstUse,
  formPost,
  health,
  home,
  idToken,
  idTokenHint,
  initiateLogin,
  introspection,
  jarm,
  jwks,
  jwtBearer,
  logout,
  mtls,
  openidDiscovery,
  par,
  privateKeyJwt,
  prompt,
  refreshToken,
  registration,
  requestObject,
  responseModes,
  revocation,
  serverMetadata,
  signIn,
  token,
  tokenExchange,
  userinfo,
  webMessage,
};

export const everyFeature: FeatureOptions & CoreOptions = {
  firstUse: true,
  clientDocuments: true,
  registration: true,
  demoResource: "/resource",
  authorizationDetails: { account: { schema: {}, title: "Account", summary: "See your account" } },
  mtls: { ca: "" },
  trust: [{ issuer: "https://idp.example", jwks_uri: "https://idp.example/jwks.json", idJag: true }],
};

/**
 * The features, or functions that create those with options or with a state of their own. All servers share the others,
 * so that each takes less memory.
 */
const features: readonly (AnyFeature | ((configuration: FeatureOptions & CoreOptions) => AnyFeature))[] = [
  authorize(),
  par,
  requestObject,
  prompt(),
  claimsParameter(),
  authorizationDetails,
  acrValues(),
  idTokenHint(),
  signIn(),
  account(),
  consent(),
  responseModes(),
  formPost(),
  webMessage(),
  jarm(),
  authorizationCode(),
  token(),
  clientSecretBasic(),
  clientSecretPost(),
  privateKeyJwt,
  clientSecretJwt(),
  dpop,
  mtls,
  fapi(),
  firstUse,
  registration,
  clientDocuments,
  refreshToken(),
  clientCredentials(),
  jwtBearer,
  tokenExchange(),
  deviceLogin,
  idToken(),
  initiateLogin(),
  userinfo(),
  revocation(),
  introspection,
  logout(),
  backChannelLogout(),
  jwks(),
  serverMetadata(),
  openidDiscovery(),
  demoResource,
  health,
  home(),
  callbackPage(),
];

/** Returns all features. The configuration, which may not be checked yet, decides which ones are on. */
export function defaultFeatures(configuration: FeatureOptions & CoreOptions): readonly AnyFeature[] {
  return features.map((each) => typeof each === "function" ? each(configuration) : each);
}

export function hasFeature(name: string, configuration: FeatureOptions & CoreOptions): boolean {
  return defaultFeatures(configuration).some((feature) => feature.name === name && !feature.isOff);
}

/**
 * Completes the options, if one of them stands for values of others: a profile. The completed options decide which
 * features are on, so this comes before `defaultFeatures`.
 */
export function expandOptions<Options extends object>(options: Options): Options {
  const settings = features.flatMap((each) => typeof each === "function" ? [] : each.settings ?? []);
  return settings.reduce((expanded, { expand }) => expand?.(expanded) ?? expanded, options);
}
