/**
 * Lists the features of a server. A new feature has its call here. Metadata and pages list things in this order, and
 * challenges and advice name the first method of client authentication. Nothing else depends on it.
 */

import type { AnyFeature } from "../oauth/contracts/feature.ts";
import type { CoreOptions } from "../oauth/contracts/core_options.ts";
import type { FeatureOptions } from "./options.ts";
import * as create from "./creators.ts";

export * from "./creators.ts";

export const everyFeature: FeatureOptions & CoreOptions = {
  firstUse: true,
  clientDocuments: true,
  registration: true,
  signUp: true,
  demoResource: "/resource",
  authorizationDetails: { account: { schema: {}, title: "Account", summary: "See your account" } },
  mtls: { ca: "" },
  trust: [{ issuer: "https://idp.example", jwks_uri: "https://idp.example/jwks.json", idJag: true }],
};

/**
 * The features, or functions that create those which options change. All servers share the others, so that each takes less
 * memory.
 */
const features: readonly (AnyFeature | ((configuration: FeatureOptions & CoreOptions) => AnyFeature))[] = [
  create.authorize(),
  create.par(),
  create.requestObject(),
  create.prompt(),
  create.claimsParameter(),
  create.authorizationDetails,
  create.acrValues(),
  create.idTokenHint(),
  create.signIn(),
  create.signUp,
  create.secondFactor(),
  create.account(),
  create.consent(),
  create.responseModes(),
  create.formPost(),
  create.webMessage(),
  create.jarm(),
  create.authorizationCode(),
  create.token(),
  create.clientSecretBasic(),
  create.clientSecretPost(),
  create.privateKeyJwt(),
  create.clientSecretJwt(),
  create.dpop,
  create.mtls,
  create.fapi(),
  create.firstUse,
  create.registration,
  create.clientDocuments,
  create.refreshToken(),
  create.clientCredentials(),
  create.jwtBearer,
  create.tokenExchange(),
  create.deviceLogin(),
  create.idToken(),
  create.initiateLogin(),
  create.userinfo(),
  create.revocation(),
  create.introspection,
  create.logout(),
  create.backChannelLogout(),
  create.jwks(),
  create.serverMetadata(),
  create.openidDiscovery(),
  create.demoResource,
  create.health(),
  create.home(),
  create.callbackPage(),
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
