/** A client of the server, from any source. */

import type { CoreOptions } from "./core_options.ts";

export interface Client {
  readonly id: string;
  readonly name?: string;
  readonly redirectUris: readonly string[];
  /** The URIs of the client may be http at private addresses and local names. */
  readonly allowsPrivateHttp?: boolean;
  /** How the client must authenticate. Absent: its first redemption decides. */
  readonly authentication?: ClientAuthentication;
  readonly grantTypes: readonly string[];
  readonly responseTypes: readonly string[];
  /** The scopes that the client may request. Absent: every scope. */
  readonly scope?: readonly string[];
  readonly requirePkce: boolean;
  /** Whether a person's consent is remembered. Absent: the redirect URI and the authentication method decide. */
  readonly rememberConsent?: boolean;
  /** Set for pairwise subjects. Clients of one sector get the same `sub` for a person (OpenID Connect Core §8.1). */
  readonly sector?: string;
  /**
   * "2.1": requests may leave redirect_uri out (OAuth 2.1 §4.1.1, §10.2). "2.0": if PKCE is not required, a request
   * with openid in its scope needs no nonce.
   */
  readonly oauthVersion?: "2.0" | "2.1";
  /** The metadata that features read, with the names of the specifications. Read a value with `memberOf`. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The name of the `ClientSource` that the client comes from: "configuration", "first_use". */
  readonly source: string;
  /**
   * Who accepted the client: the operator who configured it or let it register, or a person. Absent: no person has
   * approved it yet.
   */
  readonly approvedBy?: "operator" | "person";
  /** The client has no registered metadata (RFC 6749 §2.4). So a refusal suggests a configuration. */
  readonly unregistered?: true;
  /** The client registered itself, and chose its own metadata (RFC 7591). */
  readonly registeredItself?: true;
  /** When the last code or token of the client expires. Only a source that limits its number of clients sets this. */
  readonly aliveUntil?: number;
  /** The list that has the seat of the client. Absent: the list of its source. */
  readonly placeList?: string;
  /** Distinguishes successive clients with the same id, so that the grants of a former client are invalid. */
  readonly epoch: string;
  /** A client of the server itself. The configuration does not have it. */
  readonly isDemo?: true;
  /** The secret of the demo client. It is published, so pages show it. */
  readonly demoSecret?: string;
}

/** OAuth 2.1 §2.1: a public client has no credentials. */
export const publicClientMethod = "none";

/** Returns the client's method. Until the first redemption of a first-use client, that is `none`. */
export function methodOf({ authentication }: Pick<Client, "authentication">): string {
  return authentication?.method ?? publicClientMethod;
}

/** Returns the client's method. RFC 7591 §2 defaults to Basic, but a client without a secret can only be public. */
export function registeredMethod(
  { token_endpoint_auth_method: method, client_secret: secret }: {
    readonly token_endpoint_auth_method?: string;
    readonly client_secret?: string;
  },
): string {
  return method ?? (secret === undefined ? publicClientMethod : "client_secret_basic");
}

/** Whether the operator has chosen the metadata of the client, and not the client itself or its document. */
export function isConfigured(
  { approvedBy, registeredItself }: Pick<Client, "approvedBy" | "registeredItself">,
): boolean {
  return approvedBy === "operator" && !registeredItself;
}

/** Whether clients need a secret for this method (RFC 7591 §2). */
export function usesSecret(method: string): boolean {
  return method.startsWith("client_secret_");
}

/** Whether clients sign an assertion for this method, by its registered name (OpenID Connect Core §9). */
export function signsAssertion(method: string): boolean {
  return method.endsWith("_jwt");
}

/** Whether clients send the secret itself, and do not sign with it. */
export function sendsSecret(method: string): boolean {
  return usesSecret(method) && !signsAssertion(method);
}

/** Whether a client without registered metadata, and so without a key, can use the method. */
export function needsNoKey(method: string): boolean {
  return method === publicClientMethod || sendsSecret(method);
}

/** Whether a client without a key can authenticate. The methods may not be checked yet. */
export function acceptsKeylessClients({ clientAuthMethods: methods }: CoreOptions): boolean {
  return !Array.isArray(methods) || methods.some(needsNoKey);
}

export interface ClientAuthentication {
  /** `none`, or the name of a `ClientAuthMethod`. */
  readonly method: string;
  readonly secretHash?: string;
  /** The secret itself. Only for a method that uses the secret as a key (`keyOctets`). */
  readonly secret?: string;
  /** A second accepted secret: the credentials of a first-use client's first redemption may have two readings. */
  readonly otherSecretHash?: string;
  /** From this time on, the secret is not accepted. */
  readonly secretExpiresAt?: number;
  /** The id of the clock that set `secretExpiresAt`. */
  readonly clock?: string;
  /** When the first redemption of a first-use client fixed the method. */
  readonly registeredAt?: number;
}

/** What the client's source records about a redemption that has passed every check. */
export interface ClientUse {
  /** How the client authenticated, if that was not decided before. The client must do the same from now on. */
  readonly authentication?: ClientAuthentication;
  /** When the last of the new tokens expires. The source keeps the client until then. */
  readonly livesUntil: number;
}
