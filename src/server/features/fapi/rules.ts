/** What the FAPI 2.0 profiles demand: of the options of a server, and of the metadata of its clients. */

import { isLoopbackRedirectUri, isServedFromLoopback } from "../../oauth/clients/metadata/redirect_uri.ts";
import type { JsonObject } from "../../../ground/schema/json_object.ts";
import { parseDuration } from "../../../ground/schema/duration.ts";

/** The name of a profile of FAPI 2.0. */
export type ProfileName = "fapi2-security" | "fapi2-message-signing";

export const profileNames: readonly ProfileName[] = ["fapi2-security", "fapi2-message-signing"];

export interface Rule {
  readonly place: string;
  /** The section of the Security Profile, unless it names another document. */
  readonly section: string;
  /** What the value must be, in words that follow the place: "must be false". */
  readonly expected: string;
  /** Whether the value is so. `all` has the other options or members. */
  readonly fits: (value: unknown, all: JsonObject) => boolean;
  /** The value if it is left out. */
  readonly fill?: unknown;
}

export type Fill = Pick<Rule, "place" | "fill">;

const algorithms = ["ES256", "PS256", "EdDSA"];
const strong = "must be ES256, PS256 or EdDSA";
const onlyStrong = "must have only ES256, PS256 and EdDSA";
const encrypted = "must be https, or on loopback";

/** Whether each value of a list, or the only value, fits. A value that is left out does. */
const each = (isFit: (text: string) => boolean) => (value: unknown) =>
  value === undefined || [value].flat().every((one) => isFit(`${one}`));

const isStrong = each((alg) => [...algorithms, "Ed25519"].includes(alg));
const isMethod = each((method) => /^(private_key_jwt|(self_signed_)?tls_client_auth)$/.test(method));
const hasTls = each((url) => /^https:/.test(url) || isServedFromLoopback(url));
const isRedirectUri = each((uri) => !/^http:/i.test(uri) || isLoopbackRedirectUri(uri));
const lasts = (most: number) => (value: unknown) => {
  const seconds = typeof value === "string" ? parseDuration(value) : value;
  return typeof seconds !== "number" || seconds <= most;
};

const hasKeys = (jwks: unknown, { jwks_uri: uri }: JsonObject) => (jwks ?? uri) !== undefined;

function must(place: string, section: string, value: unknown, fill?: unknown): Rule {
  return {
    place,
    section,
    expected: `must be ${value}`,
    fits: (found) => found === undefined || found === value,
    fill,
  };
}

function sets(place: string, section: string, value: unknown): Rule {
  return must(place, section, value, value);
}

function codeLifetime(place: string): Rule {
  const section = "§5.3.2.1-11", expected = "must be at most 60 seconds";
  return { place, section, expected, fits: lasts(60), fill: 60 };
}

/** Demands on the server if any of its clients has a profile. */
export const sharedRules: readonly Rule[] = [
  { place: "issuer", section: "§5.2.1", expected: encrypted, fits: hasTls },
  must("allowPrivateHttp", "§5.2.1", false),
  must("issSent", "§5.3.2.2-7", "right"),
  must("issAnnounced", "§5.3.2.2-7", true),
  {
    place: "dpop",
    section: "§5.3.2.1-5",
    expected: "must not be false without the option mtls",
    fits: (dpop, { mtls, clientCertHeader }) => dpop !== false || (mtls ?? clientCertHeader) !== undefined,
  },
  {
    place: "lifetimes.pushedRequest",
    section: "§5.3.2.2-12",
    expected: "must be less than 600 seconds",
    fits: lasts(599),
  },
];

/** Demands on the server if only some of its clients have a profile: access tokens are signed alike for all. */
export const mixedRules: readonly Rule[] = [
  { place: "alg", section: "§5.4.1", expected: strong, fits: (alg) => alg !== undefined && isStrong(alg) },
  {
    place: "clientAuthMethods",
    section: "§5.3.2.1-6",
    expected: "must have private_key_jwt, tls_client_auth or self_signed_tls_client_auth",
    fits: (methods) => [methods].flat().some(isMethod),
  },
];

/** Demands on a server that has a profile itself. */
export const serverRules: readonly Rule[] = [
  sets("firstUse", "§5.3.2.1-3", false),
  sets("registration", "§5.3.2.1-3", false),
  sets("clientDocuments", "§5.3.2.1-3", false),
  must("exposeDemo", "§5.3.2.1-3", false),
  {
    place: "clientAuthMethods",
    section: "§5.3.2.1-6",
    expected: "must have only private_key_jwt, tls_client_auth and self_signed_tls_client_auth",
    fits: isMethod,
  },
  sets("rotateRefreshTokens", "§5.3.2.1-9", false),
  codeLifetime("lifetimes.code"),
  sets("requirePushedRequests", "§5.3.2.2-3", true),
  { place: "alg", section: "§5.4.1", expected: strong, fits: isStrong },
  { place: "acceptedAlgorithms", section: "§5.4.1", expected: onlyStrong, fits: isStrong, fill: algorithms },
  { place: "dpop.algorithms", section: "§5.4.1", expected: onlyStrong, fits: isStrong },
];

/** Demands on a client that has a profile, or whose server has one. */
const securityRules: readonly Rule[] = [
  sets("require_bound_access_tokens", "§5.3.2.1-4", true),
  {
    place: "token_endpoint_auth_method",
    section: "§5.3.2.1-6",
    expected: "must be private_key_jwt, tls_client_auth or self_signed_tls_client_auth",
    fits: isMethod,
    fill: "private_key_jwt",
  },
  {
    place: "client_secret",
    section: "§5.3.2.1-6",
    expected: "must be left out: the client authenticates by private_key_jwt or mTLS",
    fits: (secret) => secret === undefined,
  },
  {
    place: "jwks",
    section: "§5.3.2.1-6",
    expected: "or jwks_uri must be given, for private_key_jwt,",
    fits: (jwks, client) =>
      client["token_endpoint_auth_method"] !== "private_key_jwt" || hasKeys(jwks, client),
  },
  sets("client_assertion_audience", "§5.3.2.1-8", "issuer_string"),
  sets("rotate_refresh_tokens", "§5.3.2.1-9", false),
  codeLifetime("authorization_code_lifetime"),
  sets("require_pushed_authorization_requests", "§5.3.2.2-3", true),
  must("require_pkce", "§5.3.2.2-5", true),
  {
    place: "oauth_version",
    section: "§5.3.2.2-6",
    expected: "must be left out: each request has a redirect_uri",
    fits: (version) => version === undefined,
  },
  {
    place: "redirect_uris",
    section: "§5.3.2.2-8",
    expected: "must be https, http on loopback, or the scheme of an app",
    fits: isRedirectUri,
  },
  must("allow_private_http", "§5.3.2.2-8", false),
  {
    place: "accepted_signing_algs",
    section: "§5.4.1",
    expected: onlyStrong,
    fits: isStrong,
    fill: algorithms,
  },
  { place: "jwks_uri", section: "§5.4.2", expected: encrypted, fits: hasTls },
];

/** A client may switch off each half of message signing. */
const signingFills: readonly Fill[] = [
  { place: "require_signed_request_object", fill: true },
  { place: "require_signed_response", fill: true },
];

const signingRules: readonly Rule[] = [
  {
    place: "jwks",
    section: "Message Signing §5.3.1",
    expected: "or jwks_uri must be given, or require_signed_request_object must be false,",
    fits: (jwks, client) => hasKeys(jwks, client) || client["require_signed_request_object"] === false,
  },
  sets("request_object_times", "Message Signing §5.3.1", "bounded"),
];

/** A client without a redirect URI sends no authorization requests, so it has nothing to sign. */
export function clientDemands(
  profile: ProfileName,
  { redirect_uris: uris }: JsonObject,
): { readonly rules: readonly Rule[]; readonly fills: readonly Fill[] } {
  const isAsking = Array.isArray(uris) && uris.length > 0;
  if (profile !== "fapi2-message-signing" || !isAsking) return { rules: securityRules, fills: securityRules };
  const rules = [...securityRules, ...signingRules];
  return { rules, fills: [...rules, ...signingFills] };
}

/** Returns the demand on each member that names an algorithm: `id_token_signed_response_alg`. */
export function algorithmRules(names: readonly string[]): readonly Rule[] {
  return names.filter((name) => /_sign(ing|ed_response)_alg$/.test(name))
    .map((place) => ({ place, section: "§5.4.1", expected: strong, fits: isStrong }));
}

/** A client of a server with the stricter profile cannot have the other one. */
export const strictestProfile: Rule = must("profile", "Message Signing §5.1", "fapi2-message-signing");
