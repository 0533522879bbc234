/** Translates one mapping of requests to claims. */

import { isPersonal } from "../../oauth/people/claims.ts";
import type { JsonObject } from "../../schema/json_object.ts";
import type { PersonConfiguration } from "../../setup/configuration.ts";
import type { TokenClaimsConfiguration } from "../../setup/read_token_claims.ts";
import { refuseOption } from "../../setup/set_up_mistake.ts";
import type { RequestMapping, TokenCallback } from "./navikt_configuration.ts";
import type { Lose } from "./not_carried_over.ts";

export interface TranslatedMapping {
  readonly issuerId: string;
  readonly place: string;
  readonly entry?: TokenClaimsConfiguration;
  readonly person?: PersonConfiguration;
  readonly acr?: string;
  readonly typeHeader: string | undefined;
}

/**
 * A mapping for one name on the login page becomes a person. Any other mapping becomes an entry of `tokenClaims`. A login
 * sends no scope to the token endpoint, so the subject of a mapping of scopes is that of a client's own tokens. Any other
 * subject is a person.
 */
export function translateMapping(
  { issuerId }: TokenCallback,
  { requestParam, match, claims = {}, typeHeader }: RequestMapping,
  place: string,
  lose: Lose,
): TranslatedMapping {
  requirePattern(match, `${place}.match`);
  const { sub: subject, aud, acr, ...own } = withoutServerClaims(
    withoutTemplates(claims, `${place}.claims`, lose),
    `${place}.claims`,
    lose,
  );
  if (acr !== undefined) {
    lose(`${place}.claims.acr`, `Tokens have it if the request has acr_values=${acr}.`, "acrValues");
  }
  const shared = { issuerId, place, ...(acr === undefined ? {} : { acr }), typeHeader };
  if (requestParam === "subject" && !/^[\w@. -]+$/.test(match)) {
    lose(place, 'Name each person: "people": [{ "username": "bob", "claims": { … } }].', "people");
    return shared;
  }
  if (requestParam === "subject") {
    if (aud !== undefined) {
      lose(`${place}.claims.aud`, 'Write "tokenClaims", for example for a scope.', "tokenClaims");
    }
    return {
      person: { username: match, ...(subject === undefined ? {} : { sub: subject }), claims: own },
      ...shared,
    };
  }
  const isForClients = ["scope", "audience", "resource"].includes(requestParam) ||
    requestParam === "grant_type" && match === "client_credentials";
  const entry: TokenClaimsConfiguration = {
    issuer: issuerId,
    when: { [requestParam]: match === "*" ? ".*" : match },
    claims: {
      ...own,
      ...(aud === undefined ? {} : { aud }),
      ...(subject === undefined || !isForClients ? {} : { sub: subject }),
    },
  };
  const person = subject === undefined || isForClients ? {} : { person: { username: subject } };
  return { entry, ...person, ...shared };
}

function requirePattern(match: string, place: string): void {
  if (match === "*") return;
  try {
    new RegExp(match);
  } catch {
    refuseOption(place, "must be a regular expression of JavaScript");
  }
}

function isAudience(aud: unknown): aud is string | readonly string[] {
  return typeof aud === "string" ||
    Array.isArray(aud) && aud.length > 0 && aud.every((each) => typeof each === "string");
}

/** Removes values such as "${login_hint}". Postern sets the client id as `sub` and as `client_id` anyway. */
function withoutTemplates(claims: JsonObject, place: string, lose: Lose): JsonObject {
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => {
      if (!JSON.stringify(value).includes("${")) return true;
      const isUsual = ["sub", "client_id"].includes(name) && /^\$\{client_?id\}$/i.test(`${value}`);
      if (!isUsual) {
        lose(
          `${place}.${name}`,
          'Postern has no templates. Give people their own "claims", and list them in "claimsIn".',
          "claimsIn",
        );
      }
      return false;
    }),
  );
}

interface MappingClaims extends JsonObject {
  readonly sub?: string;
  readonly aud?: string | readonly string[];
  readonly acr?: string;
}

/** Removes claims such as `exp`, and values that `sub`, `aud` and `acr` cannot have. */
function withoutServerClaims(claims: JsonObject, place: string, lose: Lose): MappingClaims {
  const isText = (value: unknown) => typeof value === "string";
  const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
    sub: isText,
    aud: isAudience,
    acr: isText,
  };
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => {
      const isKept = Object.hasOwn(fits, name) ? fits[name]!(value) : isPersonal(name);
      if (!isKept) lose(`${place}.${name}`, insteadOfClaim(name), "tokenClaims");
      return isKept;
    }),
  );
}

function insteadOfClaim(name: string): string {
  if (name === "aud") return "Write a string, or a list of strings.";
  if (name === "sub" || name === "acr") return "Write a string.";
  const hook = `POST /_postern/hooks with { "name": "id_token", "patch": { "${name}": … } }`;
  return name === "azp"
    ? `The server does not set this claim. A test can add it: start with --control, and send ${hook}.`
    : "The server sets this claim itself.";
}
