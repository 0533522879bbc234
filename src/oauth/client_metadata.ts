/** Client metadata under its registered names, from configuration and later from registration (RFC 7591 §2). */

import { type Client, publicClientMethod } from "./client.ts";
import type { Slots } from "./feature.ts";
import { hashSecret } from "./credential.ts";
import { unfitForRegistration } from "./redirect_uri.ts";
import { parseScope } from "./scope.ts";

/** One client, as people write it down. */
export interface ClientMetadata {
  readonly client_id: string;
  /** Left out for a public client. */
  readonly client_secret?: string;
  readonly client_name?: string;
  readonly redirect_uris?: readonly string[];
  /** `none` without a secret, `client_secret_basic` with one, unless it is said. */
  readonly token_endpoint_auth_method?: string;
  readonly grant_types?: readonly string[];
  readonly response_types?: readonly string[];
  /** What it may ask for, with one space between two. Left out: every scope. */
  readonly scope?: string;
  /** `false`: an OpenID client may go without PKCE when it sends a nonce. */
  readonly require_pkce?: boolean;
  /** `2.1`: the token request may leave redirect_uri out. */
  readonly oauth_version?: "2.0" | "2.1";
}

/** A member that cannot be taken, and what it should have been. */
export interface MetadataProblem {
  readonly member: string;
  readonly expected: string;
}

export function readClientMetadata(
  metadata: ClientMetadata,
  terms: { readonly slots: Slots; readonly origin: Client["origin"]; readonly epoch: string },
): Client | MetadataProblem {
  const { slots, origin, epoch } = terms;
  const { client_id: id, client_secret: secret, client_name: name, redirect_uris: redirectUris = [] } =
    metadata;
  if (!/^[\x20-\x7e]+$/.test(id) || id.trim() === "") {
    return { member: "client_id", expected: "must be printable ASCII and not blank" };
  }
  for (const [index, uri] of redirectUris.entries()) {
    const expected = unfitForRegistration(uri);
    if (expected !== undefined) return { member: `redirect_uris[${index}]`, expected };
  }
  // RFC 7591 §2 says Basic where nothing is said; a client without a secret can only mean to be public.
  const method = metadata.token_endpoint_auth_method ??
    (secret === undefined ? publicClientMethod : "client_secret_basic");
  const methods = [publicClientMethod, ...slots.clientAuth.keys()];
  if (!methods.includes(method)) {
    return { member: "token_endpoint_auth_method", expected: `must be one of ${methods.join(", ")}` };
  }
  if (method === publicClientMethod && secret !== undefined) {
    return { member: "client_secret", expected: "must be left out: the client authenticates with none" };
  }
  if (method !== publicClientMethod && (secret === undefined || secret.trim() === "")) {
    return { member: "client_secret", expected: `must be given and not be blank: ${method} proves it` };
  }
  // OAuth 2.1 §7.5.1: a nonce protects the client's user, but only PKCE or a secret protects the code.
  if (metadata.require_pkce === false && method === publicClientMethod) {
    return { member: "require_pkce", expected: "must not be false for a public client: it has nothing else" };
  }
  const grantTypes = metadata.grant_types ?? [...slots.grantTypes.keys()];
  const unknownGrant = grantTypes.findIndex((each) => !slots.grantTypes.has(each));
  if (unknownGrant !== -1) {
    const expected = `must be one of ${[...slots.grantTypes.keys()].join(", ")}`;
    return { member: `grant_types[${unknownGrant}]`, expected };
  }
  const responseTypes = metadata.response_types ??
    (grantTypes.includes("authorization_code") ? [...slots.responseTypes.keys()] : []);
  const unknownResponse = responseTypes.findIndex((each) => !slots.responseTypes.has(each));
  if (unknownResponse !== -1) {
    const expected = `must be one of ${[...slots.responseTypes.keys()].join(", ")}`;
    return { member: `response_types[${unknownResponse}]`, expected };
  }
  const scope = metadata.scope === undefined ? undefined : parseScope(metadata.scope);
  if (metadata.scope !== undefined && scope === undefined) {
    return { member: "scope", expected: "must be scope names with one space between two" };
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
    omitsRedirectUri: metadata.oauth_version === "2.1",
    origin,
    epoch,
  };
}
