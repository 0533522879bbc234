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

/** Returns the equivalent configuration. The schemas of the keys have checked the value. */
export function translateNavikt(navikt: NaviktConfiguration): Translation {
  const notCarriedOver: NotCarriedOver[] = [];
  const lose = (place: string, instead: string) => void notCarriedOver.push({ place, instead });
  const { interactiveLogin = false, tokenCallbacks = [], tokenProvider = {} } = navikt;
  loseServerTerms(navikt, lose);
  const alg = readAlgorithm(tokenProvider.keyProvider?.algorithm, lose);
  const callbacks = translateCallbacks(tokenCallbacks, interactiveLogin, lose);
  const configuration: Configuration = {
    paths: "navikt",
    // Without a page, mock-oauth2-server answers the request immediately.
    login: interactiveLogin ? "picker" : "auto",
    ...(alg === undefined ? {} : { alg }),
    ...callbacks,
  };
  return { configuration, notCarriedOver };
}

type Lose = (place: string, instead: string) => void;

function loseServerTerms(
  { loginPagePath, staticAssetsPath, rotateRefreshToken, httpServer, tokenProvider = {} }:
    NaviktConfiguration,
  lose: Lose,
): void {
  const { systemTime, keyProvider } = tokenProvider;
  if (loginPagePath !== undefined) {
    lose("loginPagePath", 'People choose their account on Postern\'s own page. List them in "people".');
  }
  if (staticAssetsPath !== undefined) lose("staticAssetsPath", "Serve these files from your application.");
  if (rotateRefreshToken === false) {
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
    lose("tokenProvider.keyProvider.algorithm", `Choose another "alg": ${signingAlgorithms.join(", ")}.`);
  }
  return known;
}

type FromCallbacks = Pick<
  Configuration,
  "people" | "claimsIn" | "tokenClaims" | "acrValues" | "lifetimes" | "accessTokenType"
>;

// In seconds.
const usualExpiry = 3600;

function translateCallbacks(
  callbacks: readonly TokenCallback[],
  interactiveLogin: boolean,
  lose: Lose,
): FromCallbacks {
  const mappings = callbacks.flatMap((callback, index) =>
    callback.requestMappings.map((mapping, at) =>
      translateMapping(callback, mapping, `tokenCallbacks[${index}].requestMappings[${at}]`, lose)
    )
  );
  const people = joinPeople(mappings.flatMap(({ person }) => person ?? []));
  if (people.length > 1 && !interactiveLogin) {
    const [first, ...others] = people.map(({ username }) => username);
    lose("tokenCallbacks", `${first} signs in without a page. For ${others.join(", ")}, send login_hint.`);
  }
  const ownClaims = [...new Set(people.flatMap(({ claims = {} }) => Object.keys(claims)))];
  const tokenClaims = mappings.flatMap((mapping) => withoutPerson(mapping, people, lose) ?? []);
  const acrValues = [...new Set(mappings.flatMap(({ acr }) => acr ?? []))];
  const lifetime = chooseLifetime(callbacks, lose);
  const isTyped = mappings.length > 0 && mappings.every(({ typeHeader }) => typeHeader === "at+jwt");
  return {
    ...(people.length === 0 ? {} : { people }),
    ...(ownClaims.length === 0
      ? {}
      : { claimsIn: { accessToken: ownClaims, idToken: ownClaims, userinfo: ownClaims } }),
    ...(tokenClaims.length === 0 ? {} : { tokenClaims }),
    ...(acrValues.length === 0 ? {} : { acrValues }),
    ...(lifetime === usualExpiry ? {} : { lifetimes: { accessToken: lifetime, idToken: lifetime } }),
    ...(isTyped ? { accessTokenType: "at+jwt" } : {}),
  };
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
function chooseLifetime(callbacks: readonly TokenCallback[], lose: Lose): number {
  const expiryOf = ({ tokenExpiry = usualExpiry }: TokenCallback) => tokenExpiry;
  const chosen = callbacks.find(({ issuerId }) => issuerId === "default") ?? callbacks[0];
  if (chosen === undefined) return usualExpiry;
  for (const [index, callback] of callbacks.entries()) {
    if (expiryOf(callback) === expiryOf(chosen)) continue;
    lose(
      `tokenCallbacks[${index}].tokenExpiry`,
      `The tokens of every issuer live ${expiryOf(chosen)} seconds. Set "lifetimes" to change that.`,
    );
  }
  return expiryOf(chosen);
}

interface TranslatedMapping {
  readonly place?: string;
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
  const { sub, aud, acr, ...others } = withoutTemplates(claims, `${place}.claims`, lose);
  const own = withoutServerClaims(others, `${place}.claims`, lose);
  const isAcr = typeof acr === "string";
  if (isAcr) lose(`${place}.claims.acr`, `Tokens have it if the request has acr_values=${acr}.`);
  const shared = { ...(isAcr ? { acr } : {}), typeHeader };
  const subject = typeof sub === "string" ? sub : undefined;
  if (requestParam === "subject" && /^[\w@. -]+$/.test(match)) {
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
      ...(isAudience(aud) ? { aud } : {}),
      ...(subject === undefined || !isForClients ? {} : { sub: subject }),
    },
  };
  const person = subject === undefined || isForClients ? {} : { person: { username: subject } };
  return { entry, place, ...person, ...shared };
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

/** Removes values such as "${login_hint}". The client id as `sub` is what Postern does anyway. */
function withoutTemplates(claims: JsonObject, place: string, lose: Lose): JsonObject {
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => {
      if (!JSON.stringify(value).includes("${")) return true;
      const isUsual = name === "sub" && /^\$\{client_?id\}$/i.test(`${value}`);
      if (!isUsual) {
        lose(
          `${place}.${name}`,
          'Postern has no templates. Give people their own "claims", and list them in "claimsIn".',
        );
      }
      return false;
    }),
  );
}

/** Removes claims such as `exp`. Those that Postern always sets to the same value need no word. */
function withoutServerClaims(claims: JsonObject, place: string, lose: Lose): JsonObject {
  const silent = ["azp", "client_id", "scope", "jti"];
  const removed = Object.keys(claims).filter((name) => !isPersonal(name));
  for (const name of removed) {
    if (!silent.includes(name)) lose(`${place}.${name}`, "The server sets this claim itself.");
  }
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !removed.includes(name)));
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
