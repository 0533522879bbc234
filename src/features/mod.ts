/** The features of a server, a line each. */

import type { Feature } from "../oauth/feature.ts";
import * as features from "./files.ts";

export function defaultFeatures(terms: { readonly firstUse: boolean }): readonly Feature[] {
  return [
    features.authorize(),
    features.prompt(),
    features.claimsParameter(),
    features.acrValues(),
    features.idTokenHint(),
    features.signIn(),
    features.account(),
    features.consent(),
    features.responseModes(),
    features.formPost(),
    features.authorizationCode(),
    features.token(),
    features.clientSecretBasic(),
    features.clientSecretPost(),
    features.privateKeyJwt(),
    ...(terms.firstUse ? [features.firstUse()] : []),
    features.refreshToken(),
    features.clientCredentials(),
    features.idToken(),
    features.userinfo(),
    features.revocation(),
    features.introspection(),
    features.logout(),
    features.backChannelLogout(),
    features.jwks(),
    features.serverMetadata(),
    features.openidDiscovery(),
    features.home(),
    features.callbackPage(),
  ];
}

/** What the features call their endpoints: "token". */
export type EndpointName = EndpointNameOf<typeof features[keyof typeof features]>;

// A feature that does not say which names its endpoints have would make any text one.
type EndpointNameOf<Create> = Create extends (...terms: never) => Feature<infer Name>
  ? string extends Name ? never : Name
  : never;
