/** The settings of a server: checked at start, with every default filled in. */

import type { SigningAlgorithm } from "../crypto/jwk.ts";
import type { Client } from "./clients/client.ts";
import type { People } from "./people/people.ts";

export interface Lifetimes {
  /** In seconds, like the others. */
  readonly code: number;
  readonly accessToken: number;
  readonly idToken: number;
  readonly session: number;
  readonly refreshIdle: number;
  readonly refreshAbsolute: number;
  readonly refreshGrace: number;
  /** How long a key signs before a new one replaces it. Absent: until `rotateKeys()` is called. */
  readonly signingKey?: number;
}

export interface Settings {
  readonly issuer: string;
  /** Host and port, as in a Host header. */
  readonly issuerHost: string;
  /** The issuer without a slash at its end: the start of every endpoint's URL. */
  readonly baseUrl: string;
  /** The issuer's path without a slash at its end: the start of every endpoint's path. */
  readonly basePath: string;
  /** Configured clients by id. */
  readonly clients: ReadonlyMap<string, Client>;
  /** The issuer has a name that cannot be registered, so redirect URIs with such names are as safe as loopback. */
  readonly reservedForTests: boolean;
  /** There are clients or people with published credentials, so other machines must not reach the server. */
  readonly demo: boolean;
  readonly people: People;
  /** The description of each scope. Empty: every well-formed scope is granted. */
  readonly scopes: ReadonlyMap<string, string | undefined>;
  /** The scope of a request that names none, unless its client has registered another default. */
  readonly defaultScope: readonly string[];
  /** Empty: every well-formed resource is granted. */
  readonly resources: ReadonlySet<string>;
  /** The values of `acr` that every sign-in satisfies, the usual one first. */
  readonly acrValues: readonly string[];
  /** Is signed in and approves without a page, unless the request hints at another person. */
  readonly automaticPerson: string | undefined;
  /** `full`: the front page also shows clients and people. */
  readonly frontPage: "full" | "issuer";
  /** Signs access tokens, and all else for which the client has registered no other algorithm. */
  readonly alg: SigningAlgorithm;
  /** Every algorithm that the server signs with. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** The algorithms that a client may register for its ID tokens. RS256 is one of them if there is a key for it. */
  readonly idTokenAlgorithms: readonly SigningAlgorithm[];
  readonly accessTokens: "jwt" | "opaque";
  /** The `typ` of access tokens that are JWTs. */
  readonly accessTokenType: "at+jwt" | "JWT";
  readonly lifetimes: Lifetimes;
}
