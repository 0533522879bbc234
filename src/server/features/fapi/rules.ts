/** What the FAPI 2.0 profiles demand: of the options of a server, and of the metadata of its clients. */

import { isLoopbackRedirectUri, isServedFromLoopback } from "../../oauth/clients/redirect_uri.ts";
import type { JsonObject } from "../../schema/json_object.ts";
import { parseDuration } from "../../schema/duration.ts";

/** The name of a profile of FAPI 2.0. */
export type ProfileName = "fapi2-security" | "fapi2-message-signing";

export const profileNames: readonly ProfileName[] = ["fapi2-security", "fapi2-message-signing"];

/**
 * A demand on one option or member: its place, the section of the Security Profile, what the value must be and whether it
 * is, and the value if it is left out. `all` has the other options or members.
 */
export type Rule = readonly [
  place: string,
  section: string,
  expected: string,
  fits: (value: unknown, all: JsonObject) => boolean,
  fill?: unknown,
];

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

/** The value must be this one, or left out. */
function must(place: string, section: string, value: unknown, fill?: unknown): Rule {
  return [place, section, `must be ${value}`, (found) => found === undefined || found === value, fill];
}

/** The profile gives the option or member this value, and accepts no other. */
function sets(place: string, section: string, value: unknown): Rule {
  return must(place, section, value, value);
}

/** The profile gives the option or member this value, and accepts others. */
export function fills(place: string, value: unknown): Rule {
  return [place, "", "", () => true, value];
}

/** Demands on the server if any of its clients has a profile. */
export const sharedRules: readonly Rule[] = [
  ["issuer", "§5.2.1", encrypted, hasTls],
  must("allowPrivateHttp", "§5.2.1", false),
  must("issSent", "§5.3.2.2-7", "right"),
  must("issAnnounced", "§5.3.2.2-7", true),
  [
    "dpop",
    "§5.3.2.1-5",
    "must not be false without the option mtls",
    (dpop, { mtls, clientCertHeader }) => dpop !== false || (mtls ?? clientCertHeader) !== undefined,
  ],
  ["lifetimes.pushedRequest", "§5.3.2.2-12", "must be less than 600 seconds", lasts(599)],
];

/** Demands on the server if only some of its clients have a profile: access tokens are signed alike for all. */
export const mixedRules: readonly Rule[] = [
  ["alg", "§5.4.1", strong, (alg) => alg !== undefined && isStrong(alg)],
  [
    "clientAuthMethods",
    "§5.3.2.1-6",
    "must have private_key_jwt, tls_client_auth or self_signed_tls_client_auth",
    (methods) => methods === undefined || [methods].flat().some(isMethod),
  ],
];

/** Demands on a server that has a profile itself. */
export const serverRules: readonly Rule[] = [
  sets("firstUse", "§5.3.2.1-3", false),
  sets("registration", "§5.3.2.1-3", false),
  sets("clientDocuments", "§5.3.2.1-3", false),
  must("exposeDemo", "§5.3.2.1-3", false),
  [
    "clientAuthMethods",
    "§5.3.2.1-6",
    "must have only private_key_jwt, tls_client_auth and self_signed_tls_client_auth",
    isMethod,
  ],
  sets("rotateRefreshTokens", "§5.3.2.1-9", false),
  ["lifetimes.code", "§5.3.2.1-11", "must be at most 60 seconds", lasts(60), 60],
  sets("requirePushedRequests", "§5.3.2.2-3", true),
  ["alg", "§5.4.1", strong, isStrong],
  ["acceptedAlgorithms", "§5.4.1", onlyStrong, isStrong, algorithms],
  ["dpop.algorithms", "§5.4.1", onlyStrong, isStrong],
];

/** Demands on a client that has a profile, or whose server has one. */
const securityRules: readonly Rule[] = [
  sets("require_bound_access_tokens", "§5.3.2.1-4", true),
  [
    "token_endpoint_auth_method",
    "§5.3.2.1-6",
    "must be private_key_jwt, tls_client_auth or self_signed_tls_client_auth",
    isMethod,
    "private_key_jwt",
  ],
  [
    "client_secret",
    "§5.3.2.1-6",
    "must be left out: the client authenticates by private_key_jwt or mTLS",
    (secret) => secret === undefined,
  ],
  [
    "jwks",
    "§5.3.2.1-6",
    "or jwks_uri must be given, for private_key_jwt,",
    (jwks, client) => client["token_endpoint_auth_method"] !== "private_key_jwt" || hasKeys(jwks, client),
  ],
  sets("client_assertion_audience", "§5.3.2.1-8", "issuer_string"),
  sets("rotate_refresh_tokens", "§5.3.2.1-9", false),
  ["authorization_code_lifetime", "§5.3.2.1-11", "must be at most 60 seconds", lasts(60), 60],
  sets("require_pushed_authorization_requests", "§5.3.2.2-3", true),
  must("require_pkce", "§5.3.2.2-5", true),
  [
    "oauth_version",
    "§5.3.2.2-6",
    "must be left out: each request has a redirect_uri",
    (version) => version === undefined,
  ],
  ["redirect_uris", "§5.3.2.2-8", "must be https, http on loopback, or the scheme of an app", isRedirectUri],
  must("allow_private_http", "§5.3.2.2-8", false),
  ["accepted_signing_algs", "§5.4.1", onlyStrong, isStrong, algorithms],
  ["jwks_uri", "§5.4.2", encrypted, hasTls],
];

/** A client may switch off each half of message signing. */
const signingRules: readonly Rule[] = [
  [
    "jwks",
    "Message Signing §5.3.1",
    "or jwks_uri must be given, or require_signed_request_object must be false,",
    (jwks, client) => hasKeys(jwks, client) || client["require_signed_request_object"] === false,
  ],
  fills("require_signed_request_object", true),
  fills("require_signed_response", true),
  sets("request_object_times", "Message Signing §5.3.1", "bounded"),
];

/** A client without a redirect URI sends no authorization requests, so it has nothing to sign. */
export function clientRules(profile: ProfileName, { redirect_uris: uris }: JsonObject): readonly Rule[] {
  const isAsking = Array.isArray(uris) && uris.length > 0;
  return profile === "fapi2-message-signing" && isAsking
    ? [...securityRules, ...signingRules]
    : securityRules;
}

/** Returns the demand on each member that names an algorithm: `id_token_signed_response_alg`. */
export function algorithmRules(names: readonly string[]): readonly Rule[] {
  return names.filter((name) => /_sign(ing|ed_response)_alg$/.test(name))
    .map((name) => [name, "§5.4.1", strong, isStrong]);
}

/** A client of a server with the stricter profile cannot have the other one. */
export const strictestProfile: Rule = must("profile", "Message Signing §5.1", "fapi2-message-signing");
