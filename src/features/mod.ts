/** Lists the features of a server. */

import type { AnyFeature } from "../oauth/feature.ts";
import type { FeatureTerms } from "../oauth/feature_terms.ts";
import * as features from "./files.ts";

export function defaultFeatures(terms: FeatureTerms): readonly AnyFeature[] {
  return [
    features.authorize(),
    features.par(),
    features.requestObject(),
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
    features.clientSecretJwt(),
    ...(terms.dpop ? [features.dpop()] : []),
    ...(terms.firstUse ? [features.firstUse()] : []),
    ...(terms.registration ? [features.registration()] : []),
    ...(terms.clientDocuments ? [features.clientDocuments()] : []),
    features.refreshToken(),
    features.clientCredentials(),
    features.idToken(),
    features.initiateLogin(),
    features.userinfo(),
    features.revocation(),
    features.introspection({ isOpen: terms.openIntrospection }),
    features.logout(),
    features.backChannelLogout(),
    features.jwks(),
    features.serverMetadata(),
    features.openidDiscovery(),
    ...(terms.demoResource === undefined ? [] : [features.demoResource({ path: terms.demoResource })]),
    features.health(),
    features.home(),
    features.callbackPage(),
  ];
}
