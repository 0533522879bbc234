/** Gathers the slots of all features when the server is created, and refuses features that contradict each other. */

import { fixedPath } from "../ground/http/router.ts";
import { publicClientMethod } from "./oauth/contracts/client.ts";
import { coreClientSchemas } from "./oauth/clients/metadata/client_metadata.ts";
import { configuredClients } from "./oauth/clients/records/find_client.ts";
import type { AnyFeature, Endpoint, MetadataValue, ResponseMode, Slots } from "./oauth/contracts/feature.ts";
import { bearer } from "./oauth/contracts/sender.ts";

export function gatherSlots(all: readonly AnyFeature[]): Slots {
  const features = all.filter(({ isOff }) => !isOff);
  const grantTypes = features.flatMap((feature) => feature.grantTypes ?? []);
  const senderProofs = features.flatMap((feature) => feature.senderProofs ?? []);
  const clientSources = byName("client source", [
    configuredClients,
    ...features.flatMap((feature) => feature.clientSources ?? []),
  ]);
  return {
    endpoints: gatherEndpoints(features),
    otherPort: onlyOne("open another port", senderProofs.flatMap((proof) => proof.otherPort ?? [])),
    settings: byName("option", all.flatMap((feature) => feature.settings ?? [])),
    clientSources,
    clientSearches: planClientSearches(clientSources),
    clientMembers: gatherClientMembers(features),
    personMembers: byName("member of a person", features.flatMap((feature) => feature.personMembers ?? [])),
    clientAuth: byName(
      "client authentication method",
      features.flatMap((feature) => feature.clientAuth ?? [])
        .filter(({ missingOption }) => missingOption === undefined),
    ),
    refusedClientAuth: [],
    neededOptions: listNeededOptions(all),
    acceptsPublicClients: true,
    senderProofs: byName("proof of possession", senderProofs),
    tokenTypes: [...new Set([bearer, ...senderProofs].map(({ tokenType }) => tokenType))],
    requestKinds: byName("request kind", features.flatMap((feature) => feature.requestKinds ?? [])),
    requestSources: features.flatMap((feature) => feature.requestSources ?? []),
    requestParams: byName("request parameter", features.flatMap((feature) => feature.requestParams ?? [])),
    carries: byName("carried value", features.flatMap((feature) => feature.carries ?? [])),
    decides: onlyOne("answer for the person", features.flatMap((feature) => feature.decides ?? [])),
    asks: features.flatMap((feature) => feature.asks ?? []),
    secondFactor: onlyOne("prove more", features.flatMap((feature) => feature.secondFactor ?? [])),
    signUp: onlyOne("make accounts", all.flatMap((feature) => feature.signUp ?? [])),
    consentRows: byName("row of the consent page", features.flatMap((feature) => feature.consentRows ?? [])),
    responseTypes: byName("response type", features.flatMap((feature) => feature.responseTypes ?? [])),
    responseModes: gatherResponseModes(features.flatMap((feature) => feature.responseModes ?? [])),
    grantTypes: byName("grant type", grantTypes),
    exchangeable: features.flatMap((feature) => feature.exchangeable ?? []),
    changesRedemption: features.flatMap((feature) => feature.changesRedemption ?? []),
    tokenMembers: features.flatMap((feature) => feature.tokenMembers ?? []),
    tokenReaders: grantTypes.flatMap(({ tokenReader }) => tokenReader ?? []),
    tellsSignOut: features.flatMap((feature) => feature.tellsSignOut ?? []),
    scopes: features.flatMap((feature) => feature.scopes ?? []),
    metadata: gatherMetadata(features),
  };
}

/** Keeps only the names of the features that are off, because every server would hold the rest in memory. */
function listNeededOptions(features: readonly AnyFeature[]): ReadonlyMap<string, string> {
  const needed = new Map<string, string>();
  for (const { isOff, settings, clientMembers = [], clientAuth = [] } of features) {
    const switching = isOff ? settings?.[0] : undefined;
    if (switching !== undefined) {
      for (const { name } of [...clientMembers, ...clientAuth]) needed.set(name, switching.name);
    }
    for (const { name, missingOption } of clientAuth) {
      if (missingOption !== undefined) needed.set(name, missingOption);
    }
  }
  return needed;
}

/** The members of the metadata that follow from the slots. A feature must not set them. */
const derivedMembers: ReadonlySet<string> = new Set([
  "issuer",
  "scopes_supported",
  "response_types_supported",
  "response_modes_supported",
  "grant_types_supported",
]);

/** Endpoints announce how clients authenticate there, by `announcesClientAuth`. */
const clientAuthMember = /_auth_(methods|signing_alg_values)_supported$/;

function gatherResponseModes(all: readonly ResponseMode[]): Slots["responseModes"] {
  const names = all.map(({ name }) => name);
  return byName("response mode", all.filter(({ name, sentBy = name }) => names.includes(sentBy)));
}

/** Gathers the client members. Two features may share a member if both list the same object. */
function gatherClientMembers(features: readonly AnyFeature[]): Slots["clientMembers"] {
  const members = [...new Set(features.flatMap((feature) => feature.clientMembers ?? []))];
  const clash = members.find(({ name }) => Object.hasOwn(coreClientSchemas, name));
  if (clash !== undefined) {
    throw new TypeError(`Cannot create server: every server reads the client member ${clash.name} already`);
  }
  return byName("client member", members);
}

function gatherMetadata(features: readonly AnyFeature[]): Slots["metadata"] {
  const members = new Map<string, MetadataValue>();
  for (const { name, metadata = {} } of features) {
    for (const [member, value] of Object.entries(metadata)) {
      if (members.has(member) || derivedMembers.has(member) || clientAuthMember.test(member)) {
        throw new TypeError(
          `Cannot create server: the feature ${name} sets the metadata ${member}, which is set already`,
        );
      }
      members.set(member, value);
    }
  }
  return Object.fromEntries(members);
}

function gatherEndpoints(features: readonly AnyFeature[]): readonly Endpoint[] {
  const endpoints = features.flatMap((feature) => feature.endpoints ?? []);
  const pathsByName = new Map<string, string>();
  for (const { metadataName: name, path: written } of endpoints) {
    if (name === undefined) continue;
    const path = fixedPath(written);
    const known = pathsByName.get(name);
    // Endpoints with one name must have the same path.
    if (known !== undefined && known !== path) {
      throw new TypeError(`Cannot create server: two features offer the ${name}, at ${known} and at ${path}`);
    }
    pathsByName.set(name, path);
  }
  return endpoints;
}

function onlyOne<Slot>(what: string, [first, second]: readonly Slot[]): Slot | undefined {
  if (second !== undefined) throw new TypeError(`Cannot create server: two features ${what}`);
  return first;
}

function byName<Slot extends { readonly name: string }>(
  what: string,
  slots: readonly Slot[],
): ReadonlyMap<string, Slot> {
  const map = new Map<string, Slot>();
  for (const slot of slots) {
    if (map.has(slot.name) || slot.name === publicClientMethod) {
      throw new TypeError(`Cannot create server: two features offer the ${what} ${slot.name}`);
    }
    map.set(slot.name, slot);
  }
  return map;
}

/** Plans the searches for clients. An id that one source owns may be in the configuration as well. */
function planClientSearches(sources: Slots["clientSources"]): Slots["clientSearches"] {
  const all = [...sources.values()];
  return [
    ...all.filter(({ owns }) => owns !== undefined).map((source) => ({
      owns: (id: string) => source.owns!(id),
      sources: [configuredClients, source],
    })),
    { sources: all.filter(({ owns }) => owns === undefined) },
  ];
}
