/** Reads the options of a server into its settings at start, and makes the checks that a schema cannot describe. */

import { isAbsoluteUri } from "../../ground/http/address.ts";
import { signingAlgorithms } from "../../ground/crypto/platform.ts";
import { narrowClientAuth } from "../oauth/clients/metadata/client_auth_methods.ts";
import { defaultIssuer, isReachedFromElsewhere } from "../oauth/clients/reach/reached_from_elsewhere.ts";
import { isReservedForTests } from "../oauth/clients/metadata/redirect_uri.ts";
import type { Slots } from "../oauth/contracts/feature.ts";
import { inLifetimes, readLifetime } from "../oauth/options/lifetime.ts";
import type { Members } from "../../ground/values/members.ts";
import type { PathProfile } from "../oauth/contracts/paths.ts";
import type { People, Person } from "../oauth/contracts/people.ts";
import { readDemoResource } from "../oauth/options/read_demo_resource.ts";
import { describeOtherPort } from "../oauth/requests/server_urls.ts";
import type { CoreSettings } from "../oauth/contracts/feature_values.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import { refuseOption, requireEach } from "../oauth/options/set_up_mistake.ts";
import { accessTokenTyp } from "../oauth/tokens/access_token.ts";
import { readDpop } from "../oauth/contracts/dpop_settings.ts";
import { present } from "../../ground/values/present.ts";
import { checkSchema } from "../../ground/schema/check_schema.ts";
import { findAt } from "../../ground/schema/json_object.ts";
import { describeReceived } from "../../ground/schema/received.ts";
import { nameOfIssuer, readClaimsIn, readTokenClaims } from "./claim_options.ts";
import type { ClientMetadata } from "./client_metadata.ts";
import { type Configuration, type ConfigurationSchema, describeConfiguration } from "./configuration.ts";
import { demoClients, demoPeople, markDemoClients } from "./demo.ts";
import { readLifetimes } from "./lifetimes.ts";
import { listPaths, readPathProfile } from "./read_paths.ts";
import { readPeople } from "./read_people.ts";
import { readOtherNames, requireIssuer } from "./require_issuer.ts";
import type { ServerOptions } from "./server_options.ts";
import {
  algorithmsInUse,
  idTokenAlgorithms,
  requireAccepted,
  requireSigningKeys,
  usualAlg,
} from "./signing_keys.ts";
import type { Client } from "../oauth/contracts/client.ts";
import { configuredClients } from "../oauth/clients/records/find_client.ts";
import { type ClientFacts, readClient } from "../oauth/clients/metadata/read_client.ts";
import { parseScope } from "../oauth/clients/metadata/scope.ts";

export function requireConfiguration(value: unknown, schema: ConfigurationSchema): Configuration {
  const problem = checkSchema(value, schema);
  if (problem === undefined) return value as Configuration;
  if (problem.place.startsWith(inLifetimes)) explainLifetime(problem.place, value, schema);
  return refuseOption(problem.place, problem.problem, problem.received);
}

/** The schema describes the text of a lifetime with examples only. This refusal explains the units. */
function explainLifetime(place: string, value: unknown, { properties }: ConfigurationSchema): void {
  const [range] = properties?.["lifetimes"]?.properties?.[place.slice(inLifetimes.length)]?.anyOf ?? [];
  const text = findAt(place, value as Members);
  if (range !== undefined && typeof text === "string") readLifetime(text, place, range);
}

/** `demo`: the demo clients that `options` may list. `addsPeople`: the server can add people while it runs. */
export function readSettings(
  options: ServerOptions,
  allSlots: Slots,
  demo?: readonly ClientMetadata[],
  addsPeople = true,
): Settings {
  const { signingKeys } = options;
  const configuration = requireConfiguration(withoutParts(options), describeConfiguration(allSlots));
  const slots = narrowClientAuth(allSlots, configuration.clientAuthMethods);
  const profile = readPathProfile(configuration.paths);
  const { paths, issuerPath = "" } = profile;
  const { issuer = defaultIssuer + issuerPath, acceptedAlgorithms = signingAlgorithms } = configuration;
  const { alg = acceptedAlgorithms.includes(usualAlg) ? usualAlg : acceptedAlgorithms[0]! } = configuration;
  const issuerOptions = { allowPrivateHttp: configuration.allowPrivateHttp ?? false };
  requireIssuer(issuer, issuerOptions);
  const baseUrl = issuer.replace(/\/$/, "");
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
  const demoResource = readDemoResource(configuration.demoResource, issuer, listPaths(profile, basePath));
  const also = readOtherNames(configuration.also ?? [], { issuer, basePath, ...issuerOptions });
  const registered = configuration.clients ?? demoClients(baseUrl, slots);
  const clients = readClients(registered, slots);
  const algorithms = algorithmsInUse(alg, clients, slots);
  requireAccepted(algorithms, acceptedAlgorithms);
  if (signingKeys !== undefined) requireSigningKeys(signingKeys, algorithms, alg);
  const people = readPeople(configuration.people ?? demoPeople, clients);
  const scopes = readScopes(configuration.scopes ?? {});
  requireKnownScopes(clients, scopes, slots);
  const settings: CoreSettings = {
    issuer,
    issuerHost: new URL(issuer).host,
    baseUrl,
    also,
    basePath,
    ...present({ metadataAddresses: configuration.metadata }),
    paths,
    clients: markDemoClients(
      clients,
      registered,
      demo ?? (configuration.clients === undefined ? registered : []),
    ),
    reservedForTests: isReservedForTests(issuer),
    demo: configuration.clients === undefined || configuration.people === undefined,
    people,
    addsPeople,
    scopes,
    defaultScope: readDefaultScope(configuration.defaultScope, scopes, slots),
    resources: readResources(configuration.resources ?? [], demoResource),
    demoResource,
    acrValues: readAcrValues(configuration.acrValues ?? []),
    automaticPerson: readLogin(configuration.login ?? "picker", people, basePath),
    alg,
    frontPage: configuration.frontPage ?? (isReachedFromElsewhere({ issuer, also }) ? "issuer" : "full"),
    accessTokens: configuration.accessTokens ?? "jwt",
    accessTokenType: readAccessTokenType(configuration, profile),
    algorithms,
    acceptedAlgorithms,
    idTokenAlgorithms: idTokenAlgorithms(algorithms, signingKeys, alg)
      .filter((each) => acceptedAlgorithms.includes(each)),
    claimsIn: readClaimsIn(configuration.claimsIn ?? {}),
    tokenClaims: readTokenClaims(configuration.tokenClaims ?? [], { people, basePath }),
    dpop: readDpop(configuration.dpop, acceptedAlgorithms),
    lifetimes: readLifetimes(configuration.lifetimes),
  };
  const ofFeatures = readSettingsOf(slots, configuration, settings);
  const port = slots.otherPort?.find({ ofFeatures });
  const otherPort = port === undefined ? undefined : describeOtherPort(port, settings);
  return { ...settings, ofFeatures, ...present({ otherPort }) };
}

function readSettingsOf(slots: Slots, configuration: Configuration, core: CoreSettings): Members {
  const read = [...slots.settings.values()].map((setting) => {
    const option = findAt(setting.name, configuration);
    return [setting.name, setting.read === undefined ? option : setting.read(option, core, slots)];
  });
  return Object.fromEntries(read);
}

const partNames: Readonly<Record<Exclude<keyof ServerOptions, keyof Configuration>, true>> = {
  store: true,
  signingKeys: true,
  fetch: true,
  seams: true,
  journal: true,
  now: true,
  random: true,
};

function withoutParts(options: ServerOptions): unknown {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !Object.hasOwn(partNames, name)));
}

/** Adds the API beside the server to configured resources. Without these, clients may request any resource. */
function readResources(resources: readonly string[], demoResource: string | undefined): ReadonlySet<string> {
  const breaks = (each: string) =>
    isAbsoluteUri(each) ? undefined : "must be an absolute URI without a fragment";
  requireEach("resources", resources, breaks, describeReceived);
  return new Set(
    resources.length === 0 || demoResource === undefined ? resources : [...resources, demoResource],
  );
}

function readAccessTokenType(
  { accessTokenType: chosen, accessTokens }: Configuration,
  profile: PathProfile,
): Settings["accessTokenType"] {
  if (chosen !== undefined && chosen !== accessTokenTyp && accessTokens === "opaque") {
    refuseOption("accessTokenType", 'is for JWTs: leave it out, or set accessTokens to "jwt"');
  }
  return chosen ?? profile.accessTokenType ?? accessTokenTyp;
}

/** Refuses values with spaces, because clients send a list of values that is separated by spaces. */
function readAcrValues(values: readonly string[]): readonly string[] {
  const breaks = (each: string) =>
    /^[\x21-\x7e]+$/.test(each) ? undefined : "must be printable ASCII without a space";
  requireEach("acrValues", values, breaks, describeReceived);
  return values;
}

function readLogin(
  configured: NonNullable<Configuration["login"]>,
  people: People,
  basePath: string,
): string | undefined {
  const login = typeof configured === "string" ? configured : chooseLogin(configured, nameOfIssuer(basePath));
  if (login === "picker") return undefined;
  const username = login === "auto" ? findFirst(people)?.username : login.slice("auto:".length);
  if (username === undefined) {
    return refuseOption("login", "must be picker, because no people are configured");
  }
  if (people.find(username) === undefined) {
    const known = people.all.map((person) => person.username).join(", ");
    refuseOption("login", `must name a configured person: ${username} is not one of ${known}`);
  }
  return username;
}

function findFirst({ all }: People): Person | undefined {
  return all.find(({ isDisabled }) => !isDisabled) ?? all[0];
}

function chooseLogin(logins: Readonly<Record<string, string>>, name: string): string {
  const key = [name, "*"].find((each) => Object.hasOwn(logins, each));
  return key === undefined ? "picker" : logins[key]!;
}

const clientFacts: ClientFacts = {
  source: configuredClients.name,
  approvedBy: "operator",
  epoch: "configured",
};

function readClients(all: readonly ClientMetadata[], slots: Slots): ReadonlyMap<string, Client> {
  const clients = new Map<string, Client>();
  for (const [index, metadata] of all.entries()) {
    const client = readClient(metadata, clientFacts, slots);
    if ("place" in client) {
      const { place, expected } = client;
      const value = findAt(place, metadata);
      const received = value === undefined ? undefined : describeReceived(place, value);
      return refuseOption(`clients[${index}].${place}`, expected, received);
    }
    if (clients.has(client.id)) {
      refuseOption(`clients[${index}].client_id`, `must be unique: two clients are called ${client.id}`);
    }
    clients.set(client.id, client);
  }
  return clients;
}

function readScopes(scopes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  for (const name of Object.keys(scopes)) {
    if (parseScope(name)?.length !== 1) {
      refuseOption(
        `scopes[${JSON.stringify(name)}]`,
        "must be a scope name: printable ASCII without a space, a quote or a backslash",
      );
    }
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
      refuseOption(
        `clients[${index}].scope`,
        `must name configured scopes only: ${unknown} is not configured`,
      );
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
    return refuseOption("defaultScope", "must be scope names separated by single spaces", received);
  }
  const isKnown = (name: string) => scopes.has(name) || slots.scopes.includes(name);
  const unknown = scopes.size === 0 ? undefined : names.find((name) => !isKnown(name));
  if (unknown !== undefined) {
    refuseOption("defaultScope", `must name configured scopes only: ${unknown} is not configured`);
  }
  return names;
}
