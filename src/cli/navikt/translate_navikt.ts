/** Translates the configuration of mock-oauth2-server (navikt), so that `--config` reads it. */

import { type SigningAlgorithm, signingAlgorithms } from "../../crypto/jwk.ts";
import type { Configuration } from "../../setup/configuration.ts";
import type { NaviktConfiguration } from "./navikt_configuration.ts";
import type { Lose, NotCarriedOver } from "./not_carried_over.ts";
import { translateCallbacks } from "./translate_callbacks.ts";

export interface Translation {
  readonly configuration: Configuration;
  readonly notCarriedOver: readonly NotCarriedOver[];
}

/**
 * Returns the equivalent configuration with Postern's own keys of the same file, which have priority. The schemas of the
 * keys have checked the value.
 */
export function translateNavikt(navikt: NaviktConfiguration, own: Configuration = {}): Translation {
  const notCarriedOver: NotCarriedOver[] = [];
  const lose: Lose = (place, instead, key) => {
    if (key === undefined || !Object.hasOwn(own, key)) notCarriedOver.push({ place, instead });
  };
  const { interactiveLogin = false, tokenCallbacks = [], tokenProvider = {} } = navikt;
  loseServerTerms(navikt, own, lose);
  const alg = readAlgorithm(tokenProvider.keyProvider?.algorithm, lose);
  const callbacks = translateCallbacks(tokenCallbacks, { interactiveLogin, own, lose });
  const { lifetimes } = own;
  const configuration: Configuration = {
    paths: "navikt",
    ...(alg === undefined ? {} : { alg }),
    ...callbacks,
    ...own,
    ...(lifetimes === undefined ? {} : { lifetimes: { ...callbacks.lifetimes, ...lifetimes } }),
  };
  return { configuration, notCarriedOver };
}

function loseServerTerms(
  { loginPagePath, staticAssetsPath, rotateRefreshToken, httpServer, tokenProvider = {} }:
    NaviktConfiguration,
  { lifetimes }: Configuration,
  lose: Lose,
): void {
  const { systemTime, keyProvider } = tokenProvider;
  if (loginPagePath !== undefined) {
    lose(
      "loginPagePath",
      'People choose their account on Postern\'s own page. List them in "people".',
      "people",
    );
  }
  if (staticAssetsPath !== undefined) lose("staticAssetsPath", "Serve these files from your application.");
  if (rotateRefreshToken === false && lifetimes?.refreshGrace === undefined) {
    lose(
      "rotateRefreshToken",
      'Each refresh gives a new refresh token. With "lifetimes": { "refreshGrace": "1m" } the old one works a minute longer.',
    );
  }
  if (typeof httpServer === "object" && httpServer.ssl !== undefined) {
    lose("httpServer.ssl", "Add --tls-cert FILE and --tls-key FILE, with a certificate and its key as PEM.");
  }
  if (systemTime !== undefined) {
    lose(
      "tokenProvider.systemTime",
      `Start with --control, and send { "freeze": "${systemTime}" } to POST /_postern/clock.`,
    );
  }
  if (keyProvider?.initialKeys !== undefined) {
    lose("tokenProvider.keyProvider.initialKeys", "Give signingKeys to createServer or createMock.");
  }
}

function readAlgorithm(algorithm: string | undefined, lose: Lose): SigningAlgorithm | undefined {
  const known = signingAlgorithms.find((each) => each === algorithm);
  if (algorithm !== undefined && known === undefined) {
    lose(
      "tokenProvider.keyProvider.algorithm",
      `Choose another "alg": ${signingAlgorithms.join(", ")}.`,
      "alg",
    );
  }
  return known;
}
