/** What a server was told, checked and complete: nothing optional is left open for a request to find out. */

import type { SigningAlgorithm } from "../crypto/jwk.ts";
import type { Client } from "./clients/client.ts";
import type { People } from "./people/people.ts";

export interface Lifetimes {
  /** Seconds, as all times are. */
  readonly code: number;
  readonly accessToken: number;
  readonly idToken: number;
  readonly session: number;
  readonly refreshIdle: number;
  readonly refreshAbsolute: number;
  readonly refreshGrace: number;
  /** How long a key signs before a new one takes over. Absent: until it is told to. */
  readonly signingKey?: number;
}

export interface Settings {
  readonly issuer: string;
  /** Host and port, as a Host header names them. */
  readonly issuerHost: string;
  /** The issuer without a slash at its end: what every endpoint's URL begins with. */
  readonly baseUrl: string;
  /** The issuer's path without a slash at its end: what every endpoint's path begins with. */
  readonly basePath: string;
  /** Configured clients by id. */
  readonly clients: ReadonlyMap<string, Client>;
  /** The issuer's own name is one that nobody can own, so redirect URIs of that kind are as safe as loopback. */
  readonly reservedForTests: boolean;
  /** Clients or people that everybody knows the credentials of: not for more than one's own machine. */
  readonly demo: boolean;
  readonly people: People;
  /** Words for each scope. Empty: every well-formed scope is granted. */
  readonly scopes: ReadonlyMap<string, string | undefined>;
  /** What a request without scope asks for, unless its client registered something else. */
  readonly defaultScope: readonly string[];
  /** Empty: every well-formed resource is granted. */
  readonly resources: ReadonlySet<string>;
  /** What every sign-in counts as, the usual one first: values of `acr`. */
  readonly acrValues: readonly string[];
  /** Who sign-in and consent answer for by themselves: unless the request hints at somebody else. */
  readonly automaticPerson: string | undefined;
  /** What the front page shows: clients and people, or nothing of the configuration but the issuer. */
  readonly frontPage: "full" | "issuer";
  /** What signs access tokens, and whatever a client did not ask to have signed otherwise. */
  readonly alg: SigningAlgorithm;
  /** Every algorithm that something here signs with. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** What a client may register for its ID tokens. RS256 is among them unless the caller's keys cannot sign it. */
  readonly idTokenAlgorithms: readonly SigningAlgorithm[];
  readonly accessTokens: "jwt" | "opaque";
  /** The `typ` of access tokens that are JWTs. */
  readonly accessTokenType: "at+jwt" | "JWT";
  readonly lifetimes: Lifetimes;
}
