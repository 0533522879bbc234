/** Lists the features of a server. */

import type { AnyFeature } from "../oauth/feature.ts";
import type { FeatureTerms } from "../oauth/feature_terms.ts";
import type { FeatureOptions } from "./options.ts";
import * as features from "./files.ts";

/** A configuration in which every feature is on. */
export const everyFeature: FeatureOptions & FeatureTerms = {
  firstUse: true,
  clientDocuments: true,
  registration: true,
  demoResource: "/resource",
};

/** Returns all features. The configuration, which may not be checked yet, decides which ones are on. */
export function defaultFeatures(configuration: FeatureOptions & FeatureTerms): readonly AnyFeature[] {
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
    features.dpop(configuration),
    features.firstUse(configuration),
    features.registration(configuration),
    features.clientDocuments(configuration),
    features.refreshToken(),
    features.clientCredentials(),
    features.idToken(),
    features.initiateLogin(),
    features.userinfo(),
    features.revocation(),
    features.introspection(configuration),
    features.logout(),
    features.backChannelLogout(),
    features.jwks(),
    features.serverMetadata(),
    features.openidDiscovery(),
    features.demoResource(configuration),
    features.health(),
    features.home(),
    features.callbackPage(),
  ];
}

/** Whether a server with this configuration has the feature. */
export function hasFeature(name: string, configuration: FeatureOptions & FeatureTerms): boolean {
  return defaultFeatures(configuration).some((feature) => feature.name === name && !feature.isOff);
}
