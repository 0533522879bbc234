/** Translates one mapping of requests to claims. */

import { isPersonal } from "../../../../server/oauth/people/claims.ts";
import type { JsonObject } from "../../../../ground/schema/json_object.ts";
import type { Configuration, PersonConfiguration } from "../../../../server/setup/configuration.ts";
import { refuseOption } from "../../../../server/oauth/options/set_up_mistake.ts";
import { attempt } from "../../../../ground/values/attempt.ts";
import type { LeaveOut, RequestMapping, TokenCallback } from "./navikt_configuration.ts";
import { present } from "../../../../ground/values/present.ts";
import { publicClientMethod, registeredMethod } from "../../../../server/oauth/contracts/client.ts";
import type { ClientMetadata } from "../../../../server/setup/client_metadata.ts";

export type TokenClaimsConfiguration = NonNullable<Configuration["tokenClaims"]>[number];

export interface TranslatedMapping {
  readonly issuerId: string;
  readonly place: string;
  readonly entry?: TokenClaimsConfiguration;
  readonly person?: PersonConfiguration;
  readonly acr?: string;
  readonly typeHeader: string | undefined;
}

interface MappingOptions {
  /** Postern's own keys of the same file. */
  readonly own: Configuration;
  readonly leaveOut: LeaveOut;
}

/** A mapping for one name on the login page becomes a person. Any other mapping becomes an entry of `tokenClaims`. */
export function translateMapping(
  { issuerId }: TokenCallback,
  { requestParam, match, claims: given = {}, typeHeader }: RequestMapping,
  place: string,
  { own, leaveOut }: MappingOptions,
): TranslatedMapping {
  const pattern = readPattern(match, `${place}.match`);
  const known = withoutTemplates(given, `${place}.claims`, { own, leaveOut });
  const { acr, ...claims } = withoutServerClaims(known, `${place}.claims`, leaveOut);
  if (acr !== undefined && !own.acrValues?.includes(acr)) {
    leaveOut(`${place}.claims.acr`, `Tokens have it if the request has acr_values=${acr}.`);
  }
  return {
    issuerId,
    place,
    typeHeader,
    ...present({ acr }),
    ...(requestParam === "subject"
      ? translateName(match, claims, place, leaveOut)
      : translateRequest({ issuerId, place }, [requestParam, pattern], claims, { own, leaveOut })),
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
  return { person: { username, ...present({ sub }), claims } };
}

function translateRequest(
  { issuerId: issuer, place }: Pick<TranslatedMapping, "issuerId" | "place">,
  [name, pattern]: readonly [name: string, pattern: string],
  claims: MappingClaims,
  { own: { clients = [] }, leaveOut }: MappingOptions,
): Parts {
  const { sub, ...withoutSubject } = claims;
  const kind = findSubjectKind([name, pattern], clients);
  if (sub !== undefined && kind === "either") {
    leaveOut(
      `${place}.claims.sub`,
      "It is the sub of people only. In a token that a client gets for itself, sub is the client_id. For another " +
        'sub, add a mapping with "requestParam": "grant_type", "match": "client_credentials" before this one.',
      "tokenClaims",
    );
  }
  return {
    entry: {
      issuer,
      when: { [name]: pattern },
      claims: kind === "client" ? claims : withoutSubject,
    },
    ...present({ person: sub === undefined || kind === "client" ? undefined : { username: sub } }),
  };
}

/** Returns the regular expression for the whole parameter, without `^` and `$`. */
function readPattern(match: string, place: string): string {
  if (match === "*") return ".*";
  if (attempt(() => new RegExp(match)) !== undefined) return match;
  return refuseOption(place, "must be a regular expression of JavaScript");
}

/** Removes values such as "${login_hint}". Postern sets the client id as `sub` and as `client_id` anyway. */
function withoutTemplates(
  claims: JsonObject,
  place: string,
  { own: { claimsIn = {} }, leaveOut }: MappingOptions,
): JsonObject {
  const { accessToken = [], idToken = [] } = claimsIn;
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => {
      if (!JSON.stringify(value).includes("${")) return true;
      const isUsual = ["sub", "client_id"].includes(name) && /^\$\{client_?id\}$/i.test(`${value}`);
      if (!isUsual && ![...accessToken, ...idToken].includes(name)) {
        leaveOut(
          `${place}.${name}`,
          `Postern has no templates. Give people the claim ${name}, and list it in "claimsIn".`,
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

type SubjectKind = "person" | "client" | "either";

/**
 * The request of a login has no scope, audience and resource at the token endpoint, so a mapping of these is for the
 * tokens that a client gets for itself. A mapping of grant types or clients is for the requests that it matches.
 */
function findSubjectKind(
  [name, pattern]: readonly [name: string, pattern: string],
  clients: readonly ClientMetadata[],
): SubjectKind {
  if (["scope", "audience", "resource"].includes(name)) return "client";
  const matches = new RegExp(`^(?:${pattern})$`);
  if (name === "grant_type") {
    const isForLogins = matches.test("authorization_code");
    const isForClients = matches.test("client_credentials");
    if (isForLogins && isForClients) return clients.some(actsForItself) ? "either" : "person";
    return isForClients ? "client" : "person";
  }
  if (name !== "client_id") return "person";
  const matched = clients.filter(({ client_id }) => matches.test(client_id));
  if (!matched.some(actsForItself)) return "person";
  return matched.some(signsPeopleIn) ? "either" : "client";
}

function signsPeopleIn(
  { redirect_uris = [], grant_types = ["authorization_code"] }: ClientMetadata,
): boolean {
  return redirect_uris.length > 0 && grant_types.includes("authorization_code");
}

function actsForItself(client: ClientMetadata): boolean {
  return registeredMethod(client) !== publicClientMethod &&
    (client.grant_types?.includes("client_credentials") ?? true);
}
