/** The terms of a minted token, and what of them goes together. */

import type { Claims } from "../../oauth/members.ts";
import type { Settings } from "../../oauth/settings.ts";
import { describeValue } from "../../schema/received.ts";
import type { Schema } from "../../schema/schema.ts";
import { type Duration, readDuration } from "../terms/duration.ts";
import { termsOf } from "../terms/known_terms.ts";

/** What a minted token says. */
export type MintTerms =
  & {
    /** Default: the first one that people can sign in to. */
    readonly client?: string;
    readonly scope?: string | readonly string[];
    /** The audience of an access token. Default: the only configured resource; the issuer where none is configured. */
    readonly resource?: string | readonly string[];
    readonly nonce?: string;
    /** Default: as the server is configured. A refresh token does not outlast `lifetimes.refreshIdle`. */
    readonly expiresIn?: Duration;
  }
  & (
    | {
      /** Default: an access token. */
      readonly kind?: "access" | "id";
      /** A username. Default: the first person. */
      readonly person?: string;
      /** Beside the usual claims, or instead of them; `undefined` leaves one out. */
      readonly claims?: Claims;
      readonly itself?: never;
    }
    | {
      readonly kind: "refresh";
      readonly person?: string;
      /** A refresh token has none. */
      readonly claims?: never;
      readonly itself?: never;
    }
    | {
      readonly kind?: "access";
      /** An access token of the client's own, as by `client_credentials`: no person is in it. */
      readonly itself: true;
      readonly person?: never;
      readonly claims?: Claims;
    }
  );

/** Any of these members, in any combination: `requireFitting` refuses what does not go together. */
export type AnyMintTerms = { readonly [Name in keyof MintTerms]?: MintTerms[Name] };

export type MintKind = NonNullable<MintTerms["kind"]>;

export const memberOf: Readonly<Record<MintKind, string>> = {
  access: "access_token",
  id: "id_token",
  refresh: "refresh_token",
};

export const lifetimeOf: Readonly<Record<MintKind, keyof Settings["lifetimes"]>> = {
  access: "accessToken",
  id: "idToken",
  refresh: "refreshAbsolute",
};

export const wordFor: Readonly<Record<MintKind, string>> = {
  access: "an access token",
  id: "an ID token",
  refresh: "a refresh token",
};

export const mintTerms: Schema = termsOf<AnyMintTerms>({
  ...{ kind: true, person: true, client: true, scope: true, resource: true, claims: true, nonce: true },
  ...{ expiresIn: true, itself: true },
});

export function requireFitting(kind: MintKind, { itself, person, claims }: AnyMintTerms): void {
  if (!Object.hasOwn(memberOf, kind)) {
    const known = Object.keys(memberOf).join(", ");
    throw new TypeError(`Cannot mint: expected kind to be one of ${known}, but got ${describeValue(kind)}`);
  }
  if (itself && kind !== "access") {
    throw new TypeError(`Cannot mint ${wordFor[kind]} with itself: a client that acts for itself gets none`);
  }
  if (itself && person !== undefined) {
    throw new TypeError("Cannot mint for a person and for the client itself: leave out person, or itself");
  }
  if (kind === "refresh" && claims !== undefined) {
    throw new TypeError("Cannot mint a refresh token with claims: it has none, only access and ID tokens do");
  }
  if (kind === "access" && claims !== undefined && Object.hasOwn(claims, "jti")) {
    throw new TypeError(
      "Cannot mint an access token with a jti of your own: by its jti the server finds what it lives by",
    );
  }
}

export function readLifetime(
  kind: MintKind,
  expiresIn: Duration,
  { lifetimes: { refreshIdle } }: Settings,
): number {
  const seconds = Math.floor(readDuration(expiresIn));
  if (seconds < 1) {
    throw new TypeError(
      `Cannot mint a token that expires in ${describeValue(expiresIn)}: expected a second or more; ` +
        'for a token that has expired use as.expire(token) or as.forge("expired")',
    );
  }
  if (kind === "refresh" && seconds > refreshIdle) {
    throw new TypeError(
      `Cannot mint a refresh token that expires in ${describeValue(expiresIn)}: unused, it ends after ` +
        `${refreshIdle} seconds in any case; expected no more than that, or a longer lifetimes.refreshIdle`,
    );
  }
  return seconds;
}
