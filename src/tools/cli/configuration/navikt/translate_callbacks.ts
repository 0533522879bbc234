/** Translates `tokenCallbacks`: the people, the claims and the lifetimes of each issuer. */

import type { Configuration, PersonConfiguration } from "../../../../server/setup/configuration.ts";
import { demoPeople } from "../../../../server/setup/demo.ts";
import type { LeaveOut, TokenCallback } from "./navikt_configuration.ts";
import {
  type TokenClaimsConfiguration,
  type TranslatedMapping,
  translateMapping,
} from "./translate_mapping.ts";
import { present } from "../../../../ground/values/present.ts";

type FromCallbacks = Pick<
  Configuration,
  "login" | "people" | "claimsIn" | "tokenClaims" | "acrValues" | "lifetimes" | "accessTokenType"
>;

// In seconds.
const usualExpiry = 3600;

export function translateCallbacks(
  callbacks: readonly TokenCallback[],
  { interactiveLogin, own, issuerPath, leaveOut }: {
    readonly interactiveLogin: boolean;
    readonly own: Configuration;
    /** The path of the issuer whose control plane has no name of a tenant in its paths. */
    readonly issuerPath: string | undefined;
    readonly leaveOut: LeaveOut;
  },
): FromCallbacks {
  const mappings = callbacks.flatMap((callback, index) =>
    callback.requestMappings.map((mapping, at) =>
      translateMapping(callback, mapping, `tokenCallbacks[${index}].requestMappings[${at}]`, {
        own,
        leaveOut,
      })
    )
  );
  const people = joinPeople(mappings.flatMap(({ person }) => person ?? []));
  const ownClaims = [...new Set(people.flatMap(({ claims = {} }) => Object.keys(claims)))];
  leaveOutUnlisted(ownClaims, own, leaveOut);
  const tokenClaims = mappings.flatMap((mapping) =>
    withoutPerson(mapping, own.people ?? people, leaveOut) ?? []
  );
  const acrValues = [...new Set(mappings.flatMap(({ acr }) => acr ?? []))];
  const lifetime = chooseLifetime(callbacks, own, leaveOut);
  return {
    // Without a page, mock-oauth2-server answers the request immediately.
    login: interactiveLogin
      ? "picker"
      : own.people === undefined
      ? chooseLogin(mappings, issuerPath, leaveOut)
      : "auto",
    ...present({
      people: people.length === 0 ? undefined : people,
      claimsIn: ownClaims.length === 0
        ? undefined
        : { accessToken: ownClaims, idToken: ownClaims, userinfo: ownClaims },
      tokenClaims: tokenClaims.length === 0 ? undefined : tokenClaims,
      acrValues: acrValues.length === 0 ? undefined : acrValues,
      lifetimes: lifetime === usualExpiry ? undefined : { accessToken: lifetime, idToken: lifetime },
    }),
    ...chooseType(mappings, leaveOut),
  };
}

/** Postern's own `claimsIn` has priority, so claims of the mappings' people that it does not list are in no token. */
function leaveOutUnlisted(
  names: readonly string[],
  { people, claimsIn }: Configuration,
  leaveOut: LeaveOut,
): void {
  if (claimsIn === undefined || people !== undefined) return;
  const { accessToken = [], idToken = [] } = claimsIn;
  const unlisted = names.filter((name) => ![...accessToken, ...idToken].includes(name));
  if (unlisted.length === 0) return;
  leaveOut(
    "claimsIn",
    `It has priority over the mappings. To have their claims, add ${unlisted.join(", ")}.`,
  );
}

/** Each issuer signs in the first person of its own mappings, and every other issuer the first person of all. */
function chooseLogin(
  mappings: readonly TranslatedMapping[],
  issuerPath: string | undefined,
  leaveOut: LeaveOut,
): NonNullable<Configuration["login"]> {
  const usernames = new Map<string, string[]>();
  for (const { issuerId, person } of mappings) {
    if (person === undefined) continue;
    const known = usernames.get(issuerId) ?? [];
    if (!known.includes(person.username)) usernames.set(issuerId, [...known, person.username]);
  }
  for (const [issuerId, [first, ...others]] of usernames) {
    if (others.length === 0) continue;
    const tenantPath = `/${issuerId}` === issuerPath ? "" : `/tenants/${issuerId}`;
    leaveOut(
      "tokenCallbacks",
      `${first} signs in at ${issuerId} without a page. For ${others.join(", ")}, the test calls ` +
        `POST /_postern${tenantPath}/next_sign_in (start with --control), or the application sends login_hint.`,
      "login",
    );
  }
  const firsts = [...usernames].map(([issuerId, [first]]) => [issuerId, first!] as const);
  if (new Set(firsts.map(([, first]) => first)).size < 2) return "auto";
  return {
    ...Object.fromEntries(firsts.map(([issuerId, first]) => [issuerId, `auto:${first}`])),
    "*": "auto",
  };
}

function chooseType(
  mappings: readonly TranslatedMapping[],
  leaveOut: LeaveOut,
): Pick<Configuration, "accessTokenType"> {
  const isTyped = mappings.length > 0 && mappings.every(({ typeHeader }) => typeHeader === "at+jwt");
  const chosen = isTyped ? "at+jwt" : "JWT";
  for (const { place, typeHeader = chosen } of mappings) {
    if (typeHeader === chosen) continue;
    leaveOut(
      `${place}.typeHeader`,
      `Every access token has the type ${chosen}. Set "accessTokenType" to change that.`,
      "accessTokenType",
    );
  }
  return isTyped ? { accessTokenType: "at+jwt" } : {};
}

/** RFC 9068 §5: the subject of a client's own token is no person's. */
function withoutPerson(
  { entry, place }: TranslatedMapping,
  people: readonly PersonConfiguration[],
  leaveOut: LeaveOut,
): TokenClaimsConfiguration | undefined {
  const { sub, ...claims } = entry?.claims ?? {};
  const isPerson = (people.length === 0 ? demoPeople : people).some(({ username }) => username === sub);
  if (entry === undefined || !isPerson) return entry;
  leaveOut(
    `${place}.claims.sub`,
    "A token that a client gets for itself must not have the subject of a person.",
  );
  return { ...entry, claims };
}

/** All issuers have the same lifetimes: those of the issuer `default`, or else of the first one. */
function chooseLifetime(
  callbacks: readonly TokenCallback[],
  { lifetimes: { accessToken, idToken } = {} }: Configuration,
  leaveOut: LeaveOut,
): number {
  const expiryOf = ({ tokenExpiry = usualExpiry }: TokenCallback) => tokenExpiry;
  const chosen = callbacks.find(({ issuerId }) => issuerId === "default") ?? callbacks[0];
  if (chosen === undefined) return usualExpiry;
  for (const [index, callback] of callbacks.entries()) {
    if (expiryOf(callback) === expiryOf(chosen) || (accessToken !== undefined && idToken !== undefined)) {
      continue;
    }
    leaveOut(
      `tokenCallbacks[${index}].tokenExpiry`,
      `The tokens of every issuer live ${expiryOf(chosen)} seconds. Set "lifetimes" to change that.`,
    );
  }
  return expiryOf(chosen);
}

function joinPeople(people: readonly PersonConfiguration[]): readonly PersonConfiguration[] {
  const joined = new Map<string, PersonConfiguration>();
  for (const person of people) {
    const known = joined.get(person.username);
    joined.set(person.username, { ...person, ...known, claims: { ...person.claims, ...known?.claims } });
  }
  return [...joined.values()].map(({ claims = {}, ...person }) =>
    Object.keys(claims).length === 0 ? person : { ...person, claims }
  );
}
