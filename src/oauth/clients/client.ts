/** What the server holds of a client. */

export interface Client {
  readonly id: string;
  readonly name?: string;
  readonly redirectUris: readonly string[];
  /** How it authenticates. Absent: a first-use client that has not redeemed anything yet. */
  readonly authentication?: ClientAuthentication;
  readonly grantTypes: readonly string[];
  readonly responseTypes: readonly string[];
  /** The scopes it may ask for. Absent: every one. */
  readonly scope?: readonly string[];
  readonly requirePkce: boolean;
  /** Whether a person's consent counts again. Absent: the redirect URI and the way it authenticates decide. */
  readonly rememberConsent?: boolean;
  /** Pairwise subjects: clients of one sector know a person by the same name (OpenID Connect Core §8.1). */
  readonly sector?: string;
  /** "2.1": requests may leave redirect_uri out (OAuth 2.1 §4.1.1, §10.2). "2.0", with PKCE not required: openid needs no nonce. */
  readonly oauthVersion?: "2.0" | "2.1";
  /** The metadata that features read, by its registered names: see `memberOf`. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The name of the source that it is from: "configuration", "first_use". */
  readonly source: string;
  /** Who answers for it. Absent: no person has approved it yet, and it may not be kept anywhere. */
  readonly approvedBy?: "operator" | "person";
  /** RFC 6749 §2.4: no metadata describes it, only its own requests. The configuration could say more. */
  readonly unregistered?: true;
  /** Until when anything that was granted to it may live, where its source must know. */
  readonly aliveUntil?: number;
  /** Changes when this id comes to mean another client: grants of the former one are dead. */
  readonly epoch: string;
  /** Published on the pages, because it is no secret: the demo client's. */
  readonly demoSecret?: string;
}

/** OAuth 2.1 §2.1: a public client shows nothing but its name. */
export const publicClientMethod = "none";

/** How it authenticates; a first-use client that has not said it yet is taken for a public one. */
export function methodOf({ authentication }: Pick<Client, "authentication">): string {
  return authentication?.method ?? publicClientMethod;
}

/** Whether it is a secret that this method shows (RFC 7591 §2). */
export function showsSecret(method: string): boolean {
  return method.startsWith("client_secret_");
}

export interface ClientAuthentication {
  /** `none`, or the name of a registered method. */
  readonly method: string;
  readonly secretHash?: string;
  /** Of a first-use client whose first request could be read in two ways: the second. */
  readonly otherSecretHash?: string;
}

/** A redemption of a client that passed every check. */
export interface ClientUse {
  /** How the client authenticated, where its source does not know yet. It must do the same from now on. */
  readonly authentication?: ClientAuthentication;
  /** When the last of the tokens ends, so that the client is needed until then. */
  readonly livesUntil: number;
}
