/** The type of a platform: what its tokens contain, and where it publishes its keys. */

import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";

export interface Platform {
  /** The name of its tokens in errors and on the console: "GitHub Actions". */
  readonly title: string;
  readonly alg: SigningAlgorithm;
  /** The `typ` in the header. Absent: the header has none. */
  readonly typ?: string;
  /** In seconds. */
  readonly lifetime: number;
  /** How many seconds before `iat` the token is valid. Absent: the token has no `nbf`. */
  readonly validBefore?: number;
  readonly hasId: boolean;
  readonly jwksPath: string;
  /** The discovery document, without `issuer` and `jwks_uri`. */
  readonly metadata: Members;
  readonly subject: {
    readonly form: string;
    /** Returns the claims that the subject implies, or `undefined` if the platform has no such subject. */
    read(sub: string): Claims | undefined;
    write(claims: Claims): string;
  };
  readonly audience: {
    /** The form of `aud`. `either`: a text for one audience, and a list for several. */
    readonly form: "text" | "list" | "either";
    /** Returns the audience of a token for which the workload names none. Absent: it must name one. */
    readonly find?: (claims: Claims, issuer: string) => string;
    /** The rule that demands an audience, for errors. */
    readonly rule?: string;
  };
  /** Returns all claims of an example that go with the known ones, besides `sub`, `aud`, `iss`, `jti` and the times. */
  describe(known: Claims, issuer: string): Claims;
  /** The names of the environment variables with the address and the bearer for token requests, if there are any. */
  readonly variables?: { readonly url: string; readonly bearer: string };
}

export function readTexts(claims: Claims): (name: string, usual: string) => string {
  return (name, usual) => {
    const value = claims[name];
    return typeof value === "string" ? value : usual;
  };
}
