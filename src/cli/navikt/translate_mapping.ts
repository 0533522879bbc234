/** Translates one mapping of requests to claims. */

import { isPersonal } from "../../oauth/people/claims.ts";
import type { JsonObject } from "../../schema/json_object.ts";
import type { PersonConfiguration } from "../../setup/configuration.ts";
import type { TokenClaimsConfiguration } from "../../setup/read_token_claims.ts";
import { refuseOption } from "../../setup/set_up_mistake.ts";
import type { RequestMapping, TokenCallback } from "./navikt_configuration.ts";
import type { LeaveOut } from "./not_carried_over.ts";

export interface TranslatedMapping {
  readonly issuerId: string;
  readonly place: string;
  readonly entry?: TokenClaimsConfiguration;
  readonly person?: PersonConfiguration;
  readonly acr?: string;
  readonly typeHeader: string | undefined;
}

/** A mapping for one name on the login page becomes a person. Any other mapping becomes an entry of `tokenClaims`. */
export function translateMapping(
  { issuerId }: TokenCallback,
  { requestParam, match, claims: given = {}, typeHeader }: RequestMapping,
  place: string,
  leaveOut: LeaveOut,
): TranslatedMapping {
  requirePattern(match, `${place}.match`);
  const known = withoutTemplates(given, `${place}.claims`, leaveOut);
  const { acr, ...claims } = withoutServerClaims(known, `${place}.claims`, leaveOut);
  if (acr !== undefined) {
    leaveOut(`${place}.claims.acr`, `Tokens have it if the request has acr_values=${acr}.`, "acrValues");
  }
  return {
    issuerId,
    place,
    typeHeader,
    ...(acr === undefined ? {} : { acr }),
    ...(requestParam === "subject"
      ? translateName(match, claims, place, leaveOut)
      : translateRequest(issuerId, [requestParam, match], claims)),
  };
}

type Parts = Pick<TranslatedMapping, "entry" | "person">;

function translateName(
  username: string,
  { sub, aud, ...claims }: MappingClaims,
  place: string,
  leaveOut: LeaveOut,
): Parts {
  if (!/^[\w@. -]+$/.test(username)) {
    leaveOut(place, 'Name each person: "people": [{ "username": "bob", "claims": { … } }].', "people");
    return {};
  }
  if (aud !== undefined) {
    leaveOut(`${place}.claims.aud`, 'Write "tokenClaims", for example for a scope.', "tokenClaims");
  }
  return { person: { username, ...(sub === undefined ? {} : { sub }), claims } };
}

/**
 * A login sends no scope to the token endpoint, so the subject of a mapping of scopes is that of a client's own tokens.
 * Any other subject is a person.
 */
function translateRequest(
  issuer: string,
  [name, match]: readonly [name: string, match: string],
  claims: MappingClaims,
): Parts {
  const isForClients = ["scope", "audience", "resource"].includes(name) ||
    name === "grant_type" && match === "client_credentials";
  const { sub, ...withoutSubject } = claims;
  return {
    entry: {
      issuer,
      when: { [name]: match === "*" ? ".*" : match },
      claims: isForClients ? claims : withoutSubject,
    },
    ...(sub === undefined || isForClients ? {} : { person: { username: sub } }),
  };
}

function requirePattern(match: string, place: string): void {
  if (match === "*") return;
  try {
    new RegExp(match);
  } catch {
    refuseOption(place, "must be a regular expression of JavaScript");
  }
}

/** Removes values such as "${login_hint}". Postern sets the client id as `sub` and as `client_id` anyway. */
function withoutTemplates(claims: JsonObject, place: string, leaveOut: LeaveOut): JsonObject {
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => {
      if (!JSON.stringify(value).includes("${")) return true;
      const isUsual = ["sub", "client_id"].includes(name) && /^\$\{client_?id\}$/i.test(`${value}`);
      if (!isUsual) {
        leaveOut(
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

const isText = (value: unknown) => typeof value === "string";

/** Checks the values of the claims that the server sets, but that a mapping may change. */
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  sub: isText,
  aud: (value) => isText(value) || Array.isArray(value) && value.length > 0 && value.every(isText),
  acr: isText,
};

/** Removes claims such as `exp`, and values that `sub`, `aud` and `acr` cannot have. */
function withoutServerClaims(claims: JsonObject, place: string, leaveOut: LeaveOut): MappingClaims {
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => {
      const isKept = Object.hasOwn(fits, name) ? fits[name]!(value) : isPersonal(name);
      if (!isKept) leaveOut(`${place}.${name}`, insteadOfClaim(name), "tokenClaims");
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
