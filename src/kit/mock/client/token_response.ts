/** Reads a token response, and the claims of its ID token, which a test compares (OpenID Connect Core §2). */

import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import type { AuthorizationDetail } from "../../../server/features/options.ts";
import { textOf } from "../../../ground/http/body.ts";
import { present } from "../../../ground/values/present.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { describeChange, readReceived } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";
import { decryptJwt } from "./decrypt_jwt.ts";
import type { ClientAnswer } from "./request_as_client.ts";

/**
 * A token response with its wire names, and the claims of its ID token. Members that a hook adds are present, too,
 * but not in the kits of languages other than TypeScript.
 */
// A type alias, because an interface is not assignable to Record<string, unknown>.
export type Tokens = {
  /** A JWT, or opaque text if the configuration says so. */
  readonly access_token: string;
  /** `Bearer`, or `DPoP` for tokens that are bound to a key. */
  readonly token_type: string;
  /** The seconds until the access token expires. @asType integer */
  readonly expires_in: number;
  /** The scope that was granted. */
  readonly scope: string;
  /** Present if the client may refresh. */
  readonly refresh_token?: string;
  /** What was granted in detail (RFC 9396 §7). */
  readonly authorization_details?: readonly AuthorizationDetail[];
  /** Present if `openid` was granted. */
  readonly id_token?: string;
  /**
   * The claims of the ID token, which the test kit adds to the response without verifying the ID token. Absent without an
   * ID token, that is without the scope `openid`, and if the ID token is encrypted and `login` got no key for it.
   */
  readonly claims?: IdTokenClaims;
};

/**
 * The claims of an ID token. The types are those of an ID token that no hook has changed, because the test kit does not
 * verify the ID token.
 */
// A type alias, because an interface is not assignable to Record<string, unknown>.
export type IdTokenClaims = {
  readonly iss: string;
  readonly sub: string;
  /** The client id. */
  readonly aud: string | readonly string[];
  /** Seconds since 1970, like `iat` and `auth_time`. */
  readonly exp: number;
  readonly iat: number;
  readonly auth_time?: number;
  readonly nonce?: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
  readonly sid?: string;
  readonly at_hash?: string;
  readonly [name: string]: unknown;
};

/** Returns `undefined` if the text is not a signed JWT, for example because a hook has replaced it. */
export function readIdTokenClaims(signed: string): IdTokenClaims | undefined {
  return parseJwt(signed)?.claims as IdTokenClaims | undefined;
}

/** Throws `Refused` with the server's reason, or an error if a hook removed the tokens. */
export async function readTokens(
  doing: string,
  { answer, facts }: ClientAnswer,
  decryptionKey: Jwk | undefined,
): Promise<Tokens> {
  if (answer.status !== 200) {
    throw refusedBy(doing, facts, readReceived(answer), "tokens or an OAuth error");
  }
  const members = parseJsonObject(textOf(answer.body));
  if (typeof members?.["access_token"] === "string") {
    const { id_token: idToken } = members;
    const claims = typeof idToken === "string"
      ? readIdTokenClaims(await decryptJwt(idToken, decryptionKey))
      : undefined;
    return { ...members, ...present({ claims }) } as Tokens;
  }
  throw new Error(
    `Cannot ${doing}: expected a token response, but the token endpoint answered 200 ` +
      `${members === undefined ? "with no JSON object" : "without an access_token"}` +
      describeChange(facts?.altered ?? []),
  );
}
