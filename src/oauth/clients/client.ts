/** A client as the server knows it, from whichever source. */

export interface Client {
  readonly id: string;
  readonly name?: string;
  readonly redirectUris: readonly string[];
  /** How it must authenticate. Absent: its first redemption decides it. */
  readonly authentication?: ClientAuthentication;
  readonly grantTypes: readonly string[];
  readonly responseTypes: readonly string[];
  /** The scopes that it may ask for. Absent: any. */
  readonly scope?: readonly string[];
  readonly requirePkce: boolean;
  /** Whether a person's consent is remembered. Absent: the redirect URI and the authentication method decide. */
  readonly rememberConsent?: boolean;
  /** For pairwise subjects: clients of one sector get the same `sub` for a person (OpenID Connect Core §8.1). */
  readonly sector?: string;
  /**
   * "2.1": requests may leave redirect_uri out (OAuth 2.1 §4.1.1, §10.2). "2.0": if PKCE is not required, a request
   * with openid in its scope needs no nonce.
   */
  readonly oauthVersion?: "2.0" | "2.1";
  /** The metadata that features read, under the names of its specifications: see `memberOf`. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The name of its source: "configuration", "first_use". */
  readonly source: string;
  /** Who vouches for it. Absent: no person has approved it yet. */
  readonly approvedBy?: "operator" | "person";
  /** RFC 6749 §2.4: it has no metadata, so only its requests describe it. A configuration could allow it more. */
  readonly unregistered?: true;
  /** When the last of its codes and tokens ends, if its source keeps a bounded number of clients. */
  readonly aliveUntil?: number;
  /** Another value for another client with the same id. The grants of the former client are dead. */
  readonly epoch: string;
  /** The secret of the demo client. It is known to everyone, and pages show it. */
  readonly demoSecret?: string;
}

/** OAuth 2.1 §2.1: a public client has no credentials. */
export const publicClientMethod = "none";

/** A client whose method is not decided yet counts as a public one. */
export function methodOf({ authentication }: Pick<Client, "authentication">): string {
  return authentication?.method ?? publicClientMethod;
}

/** Whether clients send a secret with this method (RFC 7591 §2). */
export function sendsSecret(method: string): boolean {
  return method.startsWith("client_secret_");
}

export interface ClientAuthentication {
  /** `none`, or the name of a `ClientAuthMethod`. */
  readonly method: string;
  readonly secretHash?: string;
  /** If the first redemption of a first-use client can be read in two ways: the secret of the second. */
  readonly otherSecretHash?: string;
}

/** A redemption that has passed every check. */
export interface ClientUse {
  /** How the client authenticated, if that was not decided before: it must do the same from now on. */
  readonly authentication?: ClientAuthentication;
  /** When the last of the tokens ends. The client is needed until then. */
  readonly livesUntil: number;
}
