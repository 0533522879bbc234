/** The options of `as.mint`, and the check that they can be combined. */

import type { Claims } from "../../../ground/values/members.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import type { DpopTerm } from "../client/dpop_client.ts";
import { usernameIn } from "../terms/username_in.ts";
import { readDuration } from "../terms/duration.ts";

/**
 * Options of `mint`: the kind and the content of the token.
 * @example { "username": "bob", "claims": { "role": "admin" }, "expiresIn": "5m" }
 */
export type MintTerms =
  & {
    /** The kind of token. Default: an access token. */
    readonly kind?: "access" | "id" | "refresh";
    /** The person of the token. Default: the person of automatic sign-in, or the first person. */
    readonly username?: string;
    /** @deprecated Use `username`. */
    readonly person?: string;
    /** The client id. Default: the first client that people can sign in to, or for `withoutPerson` the first confidential one. */
    readonly client?: string;
    /**
     * The scope of the token: names separated by single spaces, or a list of names. Default: the `scope` of the client, or
     * for a person `openid profile email offline_access`.
     */
    readonly scope?: string | readonly string[];
    /** The audience of an access token. Default: the only configured resource, or the issuer if none is configured. */
    readonly resource?: string | readonly string[];
    /** Claims that are added to the default claims or replace them. A refresh token has none. `undefined` removes a claim. */
    readonly claims?: Claims;
    /** The claim `nonce` of an ID token. */
    readonly nonce?: string;
    /**
     * How long the token is valid. Default: the configured lifetime of this kind. For a refresh token, at most
     * `lifetimes.refreshIdle`.
     */
    readonly expiresIn?: Duration;
    /** `true`: a token for the client itself, as from the grant type `client_credentials`. */
    readonly withoutPerson?: true;
    /**
     * `true`: the token is bound to a new key by DPoP. A private JWK is the key. `false`: it is not bound. Default:
     * `true` for a client with `dpop_bound_access_tokens`, and otherwise a bearer token. For a client with
     * `tls_client_certificate_bound_access_tokens`, this one is bound to the certificate that the test has created.
     */
    readonly dpop?: DpopTerm;
  }
  & (
    | { readonly kind?: "access" | "id"; readonly withoutPerson?: never }
    | { readonly kind: "refresh"; readonly withoutPerson?: never; readonly claims?: never }
    | {
      readonly kind?: "access";
      readonly withoutPerson: true;
      readonly username?: never;
      readonly person?: never;
    }
  );

/** The options in any combination, for callers that the compiler does not check. */
export type AnyMintOptions = { readonly [Name in keyof MintTerms]?: MintTerms[Name] };

export type MintKind = NonNullable<MintTerms["kind"]>;

interface KindOfToken {
  /** The name of the member in a token response. */
  readonly member: string;
  readonly lifetime: keyof Settings["lifetimes"];
  readonly noun: string;
}

export const mintKinds: Readonly<Record<MintKind, KindOfToken>> = {
  access: { member: "access_token", lifetime: "accessToken", noun: "an access token" },
  id: { member: "id_token", lifetime: "idToken", noun: "an ID token" },
  refresh: { member: "refresh_token", lifetime: "refreshAbsolute", noun: "a refresh token" },
};

/** Throws if the options cannot be combined. */
export function requireMintKind(
  { kind = "access", withoutPerson, claims, ...others }: AnyMintOptions,
): MintKind {
  if (!Object.hasOwn(mintKinds, kind)) {
    const known = Object.keys(mintKinds).join(", ");
    throw new TypeError(`Cannot mint: kind must be one of ${known}, not ${describeValue(kind)}`);
  }
  const problems: readonly (readonly [boolean, string])[] = [
    [
      withoutPerson === true && kind !== "access",
      `${mintKinds[kind].noun} without a person: a client's own token is an access token`,
    ],
    [
      withoutPerson === true && usernameIn(others) !== undefined,
      "a token with both username and withoutPerson: leave one of them out",
    ],
    [
      kind === "refresh" && claims !== undefined,
      "a refresh token with claims: only access tokens and ID tokens have claims",
    ],
    [
      kind === "access" && claims !== undefined && Object.hasOwn(claims, "jti"),
      "an access token with the claim jti: the server finds its record of the token by its own jti",
    ],
  ];
  const problem = problems.find(([isSo]) => isSo)?.[1];
  if (problem !== undefined) throw new TypeError(`Cannot mint ${problem}`);
  return kind;
}

export function readLifetime(
  kind: MintKind,
  expiresIn: Duration,
  { lifetimes: { refreshIdle } }: Settings,
): number {
  const seconds = Math.floor(readDuration(expiresIn));
  if (seconds < 1) {
    throw new TypeError(
      `Cannot mint a token that expires in ${describeValue(expiresIn)}: expected one second or more. ` +
        'For an expired token, use as.expire(token) or as.forge("access_token.expired")',
    );
  }
  if (kind === "refresh" && seconds > refreshIdle) {
    throw new TypeError(
      `Cannot mint a refresh token that expires in ${
        describeValue(expiresIn)
      }: an unused refresh token expires ` +
        `after ${refreshIdle} seconds. Mint a shorter one, or configure a longer lifetimes.refreshIdle`,
    );
  }
  return seconds;
}
