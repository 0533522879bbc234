/** The public types of the second factor: what a configuration says of the server, a client and a person. */

/** The option of the second factor. */
export interface SecondFactorOptions {
  /** When the server asks for a second factor, and what it is called. A person has it by `secondFactor` of `people`. */
  readonly secondFactorPolicy?: SecondFactorConfiguration;
}

/** What the server does about second factors. */
export interface SecondFactorConfiguration {
  /**
   * The values of `acr` that only a sign-in with the second factor satisfies. Default: `mfa`, and
   * `http://schemas.openid.net/pape/policies/2007/06/multi-factor`.
   */
  readonly acrValues?: readonly string[];
  /** `true`: each sign-in of each person needs the factor. Default: if the person, the client or the request asks for it. */
  readonly always?: boolean;
}

/** What a client can say about the second factor. */
export interface SecondFactorClientMembers {
  /** `true`: each sign-in at this client needs the second factor. Default: if its request asks for it. */
  readonly require_second_factor?: boolean;
}

/** What a person can have of the second factor. */
export interface SecondFactorPersonMembers {
  /**
   * A second factor, which a request can ask for: `totp` is an authenticator app, and `code` is a code that the server
   * gives, as if it sent it. An object has more: the secret of the app, or that each sign-in needs the factor. Default:
   * none.
   */
  readonly secondFactor?: "totp" | "code" | PersonFactor;
}

/** The second factor of a person. */
export interface PersonFactor {
  /** `totp`: an authenticator app makes the codes. `code`: the server gives them. */
  readonly kind: "totp" | "code";
  /** The secret of the authenticator app in base32, of at least 16 octets. Default: the server derives one. */
  readonly secret?: string;
  /** `true`: each sign-in of this person needs the factor. Default: if the request, the client or the server asks for it. */
  readonly always?: boolean;
}
