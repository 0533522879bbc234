/** Translates the configuration of mock-oauth2-server (navikt), so that `--config` reads it. */

import { type SigningAlgorithm, signingAlgorithms } from "../crypto/jwk.ts";
import { isPersonal } from "../oauth/people/claims.ts";
import { isJsonObject, type JsonObject } from "../schema/json_object.ts";
import type { Schema } from "../schema/schema.ts";
import type { Configuration, PersonConfiguration } from "../setup/configuration.ts";
import type { TokenClaimsConfiguration } from "../setup/read_token_claims.ts";
import { demoPeople } from "../setup/demo.ts";
import { refuseOption } from "../setup/set_up_mistake.ts";

/** A configuration of mock-oauth2-server 6. */
export interface NaviktConfiguration {
  readonly interactiveLogin?: boolean;
  readonly loginPagePath?: string;
  readonly staticAssetsPath?: string;
  readonly rotateRefreshToken?: boolean;
  readonly httpServer?: string | { readonly type?: string; readonly ssl?: JsonObject };
  readonly tokenProvider?: {
    readonly keyProvider?: { readonly initialKeys?: string; readonly algorithm?: string };
    readonly systemTime?: string;
  };
  readonly tokenCallbacks?: readonly TokenCallback[];
}

interface TokenCallback {
  readonly issuerId: string;
  readonly tokenExpiry?: number;
  readonly requestMappings: readonly RequestMapping[];
}

interface RequestMapping {
  readonly requestParam: string;
  readonly match: string;
  readonly claims?: JsonObject;
  readonly typeHeader?: string;
}

const string: Schema = { type: "string" };
const flag: Schema = { type: "boolean" };

function closed(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: "object", additionalProperties: false, properties, required };
}

const tokenCallback = closed({
  issuerId: { ...string, minLength: 1 },
  tokenExpiry: { type: "integer", minimum: 1 },
  requestMappings: {
    type: "array",
    items: closed({ requestParam: string, match: string, claims: { type: "object" }, typeHeader: string }, [
      "requestParam",
      "match",
    ]),
  },
}, ["issuerId", "requestMappings"]);

/** The JSON schemas of the keys. */
export const naviktKeys: Readonly<Record<keyof NaviktConfiguration, Schema>> = {
  interactiveLogin: flag,
  loginPagePath: string,
  staticAssetsPath: string,
  rotateRefreshToken: flag,
  httpServer: { anyOf: [string, closed({ type: string, ssl: { type: "object" } })] },
  tokenProvider: closed({
    keyProvider: closed({ initialKeys: string, algorithm: string }),
    systemTime: string,
  }),
  tokenCallbacks: { type: "array", items: tokenCallback },
};

/** Whether the value has a key that only mock-oauth2-server knows. */
export function isNaviktConfiguration(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.keys(naviktKeys).some((key) => Object.hasOwn(value, key));
}

/** A part of the configuration that has no equivalent. */
export interface NotCarriedOver {
  readonly place: string;
  /** A sentence that says what to use instead. */
  readonly instead: string;
}

export interface Translation {
  readonly configuration: Configuration;
  readonly notCarriedOver: readonly NotCarriedOver[];
}

/**
 * Returns the equivalent configuration with Postern's own keys of the same file, which have priority. The schemas of the
 * keys have checked the value.
 */
export function translateNavikt(navikt: NaviktConfiguration, own: Configuration = {}): Translation {
  const notCarriedOver: NotCarriedOver[] = [];
  const lose: Lose = (place, instead, key) => {
    if (key === undefined || !Object.hasOwn(own, key)) notCarriedOver.push({ place, instead });
  };
  const { interactiveLogin = false, tokenCallbacks = [], tokenProvider = {} } = navikt;
  loseServerTerms(navikt, own, lose);
  const alg = readAlgorithm(tokenProvider.keyProvider?.algorithm, lose);
  const callbacks = translateCallbacks(tokenCallbacks, { interactiveLogin, own, lose });
  const { lifetimes } = own;
  const configuration: Configuration = {
    paths: "navikt",
    ...(alg === undefined ? {} : { alg }),
    ...callbacks,
    ...own,
    ...(lifetimes === undefined ? {} : { lifetimes: { ...callbacks.lifetimes, ...lifetimes } }),
  };
  return { configuration, notCarriedOver };
}

/** Notes a part that does not carry over, unless the file has the key of Postern that takes its place. */
type Lose = (place: string, instead: string, key?: keyof Configuration) => void;

function loseServerTerms(
  { loginPagePath, staticAssetsPath, rotateRefreshToken, httpServer, tokenProvider = {} }:
    NaviktConfiguration,
  { lifetimes }: Configuration,
  lose: Lose,
): void {
  const { systemTime, keyProvider } = tokenProvider;
  if (loginPagePath !== undefined) {
    lose(
      "loginPagePath",
      'People choose their account on Postern\'s own page. List them in "people".',
      "people",
    );
  }
  if (staticAssetsPath !== undefined) lose("staticAssetsPath", "Serve these files from your application.");
  if (rotateRefreshToken === false && lifetimes?.refreshGrace === undefined) {
    lose(
      "rotateRefreshToken",
      'Each refresh gives a new refresh token. With "lifetimes": { "refreshGrace": "1m" } the old one works a minute longer.',
    );
  }
  if (typeof httpServer === "object" && httpServer.ssl !== undefined) {
    lose("httpServer.ssl", "Add --tls-cert FILE and --tls-key FILE, with a certificate and its key as PEM.");
  }
  if (systemTime !== undefined) {
    lose(
      "tokenProvider.systemTime",
      `Start with --control, and send { "freeze": "${systemTime}" } to POST /_postern/clock.`,
    );
  }
  if (keyProvider?.initialKeys !== undefined) {
    lose("tokenProvider.keyProvider.initialKeys", "Give signingKeys to createServer or createMock.");
  }
}

function readAlgorithm(algorithm: string | undefined, lose: Lose): SigningAlgorithm | undefined {
  const known = signingAlgorithms.find((each) => each === algorithm);
  if (algorithm !== undefined && known === undefined) {
    lose(
      "tokenProvider.keyProvider.algorithm",
      `Choose another "alg": ${signingAlgorithms.join(", ")}.`,
      "alg",
    );
  }
  return known;
}

type FromCallbacks = Pick<
  Configuration,
  "login" | "people" | "claimsIn" | "tokenClaims" | "acrValues" | "lifetimes" | "accessTokenType"
>;

// In seconds.
const usualExpiry = 3600;

function translateCallbacks(
  callbacks: readonly TokenCallback[],
  { interactiveLogin, own, lose }: {
    readonly interactiveLogin: boolean;
    readonly own: Configuration;
    readonly lose: Lose;
  },
): FromCallbacks {
  const mappings = callbacks.flatMap((callback, index) =>
    callback.requestMappings.map((mapping, at) =>
      translateMapping(callback, mapping, `tokenCallbacks[${index}].requestMappings[${at}]`, lose)
    )
  );
  const people = joinPeople(mappings.flatMap(({ person }) => person ?? []));
  const ownClaims = [...new Set(people.flatMap(({ claims = {} }) => Object.keys(claims)))];
  const tokenClaims = mappings.flatMap((mapping) => withoutPerson(mapping, own.people ?? people, lose) ?? []);
  const acrValues = [...new Set(mappings.flatMap(({ acr }) => acr ?? []))];
  const lifetime = chooseLifetime(callbacks, own, lose);
  return {
    // Without a page, mock-oauth2-server answers the request immediately.
    login: interactiveLogin ? "picker" : own.people === undefined ? chooseLogin(mappings, lose) : "auto",
    ...(people.length === 0 ? {} : { people }),
    ...(ownClaims.length === 0
      ? {}
      : { claimsIn: { accessToken: ownClaims, idToken: ownClaims, userinfo: ownClaims } }),
    ...(tokenClaims.length === 0 ? {} : { tokenClaims }),
    ...(acrValues.length === 0 ? {} : { acrValues }),
    ...(lifetime === usualExpiry ? {} : { lifetimes: { accessToken: lifetime, idToken: lifetime } }),
    ...chooseType(mappings, lose),
  };
}

/** Each issuer signs in the first person of its own mappings, and every other issuer the first person of all. */
function chooseLogin(
  mappings: readonly TranslatedMapping[],
  lose: Lose,
): NonNullable<Configuration["login"]> {
  const usernames = new Map<string, string[]>();
  for (const { issuerId, person } of mappings) {
    if (person === undefined) continue;
    const known = usernames.get(issuerId) ?? [];
    if (!known.includes(person.username)) usernames.set(issuerId, [...known, person.username]);
  }
  for (const [issuerId, [first, ...others]] of usernames) {
    if (others.length === 0) continue;
    lose(
      "tokenCallbacks",
      `${first} signs in at ${issuerId} without a page. For ${others.join(", ")}, the test calls ` +
        "POST /_postern/next_sign_in (start with --control), or the application sends login_hint.",
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

/** All access tokens have the same type. */
function chooseType(
  mappings: readonly TranslatedMapping[],
  lose: Lose,
): Pick<Configuration, "accessTokenType"> {
  const isTyped = mappings.length > 0 && mappings.every(({ typeHeader }) => typeHeader === "at+jwt");
  const chosen = isTyped ? "at+jwt" : "JWT";
  for (const { place, typeHeader = chosen } of mappings) {
    if (typeHeader === chosen) continue;
    lose(
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
  lose: Lose,
): TokenClaimsConfiguration | undefined {
  const { sub, ...claims } = entry?.claims ?? {};
  const isPerson = (people.length === 0 ? demoPeople : people).some(({ username }) => username === sub);
  if (entry === undefined || !isPerson) return entry;
  lose(`${place}.claims.sub`, "A token that a client gets for itself must not have the subject of a person.");
  return { ...entry, claims };
}

/** All issuers have the same lifetimes: those of the issuer `default`, or else of the first one. */
function chooseLifetime(
  callbacks: readonly TokenCallback[],
  { lifetimes: { accessToken, idToken } = {} }: Configuration,
  lose: Lose,
): number {
  const expiryOf = ({ tokenExpiry = usualExpiry }: TokenCallback) => tokenExpiry;
  const chosen = callbacks.find(({ issuerId }) => issuerId === "default") ?? callbacks[0];
  if (chosen === undefined) return usualExpiry;
  for (const [index, callback] of callbacks.entries()) {
    if (expiryOf(callback) === expiryOf(chosen) || (accessToken !== undefined && idToken !== undefined)) {
      continue;
    }
    lose(
      `tokenCallbacks[${index}].tokenExpiry`,
      `The tokens of every issuer live ${expiryOf(chosen)} seconds. Set "lifetimes" to change that.`,
    );
  }
  return expiryOf(chosen);
}

interface TranslatedMapping {
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
function translateMapping(
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

/** Joins the mappings of one person. */
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
