/** What the FAPI 2.0 profiles demand: of the options of a server, and of the metadata of its clients. */

import { isLoopbackRedirectUri, isServedFromLoopback } from "../../oauth/clients/redirect_uri.ts";
import { type Duration, parseDuration } from "../../schema/duration.ts";

export type ProfileName = "fapi2-security";

export const profileNames: readonly ProfileName[] = ["fapi2-security"];

/** A demand on one option or member. An absent value fits unless it must be filled, or `fits` refuses `undefined`. */
export interface Rule {
  /** Where the value is: "lifetimes.code". */
  readonly place: string;
  /** The section of the Security Profile, or the whole name of another text. */
  readonly rule: string;
  /** The value if it is left out. */
  readonly fill?: unknown;
  readonly expected: string;
  fits(value: unknown): boolean;
}

const algorithms = ["ES256", "PS256", "EdDSA"];
const algorithmNames = "ES256, PS256 or EdDSA";

const isOff = (value: unknown) => value === undefined || value === false;
const isOn = (value: unknown) => value === undefined || value === true;
const isAbsent = (value: unknown) => value === undefined;
const isStrong = (value: unknown) =>
  value === undefined || [value].flat().every((alg) => alg === "Ed25519" || algorithms.includes(`${alg}`));
const isMethod = (value: unknown) => /^(private_key_jwt|(self_signed_)?tls_client_auth)$/.test(`${value}`);
const lasts = (most: number) => (value: unknown) => {
  const seconds = typeof value === "string" ? parseDuration(value) : value as Duration | undefined;
  return typeof seconds !== "number" || seconds <= most;
};
const hasTls = (value: unknown) =>
  value === undefined || /^https:/.test(`${value}`) || isServedFromLoopback(`${value}`);
const isRedirectUri = (uri: unknown) => !/^http:/i.test(`${uri}`) || isLoopbackRedirectUri(`${uri}`);

const off = { expected: "must be false", fits: isOff };

/** Demands on the server if any of its clients has a profile. */
export const sharedRules: readonly Rule[] = [
  { place: "issuer", rule: "§5.2.1", expected: "must be https, or on loopback", fits: hasTls },
  { place: "allowPrivateHttp", rule: "§5.2.1", ...off },
  {
    place: "issSent",
    rule: "§5.3.2.2-7",
    expected: "must be right",
    fits: (v) => isAbsent(v) || v === "right",
  },
  { place: "issAnnounced", rule: "§5.3.2.2-7", expected: "must be true", fits: isOn },
  {
    place: "lifetimes.pushedRequest",
    rule: "§5.3.2.2-12",
    expected: "must be less than 600 seconds",
    fits: lasts(599),
  },
];

/** Demands on the server if only some of its clients have a profile: access tokens are signed alike for all. */
export const mixedRules: readonly Rule[] = [
  {
    place: "alg",
    rule: "§5.4.1",
    expected: `must be ${algorithmNames}`,
    fits: (v) => !isAbsent(v) && isStrong(v),
  },
];

/** Demands on a server that has a profile itself. */
export const serverRules: readonly Rule[] = [
  { place: "clients", rule: "§5.3.2.1-3", fill: [], expected: "must be a list", fits: () => true },
  { place: "firstUse", rule: "§5.3.2.1-3", fill: false, ...off },
  { place: "registration", rule: "§5.3.2.1-3", fill: false, ...off },
  { place: "clientDocuments", rule: "§5.3.2.1-3", fill: false, ...off },
  { place: "exposeDemo", rule: "§5.3.2.1-3", ...off },
  { place: "dpop", rule: "§5.3.2.1-5", expected: "must not be false", fits: (value) => value !== false },
  { place: "rotateRefreshTokens", rule: "§5.3.2.1-9", fill: false, ...off },
  {
    place: "lifetimes.code",
    rule: "§5.3.2.1-11",
    fill: 60,
    expected: "must be at most 60 seconds",
    fits: lasts(60),
  },
  { place: "requirePushedRequests", rule: "§5.3.2.2-3", fill: true, expected: "must be true", fits: isOn },
  {
    place: "clientAuthMethods",
    rule: "§5.3.2.1-6",
    expected: "must have only private_key_jwt, tls_client_auth and self_signed_tls_client_auth",
    fits: (value) => isAbsent(value) || [value].flat().every(isMethod),
  },
  { place: "alg", rule: "§5.4.1", expected: `must be ${algorithmNames}`, fits: isStrong },
  {
    place: "acceptedAlgorithms",
    rule: "§5.4.1",
    fill: algorithms,
    expected: `must have only ${algorithmNames}`,
    fits: isStrong,
  },
  { place: "dpop.algorithms", rule: "§5.4.1", expected: `must have only ${algorithmNames}`, fits: isStrong },
];

/** The members of a client that name an algorithm: `id_token_signed_response_alg`. */
export const algorithmMember: RegExp = /_sign(ing|ed_response)_alg$/;

/** Demands on a client that has a profile, or whose server has one. */
export const clientRules: readonly Rule[] = [
  {
    place: "token_endpoint_auth_method",
    rule: "§5.3.2.1-6",
    fill: "private_key_jwt",
    expected: "must be private_key_jwt, tls_client_auth or self_signed_tls_client_auth",
    fits: isMethod,
  },
  {
    place: "require_bound_access_tokens",
    rule: "§5.3.2.1-4",
    fill: true,
    expected: "must be true",
    fits: isOn,
  },
  {
    place: "client_assertion_audience",
    rule: "§5.3.2.1-8",
    fill: "issuer_string",
    expected: "must be issuer_string",
    fits: (value) => value === "issuer_string",
  },
  { place: "rotate_refresh_tokens", rule: "§5.3.2.1-9", fill: false, ...off },
  {
    place: "authorization_code_lifetime",
    rule: "§5.3.2.1-11",
    fill: 60,
    expected: "must be at most 60 seconds",
    fits: lasts(60),
  },
  {
    place: "require_pushed_authorization_requests",
    rule: "§5.3.2.2-3",
    fill: true,
    expected: "must be true",
    fits: isOn,
  },
  { place: "require_pkce", rule: "§5.3.2.2-5", expected: "must be true", fits: isOn },
  {
    place: "oauth_version",
    rule: "§5.3.2.2-6",
    expected: "must be left out, because each request has a redirect_uri",
    fits: isAbsent,
  },
  {
    place: "redirect_uris",
    rule: "§5.3.2.2-8",
    expected: "must be https, http on loopback, or the private scheme of an app",
    fits: (uris) => ![uris].flat().some((uri) => !isRedirectUri(uri)),
  },
  { place: "allow_private_http", rule: "§5.3.2.2-8", ...off },
  {
    place: "accepted_signing_algs",
    rule: "§5.4.1",
    fill: algorithms,
    expected: `must have only ${algorithmNames}`,
    fits: isStrong,
  },
  { place: "jwks_uri", rule: "§5.4.2", expected: "must be https, or on loopback", fits: hasTls },
];

/** The demand on each member of `algorithmMember`. */
export const algorithmRule: Omit<Rule, "place"> = {
  rule: "§5.4.1",
  expected: `must be ${algorithmNames}`,
  fits: isStrong,
};
