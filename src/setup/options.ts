/** From what people write to settings without a question left open. Every check of the set-up happens here, at start. */

import { checkSchema } from "../schema/check_schema.ts";
import { type Configuration, configurationSchema } from "./configuration.ts";
import type { RandomBytes } from "../crypto/bytes.ts";
import { isPasswordHash, type PasswordProof, proveByDigest } from "../crypto/password.ts";
import {
  type Jwk,
  type SigningAlgorithm,
  signingAlgorithms,
  signsWith,
  unfitForSigning,
} from "../crypto/jwk.ts";
import { accessTokenTyp } from "../oauth/tokens/access_token.ts";
import type { Client } from "../oauth/clients/client.ts";
import { type ClientMetadata, readClientMetadata } from "../oauth/clients/client_metadata.ts";
import type { Slots } from "../oauth/feature.ts";
import type { Journal } from "../oauth/journal.ts";
import { paths } from "../oauth/paths.ts";
import { createPeople, type People } from "../oauth/people/people.ts";
import { isReachedFromElsewhere } from "../oauth/reach.ts";
import { isLoopbackUri, isReservedForTests } from "../oauth/clients/redirect_uri.ts";
import { isResource } from "../oauth/tokens/resource.ts";
import { parseScope } from "../oauth/tokens/scope.ts";
import type { Seams } from "../oauth/seams.ts";
import type { FetchOthers } from "../oauth/services.ts";
import type { Lifetimes, Settings } from "../oauth/settings.ts";
import { splitPlace } from "../schema/place.ts";
import { describeReceived } from "../schema/received.ts";
import { requireKeyList } from "./required_parts.ts";
import { SetUpMistake } from "./set_up_mistake.ts";
import type { Store } from "../store/store.ts";

/** What `createServer` takes: a configuration, and the parts that only code can bring. */
export interface ServerOptions extends Configuration {
  /** Default: memory. A store that is brought along is closed by whoever brought it. */
  readonly store?: Store;
  /** Private JWKs instead of keys that are made and kept in the store: one for each algorithm that is in use. */
  readonly signingKeys?: readonly Jwk[];
  /** For what the server itself calls: a client's back-channel logout. Default: the platform's. */
  readonly fetch?: FetchOthers;
  readonly seams?: Seams;
  /** Called once for each exchange. Absent: nothing is collected. */
  readonly journal?: Journal;
  /** Seconds since 1970. */
  readonly now?: () => number;
  readonly random?: RandomBytes;
}

/** Where a server is known under that was not told anything else. */
export const defaultIssuer = "http://localhost:9000";

const usualAlg: SigningAlgorithm = "RS256";

const hour = 3600;
const day = 24 * hour;

const defaultLifetimes: Lifetimes = {
  code: 300,
  accessToken: hour,
  idToken: hour,
  session: 8 * hour,
  refreshIdle: 30 * day,
  refreshAbsolute: 90 * day,
  refreshGrace: 0,
};

export const demoPeople: NonNullable<Configuration["people"]> = [
  { username: "alice", claims: { name: "Alice Adams", email: "alice@example.com", email_verified: true } },
  { username: "bob", claims: { name: "Bob Brown", email: "bob@example.com", email_verified: true } },
];

const demoSecret = "demo-secret";

function demoClients(baseUrl: string, slots: Slots): readonly ClientMetadata[] {
  const redirect_uris = [baseUrl + paths.authorized];
  const isPublic = { client_id: "demo", client_name: "Demo application", redirect_uris };
  const isConfidential = {
    client_id: "demo-confidential",
    client_name: "Demo application with a secret",
    client_secret: demoSecret,
    redirect_uris,
  };
  return slots.clientAuth.has("client_secret_basic") ? [isPublic, isConfidential] : [isPublic];
}

/** Without a client configured, and only where no stranger can come by, anybody's first use makes a client. */
export function acceptsFirstUse({ firstUse, clients, issuer = defaultIssuer }: Configuration): boolean {
  return firstUse ?? (clients === undefined && !isReachedFromElsewhere({ issuer }));
}

/** The configuration's keys, checked alone: code may bring more. */
export function requireConfiguration(value: unknown): Configuration {
  const problem = checkSchema(value, configurationSchema);
  if (problem === undefined) return value as Configuration;
  return wrong(problem.place, problem.problem, problem.received);
}

export function readSettings(options: ServerOptions, slots: Slots): Settings {
  const {
    store: _store,
    signingKeys,
    fetch: _fetch,
    seams: _seams,
    journal: _journal,
    now: _now,
    random: _random,
    ...rest
  } = options;
  const configuration = requireConfiguration(rest);
  const { issuer = defaultIssuer, alg = usualAlg, lifetimes = {} } = configuration;
  requireIssuer(issuer);
  const baseUrl = issuer.replace(/\/$/, "");
  const registered = configuration.clients ?? demoClients(baseUrl, slots);
  const clients = readClients(registered, slots);
  const algorithms = algorithmsInUse(alg, registered);
  if (signingKeys !== undefined) requireSigningKeys(signingKeys, algorithms, alg);
  const people = readPeople(configuration.people ?? demoPeople, clients);
  const scopes = readScopes(configuration.scopes ?? {});
  requireKnownScopes(clients, scopes, slots);
  return {
    issuer,
    issuerHost: new URL(issuer).host,
    baseUrl,
    basePath: new URL(baseUrl).pathname.replace(/\/$/, ""),
    clients: configuration.clients === undefined ? withDemoSecret(clients) : clients,
    reservedForTests: isReservedForTests(issuer),
    demo: configuration.clients === undefined || configuration.people === undefined,
    people,
    scopes,
    defaultScope: readDefaultScope(configuration.defaultScope, scopes, slots),
    resources: readResources(configuration.resources ?? []),
    acrValues: readAcrValues(configuration.acrValues ?? []),
    automaticPerson: readLogin(configuration.login ?? "picker", people),
    alg,
    frontPage: configuration.frontPage ?? (isReachedFromElsewhere({ issuer }) ? "issuer" : "full"),
    accessTokens: configuration.accessTokens ?? "jwt",
    accessTokenType: readAccessTokenType(configuration),
    algorithms,
    idTokenAlgorithms: idTokenAlgorithms(algorithms, signingKeys, alg),
    lifetimes: { ...defaultLifetimes, ...withoutUndefined(lifetimes) },
  };
}

/** In JavaScript, what is undefined was not said. */
function withoutUndefined<T extends object>(value: T): { [name in keyof T]: NonNullable<T[name]> } {
  const said = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(said) as { [name in keyof T]: NonNullable<T[name]> };
}

function wrong(place: string, expected: string, received?: string): never {
  throw new SetUpMistake(place, expected, received);
}

/** RFC 8414 §2: https without query and fragment; http only where nobody else listens. */
function requireIssuer(issuer: string): void {
  const received = describeReceived("issuer", issuer);
  if (!URL.canParse(issuer)) wrong("issuer", "must be an absolute URL", received);
  const url = new URL(issuer);
  if (url.protocol !== "https:" && !isLoopbackUri(issuer)) {
    wrong("issuer", "must be https, or http on 127.0.0.1, [::1] or localhost", received);
  }
  if (issuer.includes("?") || issuer.includes("#")) wrong("issuer", "must not have a query or a fragment");
  if (url.pathname.includes("//")) wrong("issuer", "must not have two slashes in a row in its path");
  if (url.username !== "" || url.password !== "") wrong("issuer", "must not hold a name or a password");
  // Compared as text by every client: only one spelling of a URL survives that.
  if (url.href !== issuer && url.href !== `${issuer}/`) wrong("issuer", `must be written as ${url.href}`);
}

function requireSigningKeys(
  keys: readonly Jwk[],
  algorithms: readonly SigningAlgorithm[],
  preferred: SigningAlgorithm,
): void {
  requireKeyList(keys);
  const offered = keys.map((jwk, index) => {
    const alg = signsWith(jwk, preferred);
    if (alg === undefined) {
      return wrong(
        `signingKeys[${index}]`,
        `must be a key for ${signingAlgorithms.join(", ")}, and its alg one of these or left out`,
      );
    }
    const problem = unfitForSigning(jwk, alg);
    if (problem !== undefined) wrong(`signingKeys[${index}]`, `does not fit: ${problem}`);
    return alg;
  });
  const missing = algorithms.find((alg) => !offered.includes(alg));
  if (missing !== undefined) {
    wrong("signingKeys", `must hold a key for ${missing}, because something signs with it`);
  }
}

function readClients(all: readonly ClientMetadata[], slots: Slots): ReadonlyMap<string, Client> {
  const clients = new Map<string, Client>();
  for (const [index, metadata] of all.entries()) {
    const client = readClientMetadata(metadata, { slots, origin: "configured", epoch: "configured" });
    if ("member" in client) {
      const { member, expected } = client;
      const received = describeReceived(member, findMember(metadata, member));
      return wrong(`clients[${index}].${member}`, expected, received);
    }
    if (clients.has(client.id)) {
      wrong(`clients[${index}].client_id`, `must be unique: ${client.id} is there twice`);
    }
    clients.set(client.id, client);
  }
  return clients;
}

/** `place` as in `redirect_uris[1]`. */
function findMember(value: unknown, place: string): unknown {
  return splitPlace(place).reduce(
    (found, name) => (found as Readonly<Record<string, unknown>>)?.[name],
    value,
  );
}

/** OpenID Connect Discovery §3, Core §15.1: RS256 is always among them. Keys that were given decide for themselves. */
function idTokenAlgorithms(
  algorithms: readonly SigningAlgorithm[],
  signingKeys: readonly Jwk[] | undefined,
  preferred: SigningAlgorithm,
): readonly SigningAlgorithm[] {
  const canSign = signingKeys === undefined ||
    signingKeys.some((jwk) => signsWith(jwk, preferred) === "RS256");
  return canSign ? [...new Set([...algorithms, "RS256" as const])] : algorithms;
}

/** What something here signs with, the usual first. */
function algorithmsInUse(
  alg: SigningAlgorithm,
  clients: readonly ClientMetadata[],
): readonly SigningAlgorithm[] {
  const asked = clients.flatMap((client) => [
    client.id_token_signed_response_alg ?? alg,
    client.userinfo_signed_response_alg ?? alg,
  ]);
  return [...new Set([alg, ...asked])];
}

function withDemoSecret(clients: ReadonlyMap<string, Client>): ReadonlyMap<string, Client> {
  return new Map(
    [...clients].map(([id, client]) => [
      id,
      client.authentication?.secretHash === undefined ? client : { ...client, demoSecret },
    ]),
  );
}

function readPassword(password: string, index: number): PasswordProof {
  if (isPasswordHash(password)) return password;
  // Cut or mistyped, it would be taken for a password that nobody knows.
  if (password.startsWith("scrypt:")) {
    wrong(`people[${index}].password`, "is not a hash that hashPassword made");
  }
  return proveByDigest(password);
}

function readPeople(
  all: NonNullable<Configuration["people"]>,
  clients: ReadonlyMap<string, Client>,
): People {
  const people = all.map(({ username, password, sub = username, claims = {} }, index) => ({
    username,
    subject: sub,
    ...(password === undefined ? {} : { password: readPassword(password, index) }),
    claims,
  }));
  for (const [index, { username, subject }] of people.entries()) {
    const refuseSubject = (rule: string, fact?: string): never => {
      if (all[index]?.sub !== undefined) {
        return wrong(`people[${index}].sub`, fact === undefined ? rule : `${rule}: ${fact}`);
      }
      const said = fact === undefined ? rule : `${rule} (${fact})`;
      return wrong(
        `people[${index}].username`,
        `stands for sub as well, which ${said}: give "sub" beside it`,
      );
    };
    if (people.findIndex((other) => other.username === username) !== index) {
      wrong(`people[${index}].username`, `must be unique: ${username} is there twice`);
    }
    if (people.findIndex((other) => other.subject === subject) !== index) {
      refuseSubject("must be unique", `${subject} is there twice`);
    }
    // OpenID Connect Core §2: at most 255 ASCII characters.
    if (!/^[\x20-\x7e]{1,255}$/.test(subject)) {
      refuseSubject("must be 1 to 255 printable ASCII characters");
    }
    // RFC 9068 §5: a client that acts for itself must not be taken for a person.
    if (clients.has(subject)) refuseSubject("must not be the id of a client", subject);
  }
  return createPeople(people);
}

function readScopes(scopes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  for (const name of Object.keys(scopes)) {
    if (parseScope(name)?.length !== 1) wrong(`scopes[${JSON.stringify(name)}]`, "is not a name of a scope");
  }
  return new Map(Object.entries(scopes));
}

function requireKnownScopes(
  clients: ReadonlyMap<string, Client>,
  scopes: ReadonlyMap<string, string>,
  slots: Slots,
): void {
  if (scopes.size === 0) return;
  for (const [index, { scope = [] }] of [...clients.values()].entries()) {
    const unknown = scope.find((name) => !scopes.has(name) && !slots.scopes.includes(name));
    if (unknown !== undefined) {
      wrong(`clients[${index}].scope`, `must hold configured scopes only: ${unknown} is none`);
    }
  }
}

function readDefaultScope(
  text: string | undefined,
  scopes: ReadonlyMap<string, string>,
  slots: Slots,
): readonly string[] {
  if (text === undefined) return scopes.size === 0 ? ["read"] : [...scopes.keys()];
  const names = parseScope(text);
  if (names === undefined) {
    const received = describeReceived("defaultScope", text);
    return wrong("defaultScope", "must be scope names with one space between two", received);
  }
  const isKnown = (name: string) => scopes.has(name) || slots.scopes.includes(name);
  const unknown = scopes.size === 0 ? undefined : names.find((name) => !isKnown(name));
  if (unknown !== undefined) wrong("defaultScope", `must hold configured scopes only: ${unknown} is none`);
  return names;
}

function readResources(resources: readonly string[]): ReadonlySet<string> {
  for (const [index, resource] of resources.entries()) {
    if (isResource(resource)) continue;
    const place = `resources[${index}]`;
    wrong(place, "must be an absolute URI without a fragment", describeReceived(place, resource));
  }
  return new Set(resources);
}

function readAccessTokenType(
  { accessTokenType = accessTokenTyp, accessTokens }: Configuration,
): Settings["accessTokenType"] {
  if (accessTokenType !== accessTokenTyp && accessTokens === "opaque") {
    wrong("accessTokenType", 'is for JWTs: leave it out, or set accessTokens to "jwt"');
  }
  return accessTokenType;
}

/** They are sent in a list with spaces between them. */
function readAcrValues(values: readonly string[]): readonly string[] {
  for (const [index, value] of values.entries()) {
    if (/^[\x21-\x7e]+$/.test(value)) continue;
    const place = `acrValues[${index}]`;
    wrong(place, "must be printable ASCII without a space", describeReceived(place, value));
  }
  return values;
}

function readLogin(login: string, people: People): string | undefined {
  if (login === "picker") return undefined;
  const username = login === "auto" ? people.all[0]?.username : login.slice("auto:".length);
  if (username === undefined) return wrong("login", "is auto, but there is nobody to sign in");
  if (people.find(username) === undefined) {
    wrong("login", `names ${username}; people are ${people.all.map((person) => person.username).join(", ")}`);
  }
  return username;
}
