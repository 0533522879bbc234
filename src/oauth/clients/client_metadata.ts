/** Client metadata under its registered names, from configuration and later from registration (RFC 7591 §2). */

import { isVerifyingKey, type Jwk, type SigningAlgorithm } from "../../crypto/jwk.ts";
import type { Slots } from "../feature.ts";
import { hashSecret } from "../tokens/credential.ts";
import { parseScope } from "../tokens/scope.ts";
import { type Client, publicClientMethod } from "./client.ts";
import { unfitAfterSignOut, unfitForAnswers, unfitForRegistration } from "./redirect_uri.ts";
import { usualGrantTypes, usualResponseTypes } from "./usual_grants.ts";

/** One client, as people write it down. */
export interface ClientMetadata {
  readonly client_id: string;
  /** Left out for a public client. */
  readonly client_secret?: string;
  readonly client_name?: string;
  readonly redirect_uris?: readonly string[];
  /** `none` without a secret, `client_secret_basic` with one, unless it is said. */
  readonly token_endpoint_auth_method?: string;
  /** `encoded`: Basic credentials must be form-encoded (RFC 6749 §2.3.1). Left out: the raw pair is accepted, too. */
  readonly client_secret_basic?: "encoded";
  /** Left out: `authorization_code`, `refresh_token`, and for a confidential client `client_credentials`. */
  readonly grant_types?: readonly string[];
  /** Left out: `code`, for a client that may use `authorization_code`. */
  readonly response_types?: readonly string[];
  /** What it may ask for, with one space between two. Left out: every scope. */
  readonly scope?: string;
  /** `false`: a request with `openid` in its scope may go without PKCE when it sends a nonce. */
  readonly require_pkce?: boolean;
  /**
   * `true`: a person who has agreed is not asked again. `false`: a person is asked each time. Left out: `true` with an
   * https redirect URI, and on loopback for a client with a secret or a key.
   */
  readonly remember_consent?: boolean;
  /** The public keys of a client that authenticates with `private_key_jwt`. */
  readonly jwks?: { readonly keys: readonly Jwk[] };
  /** `endpoint`: an assertion may name the endpoint's URL, as OpenID's older rule had it. Default: `issuer`. */
  readonly client_assertion_audience?: "issuer" | "endpoint";
  readonly id_token_signed_response_alg?: SigningAlgorithm;
  /** Left out: userinfo is JSON. */
  readonly userinfo_signed_response_alg?: SigningAlgorithm;
  /** `pairwise`: clients of other hosts know a person by another name. */
  readonly subject_type?: "public" | "pairwise";
  /** Seconds after which its users sign in again. */
  readonly default_max_age?: number;
  readonly post_logout_redirect_uris?: readonly string[];
  readonly backchannel_logout_uri?: string;
  readonly backchannel_logout_session_required?: boolean;
  /** The APIs that this client is: it may introspect the tokens for them. */
  readonly serves?: readonly string[];
  /** `2.1`: requests may leave redirect_uri out, as OAuth 2.1 allows. `2.0`: with `require_pkce: false`, `openid` needs no nonce. */
  readonly oauth_version?: "2.0" | "2.1";
}

/** A member that cannot be taken, and what it should have been. */
export interface MetadataProblem {
  readonly member: string;
  readonly expected: string;
}

/** RFC 7591 §2 says Basic where nothing is said; a client without a secret can only mean to be public. */
export function registeredMethod(
  { token_endpoint_auth_method: method, client_secret: secret }: ClientMetadata,
): string {
  return method ?? (secret === undefined ? publicClientMethod : "client_secret_basic");
}

export function readClientMetadata(
  metadata: ClientMetadata,
  terms: { readonly slots: Slots } & Pick<Client, "source" | "approvedBy" | "epoch">,
): Client | MetadataProblem {
  const { slots, ...facts } = terms;
  const { client_id: id, client_secret: secret, client_name: name, redirect_uris: redirectUris = [] } =
    metadata;
  if (!/^[\x20-\x7e]+$/.test(id) || id.trim() === "") {
    return { member: "client_id", expected: "must be printable ASCII and not blank" };
  }
  for (const [index, uri] of redirectUris.entries()) {
    const expected = unfitForAnswers(uri);
    if (expected !== undefined) return { member: `redirect_uris[${index}]`, expected };
  }
  const method = registeredMethod(metadata);
  const methods = [publicClientMethod, ...slots.clientAuth.keys()];
  if (!methods.includes(method)) {
    return { member: "token_endpoint_auth_method", expected: `must be one of ${methods.join(", ")}` };
  }
  if (method === publicClientMethod && secret !== undefined) {
    return { member: "client_secret", expected: "must be left out: the client authenticates with none" };
  }
  if (metadata.client_secret_basic !== undefined && method !== "client_secret_basic") {
    const expected = `must be left out: the client authenticates with ${method}`;
    return { member: "client_secret_basic", expected };
  }
  const provesKey = method === "private_key_jwt";
  if (method !== publicClientMethod && !provesKey && (secret === undefined || secret.trim() === "")) {
    return { member: "client_secret", expected: `must be given and not be blank: ${method} proves it` };
  }
  const keyProblem = checkKeys(metadata.jwks?.keys, provesKey);
  if (keyProblem !== undefined) return keyProblem;
  const logoutProblem = checkLogoutUris(metadata);
  if (logoutProblem !== undefined) return logoutProblem;
  const sectors = new Set(redirectUris.map(sectorOf));
  if (metadata.subject_type === "pairwise" && sectors.size !== 1) {
    return { member: "subject_type", expected: "can be pairwise only where all redirect_uris have one host" };
  }
  // OAuth 2.1 §7.5.1: a nonce protects the client's user, but only PKCE or a secret protects the code.
  if (metadata.require_pkce === false && method === publicClientMethod) {
    return { member: "require_pkce", expected: "must not be false for a public client: it has nothing else" };
  }
  const isConfidential = method !== publicClientMethod;
  const grantTypes = metadata.grant_types ?? usualGrantTypes({ isConfidential }, slots);
  const unknownGrant = grantTypes.findIndex((each) => !slots.grantTypes.has(each));
  if (unknownGrant !== -1) {
    const expected = `must be one of ${[...slots.grantTypes.keys()].join(", ")}`;
    return { member: `grant_types[${unknownGrant}]`, expected };
  }
  const actsForItselfOnly = grantTypes.length > 0 &&
    grantTypes.every((each) => each === "client_credentials");
  if (!isConfidential && actsForItselfOnly) {
    const expected =
      "must hold another grant type, or the client a client_secret: client_credentials is for " +
      "confidential clients only (RFC 6749 §4.4)";
    return { member: "grant_types", expected };
  }
  const responseTypes = metadata.response_types ?? usualResponseTypes(grantTypes, slots);
  const unknownResponse = responseTypes.findIndex((each) => !slots.responseTypes.has(each));
  if (unknownResponse !== -1) {
    const expected = `must be one of ${[...slots.responseTypes.keys()].join(", ")}`;
    return { member: `response_types[${unknownResponse}]`, expected };
  }
  const scope = metadata.scope === undefined ? undefined : parseScope(metadata.scope);
  if (metadata.scope !== undefined && scope === undefined) {
    return { member: "scope", expected: "must be scope names separated by single spaces" };
  }
  return {
    id,
    ...(name === undefined ? {} : { name }),
    redirectUris,
    authentication: { method, ...(secret === undefined ? {} : { secretHash: hashSecret(secret) }) },
    grantTypes,
    responseTypes,
    ...(scope === undefined ? {} : { scope }),
    requirePkce: metadata.require_pkce ?? true,
    ...(metadata.remember_consent === undefined ? {} : { rememberConsent: metadata.remember_consent }),
    ...(metadata.client_secret_basic === "encoded" ? { encodesBasic: true } : {}),
    ...(metadata.jwks === undefined ? {} : { jwks: metadata.jwks.keys }),
    assertsToEndpoint: metadata.client_assertion_audience === "endpoint",
    ...(metadata.id_token_signed_response_alg === undefined
      ? {}
      : { idTokenAlg: metadata.id_token_signed_response_alg }),
    ...(metadata.userinfo_signed_response_alg === undefined
      ? {}
      : { userinfoAlg: metadata.userinfo_signed_response_alg }),
    ...(metadata.subject_type === "pairwise" ? { sector: [...sectors][0]! } : {}),
    ...(metadata.default_max_age === undefined ? {} : { defaultMaxAge: metadata.default_max_age }),
    postLogoutRedirectUris: metadata.post_logout_redirect_uris ?? [],
    ...(metadata.backchannel_logout_uri === undefined
      ? {}
      : { backchannelLogoutUri: metadata.backchannel_logout_uri }),
    serves: metadata.serves ?? [],
    ...(metadata.oauth_version === undefined ? {} : { oauthVersion: metadata.oauth_version }),
    ...facts,
  };
}

/** OpenID Connect Core §8.1: the host, whichever port. An app's own scheme has none, and stands for it. */
function sectorOf(redirectUri: string): string {
  const { hostname, protocol } = new URL(redirectUri);
  return hostname === "" ? protocol : hostname;
}

function checkKeys(keys: readonly Jwk[] | undefined, needed: boolean): MetadataProblem | undefined {
  if (!needed) {
    return keys === undefined ? undefined : { member: "jwks", expected: "is for private_key_jwt only" };
  }
  if (keys === undefined || keys.length === 0) {
    return { member: "jwks", expected: "must hold a public key: private_key_jwt is proved with it" };
  }
  const at = keys.findIndex((jwk) => !isVerifyingKey(jwk));
  return at === -1 ? undefined : {
    member: `jwks.keys[${at}]`,
    expected: "must be a public RSA key, or one on P-256 or Ed25519, without any private member",
  };
}

function checkLogoutUris(metadata: ClientMetadata): MetadataProblem | undefined {
  const { post_logout_redirect_uris: uris = [], backchannel_logout_uri: told } = metadata;
  for (const [index, uri] of uris.entries()) {
    const expected = unfitAfterSignOut(uri);
    if (expected !== undefined) return { member: `post_logout_redirect_uris[${index}]`, expected };
  }
  if (told === undefined) return undefined;
  // The server calls it: only what an operator would call, too.
  const expected = unfitForRegistration(told) ??
    (/^https?:/.test(told) ? undefined : "must be https, or http on loopback");
  return expected === undefined ? undefined : { member: "backchannel_logout_uri", expected };
}
