/** Translates the configuration of mock-oauth2-server (navikt), so that `--config` reads it. */

import { type SigningAlgorithm, signingAlgorithms } from "../../../../ground/crypto/platform.ts";
import { issuerName } from "../../../../kit/mock/find_issuer_name.ts";
import type { Configuration } from "../../../../server/setup/configuration.ts";
import type { LeaveOut, NaviktConfiguration, NotCarriedOver, TokenCallback } from "./navikt_configuration.ts";
import { translateCallbacks } from "./translate_callbacks.ts";
import { present } from "../../../../ground/values/present.ts";

interface Translation {
  readonly configuration: Configuration;
  readonly notCarriedOver: readonly NotCarriedOver[];
  /** The path of the first issuer. Absent if `tokenCallbacks` names no issuer. */
  readonly issuerPath?: string;
}

/**
 * Returns the equivalent configuration with Postern's own keys of the same file, which have priority. The schemas of the
 * keys have checked the value.
 */
export function translateNavikt(navikt: NaviktConfiguration, own: Configuration = {}): Translation {
  const notCarriedOver: NotCarriedOver[] = [];
  const leaveOut: LeaveOut = (place, instead, key) => {
    if (key === undefined || !Object.hasOwn(own, key)) notCarriedOver.push({ place, instead });
  };
  const { interactiveLogin = false, tokenCallbacks = [], tokenProvider = {} } = navikt;
  leaveOutServerOptions(navikt, own, leaveOut);
  const alg = readAlgorithm(tokenProvider.keyProvider?.algorithm, leaveOut);
  const issuerPath = findIssuerPath(tokenCallbacks);
  const callbacks = translateCallbacks(tokenCallbacks, { interactiveLogin, own, issuerPath, leaveOut });
  const { lifetimes } = own;
  const configuration: Configuration = {
    paths: "navikt",
    ...present({ alg }),
    ...callbacks,
    ...own,
    ...present({ lifetimes: lifetimes && { ...callbacks.lifetimes, ...lifetimes } }),
  };
  return { configuration, notCarriedOver, ...present({ issuerPath }) };
}

/** Chooses the issuer `default` if the file names it, and otherwise the first issuer of the file. */
function findIssuerPath(callbacks: readonly TokenCallback[]): string | undefined {
  const names = callbacks.map(({ issuerId }) => issuerId);
  const name = names.includes("default") ? "default" : names[0];
  return name === undefined || !issuerName.test(name) ? undefined : `/${name}`;
}

function leaveOutServerOptions(
  { loginPagePath, staticAssetsPath, rotateRefreshToken, httpServer, tokenProvider = {} }:
    NaviktConfiguration,
  { lifetimes }: Configuration,
  leaveOut: LeaveOut,
): void {
  const { systemTime, keyProvider } = tokenProvider;
  if (loginPagePath !== undefined) {
    leaveOut(
      "loginPagePath",
      'People choose their account on Postern\'s own page. List them in "people".',
      "people",
    );
  }
  if (staticAssetsPath !== undefined) {
    leaveOut("staticAssetsPath", "Serve these files from your application.");
  }
  if (rotateRefreshToken === false && lifetimes?.refreshGrace === undefined) {
    leaveOut(
      "rotateRefreshToken",
      'Each refresh gives a new refresh token. With "lifetimes": { "refreshGrace": "1m" } the old one works a minute longer.',
    );
  }
  if (typeof httpServer === "object" && httpServer.ssl !== undefined) {
    leaveOut(
      "httpServer.ssl",
      "Add --tls, or --tls-cert FILE and --tls-key FILE, with a certificate and its key as PEM.",
    );
  }
  if (systemTime !== undefined) {
    leaveOut(
      "tokenProvider.systemTime",
      `Start with --control, and send { "freeze": "${systemTime}" } to POST /_postern/clock.`,
    );
  }
  if (keyProvider?.initialKeys !== undefined) {
    leaveOut("tokenProvider.keyProvider.initialKeys", "Give signingKeys to createServer or createMock.");
  }
}

function readAlgorithm(algorithm: string | undefined, leaveOut: LeaveOut): SigningAlgorithm | undefined {
  const known = signingAlgorithms.find((each) => each === algorithm);
  if (algorithm !== undefined && known === undefined) {
    leaveOut(
      "tokenProvider.keyProvider.algorithm",
      `Choose another "alg": ${signingAlgorithms.join(", ")}.`,
      "alg",
    );
  }
  return known;
}
