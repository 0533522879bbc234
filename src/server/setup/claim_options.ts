/** The options `claimsIn` and `tokenClaims`: their types, their parts of the configuration's JSON schema, and their checks. */

import { isPersonal } from "../oauth/people/claims.ts";
import type { ClaimsIn, Settings, TokenClaims } from "../oauth/contracts/settings.ts";
import { refuseOption, requireEach } from "../oauth/options/set_up_mistake.ts";
import { present } from "../../ground/values/present.ts";
import { describeReceived } from "../../ground/schema/received.ts";
import { type Schema, text, texts } from "../../ground/schema/schema.ts";
import { closedObject } from "../../ground/schema/schema_of.ts";

/** Names of people's own claims, by where the server adds them. */
export interface ClaimsInConfiguration {
  /** Claims in access tokens, and so in introspection. Default: none. */
  readonly accessToken?: readonly string[];
  /** Claims in ID tokens. Default: none. */
  readonly idToken?: readonly string[];
  /** Claims at the userinfo endpoint. Default: none but those of the scopes and of `tokenClaims`. */
  readonly userinfo?: readonly string[];
}

export const claimsInSchema: Schema = closedObject({ accessToken: texts, idToken: texts, userinfo: texts }, {
  example: { accessToken: ["roles"], idToken: ["name", "email", "roles"] },
});

/** What to use for claims that a configuration cannot add, because the server sets them itself. */
const insteadOfClaim: Readonly<Record<string, string>> = {
  sub: "give people their sub",
  aud: "use tokenClaims, or a resource of the request",
  azp: "use a hook",
  acr: "use acrValues, or a hook",
};

export function readClaimsIn(
  { accessToken = [], idToken = [], userinfo = [] }: ClaimsInConfiguration,
): ClaimsIn {
  const claimsIn = { accessToken, idToken, userinfo };
  for (const [token, names] of Object.entries(claimsIn)) {
    requireEach(`claimsIn.${token}`, names, (name) => {
      if (isPersonal(name)) return undefined;
      const instead = insteadOfClaim[name];
      return `must be a claim about people: the server itself sets ${name}` +
        (instead === undefined ? "" : `, so ${instead}`);
    });
  }
  return claimsIn;
}

/** Claims of the tokens of some requests. */
export interface TokenClaimsConfiguration {
  /** The name of the issuer, such as `azuread`: the last segment of its path. Left out: every issuer. */
  readonly issuer?: string;
  /**
   * The conditions. A name is a parameter of the token request, and its value is a regular expression for the whole
   * parameter. `scope` is compared with all scopes of the issued token. To match a token that has other scopes as well,
   * write `(.+ )?orders( .+)?`. `client_id` is compared with the client, even if the client sends its id in the
   * `Authorization` header. Left out: every request.
   */
  readonly when?: Readonly<Record<string, string>>;
  /** The claims of the access token and the ID token, and of userinfo. `aud` changes the access token only. */
  readonly claims: Readonly<Record<string, unknown>> & {
    /**
     * The audience of the access token if the request names no resource. With `openid` in the scope, the issuer is added,
     * so that the userinfo endpoint accepts the token.
     */
    readonly aud?: string | readonly string[];
    /** The subject of a token that a client gets for itself. */
    readonly sub?: string;
  };
}

export const tokenClaimsSchema: Schema = {
  type: "array",
  items: closedObject({
    issuer: text,
    when: {
      type: "object",
      additionalProperties: { type: "string" },
      examples: [{ grant_type: "client_credentials", scope: "orders.*" }],
    },
    claims: {
      type: "object",
      properties: {
        aud: { anyOf: [text, { ...texts, minItems: 1 }] },
        sub: text,
      },
      examples: [{ roles: ["reader"], aud: "orders-api" }],
    },
  }, { required: ["claims"] }),
};

/** Returns the entries for this issuer. Throws for claims that the server sets itself, and for a person's `sub`. */
export function readTokenClaims(
  entries: readonly TokenClaimsConfiguration[],
  { people, basePath }: Pick<Settings, "people" | "basePath">,
): readonly TokenClaims[] {
  const read = entries.map(({ when = {}, claims: { sub, aud, ...claims } }, index): TokenClaims => {
    const place = `tokenClaims[${index}]`;
    const own = Object.keys(claims).find((name) => !isPersonal(name));
    if (own !== undefined) {
      refuseOption(
        `${place}.claims.${own}`,
        `must be left out: ${insteadOfClaim[own] ?? "the server sets this claim"}`,
      );
    }
    if (sub !== undefined && people.findBySubject(sub) !== undefined) {
      // RFC 9068 §5.
      refuseOption(`${place}.claims.sub`, "must not be the sub of a person");
    }
    return {
      when: Object.entries(when).map(([param, pattern]) => [
        param,
        readPattern(`${place}.when.${param}`, pattern),
      ]),
      claims,
      ...present({ audience: aud === undefined ? undefined : [aud].flat(), subject: sub }),
    };
  });
  const name = nameOfIssuer(basePath);
  return read.filter((_, index) => (entries[index]!.issuer ?? name) === name);
}

export function nameOfIssuer(basePath: string): string {
  return basePath.slice(basePath.lastIndexOf("/") + 1);
}

function readPattern(place: string, pattern: string): RegExp {
  try {
    // Alone, because `a)|(b` would be a regular expression inside of the parentheses, but not for the whole parameter.
    new RegExp(pattern);
    return new RegExp(`^(?:${pattern})$`);
  } catch {
    return refuseOption(place, "must be a regular expression", describeReceived(place, pattern));
  }
}
