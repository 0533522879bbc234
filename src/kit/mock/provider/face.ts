/** A face: the same server at the hosts of the provider that it looks like, with the addresses of the provider. */

import type { Address } from "../../../ground/http/address.ts";
import { json } from "../../../ground/http/respond.ts";
import { formatParams, type Pair } from "../../../ground/http/form.ts";
import { sendsSecret } from "../../../server/oauth/contracts/client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type {
  AnyFeature,
  ClientAuthMethod,
  Endpoint,
  Services,
} from "../../../server/oauth/contracts/feature.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { assetsPath, type Paths, paths, usualPaths } from "../../../server/oauth/contracts/paths.ts";
import { fail, type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { passSeam } from "../../../server/oauth/contracts/seams.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import type { ServerOptions } from "../../../server/setup/server_options.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { nearestThree } from "../../../ground/schema/nearest.ts";
import { present } from "../../../ground/values/present.ts";
import { isFormType } from "../../../ground/http/body.ts";
import { formOfJson, isJsonType } from "../../../server/oauth/contracts/params.ts";
import type {
  Acceptance,
  Laxness,
  ProviderAddresses,
  ProviderEndpoint,
} from "../../faults/look_alikes/look_alike.ts";
import { lookAlikes } from "../../faults/look_alikes/look_alikes.ts";
import { type LookAlikeName, lookAlikeNames, providers } from "../../faults/look_alikes/providers.ts";
import type { ClaimedProvider } from "./claimed_hosts.ts";

const refusal = refusals({
  provider_path_unknown: {
    error: "not_found",
    status: 501,
    sentence:
      "This look-alike has no such address. The nearest ones are {addresses}. The page Look-alikes of the documentation lists all, and a test answers others by as.route()",
    change:
      "Use an address that the look-alike has, or answer this one with as.route(), or over HTTP with POST /_postern/routes.",
  },
  provider_json_malformed: {
    error: "invalid_request",
    sentence: "The body must be a JSON object whose members are texts",
    expected: "one JSON object of texts, or a form",
    change: "Send the parameters as one JSON object without lists and objects in it, or as a form.",
  },
  provider_multipart_malformed: {
    error: "invalid_request",
    sentence: "The body must be multipart/form-data without files, as its Content-Type says",
    change: "Let the library that makes the body also set its Content-Type, which names the boundary.",
  },
  provider_person_unknown: {
    error: "not_found",
    status: 404,
    sentence: "The address names no person of this server",
    change: "Name a person of the configuration, in the form that the provider documents for this address.",
  },
  provider_scope_missing: {
    error: "insufficient_scope",
    sentence: "The access token lacks the scope that the provider asks for here",
    change: "Ask for the scope in the authorization request.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface Face {
  readonly issuer: string;
  changeOptions<Options extends Pick<ServerOptions, "issuer">>(options: Options): Options;
  changeFeatures(usual: readonly AnyFeature[]): readonly AnyFeature[];
  changeSettings(settings: Settings): Settings;
  /** Lets the server read a request as the provider does. Throws if the provider has more at its hosts than this server. */
  prepare(exchange: Exchange): void;
}

/** The pages of a login, which are at the paths of this server. */
const pagePaths: readonly string[] = [
  paths.signIn,
  paths.account,
  paths.consent,
  "/oauth2/device_verification",
];

/**
 * `isForTests` says whether the names that are reserved for tests are good redirect URIs. That may change with the issuer of
 * the mock.
 */
export function createFace(
  { name, host, clients, origins }: ClaimedProvider,
  isForTests: () => boolean,
): Face {
  const { addresses, lax, carries = [], grantTypes = [], keepsSecrets } = lookAlikes[name];
  const provider = addresses(host);
  const { issuer, pages = issuer, endpoints, frames = [], aliases = {}, optionalInPath, leads } = provider;
  const baseUrl = pages.replace(/\/$/, "");
  const { origin, pathname, host: issuerHost } = new URL(baseUrl);
  const basePath = pathname.replace(/\/$/, "");
  const concerns = (id: string) => clients.includes(undefined) || clients.includes(id);
  const readings = lax.flatMap(({ reads = [] }) => reads);
  const withoutOptional = (path: string) => optionalInPath ? path.replace(optionalInPath, "") : path;
  const sets: Laxness["sets"] = Object.assign({}, ...lax.map((each) => each.sets));
  const who = lax.flatMap(({ forgoesPkce: each }) => each ?? []);
  const forgoesPkce: Settings["forgoesPkce"] = who.length === 0
    ? undefined
    : (id, { isPublic }) => concerns(id) && (!isPublic || who.includes("each_client"));
  const modelled = new Set([...endpoints, ...frames].map(({ url }) => url));
  const needsName = new Set(
    endpoints.flatMap(({ url, written, names }) => names === undefined || written === undefined ? [] : url),
  );
  const isOwnPage = ({ origin: asked, path }: Pick<Address, "origin" | "path">) =>
    asked === origin &&
    (pagePaths.some((page) => path === basePath + page) || path.startsWith(basePath + assetsPath));
  return {
    issuer,
    changeOptions: (options) => ({
      ...options,
      issuer,
      paths: choosePaths(provider, baseUrl),
      also: [],
      metadata: undefined,
    }),
    changeFeatures: (usual) => [
      ...usual.map((feature) => placeFeature(keepsSecrets ? keepSecrets(feature) : feature, endpoints)),
      {
        name: "provider_api",
        spec: providers[name].title,
        grantTypes,
        requestParams: carries.map((name) => ({
          name,
          read: (text) => ({ carried: { [name]: text } }),
        })),
        carries: carries.map((name) => ({ name })),
        endpoints: [
          ...endpoints.flatMap((endpoint) => isApi(endpoint) ? [createApi(endpoint, usual)] : []),
          ...frames.map(({ url, page }): Endpoint => ({
            ...{ method: "GET", path: new URL(url).pathname, url, refusal: "page" },
            handle: () => page,
          })),
        ],
      },
    ],
    changeSettings: (settings) => ({
      ...settings,
      baseUrl,
      basePath,
      issuerHost,
      issuerInRecords: issuer,
      also: origins.filter((each) => each !== origin).map((each) => each + basePath),
      reservedForTests: isForTests(),
      // Some libraries refuse a list with a key of an algorithm that they do not know.
      publishesUsedKeys: true,
      learnsGrants: ["urn:ietf:params:oauth:grant-type:device_code"],
      ...sets,
      ...present({ forgoesPkce, optionalInPath, leads }),
    }),
    prepare(exchange) {
      const { request: { address }, facts } = exchange;
      const path = withoutOptional(address.path);
      const url = (aliases[address.origin] ?? address.origin) + path;
      const lacksName = path === address.path && needsName.has(url);
      if (!isOwnPage(address) && (lacksName || !modelled.has(url))) {
        throw refuseUnknown(address, provider, lacksName ? "" : describeElsewhere(name, host, address));
      }
      const here = endpoints.flatMap((endpoint) => endpoint.url === url ? endpoint.accepts ?? [] : []);
      // Two methods of an address may share one.
      const accepted = [...new Set(here)];
      const pairReaders = accepted.filter(({ pairs, token }) => pairs !== undefined || token === "query");
      readAsProvider(exchange, [...readings.filter(({ at }) => at === facts.endpoint), ...pairReaders]);
      readFormAsProvider(exchange, accepted.map(({ form }) => form));
    },
  };
}

/** Names three addresses. Those that end with the same path are the nearest ones, also at another host. */
function refuseUnknown(
  { origin, path }: Address,
  { endpoints, frames = [] }: ProviderAddresses,
  elsewhere: string,
): Error {
  const received = origin + path;
  const writtenOf = new Map(endpoints.map(({ url, written = url }) => [url, written]));
  const urls = [...new Set([...endpoints, ...frames].map(({ url }) => url))];
  const nearest = nearestThree(received, urls, urls.filter((each) => each.endsWith(path)));
  const addresses = nearest.map((each) => writtenOf.get(each) ?? each).join(", ") + elsewhere;
  // Libraries try several of these, and go on only after a 404.
  const status = path.includes("/.well-known/") ? 404 : undefined;
  return refusal("provider_path_unknown", { addresses, received, ...present({ status }) });
}

/** Says which other host, or which other look-alike, has the address. */
function describeElsewhere(name: LookAlikeName, host: string, address: Address): string {
  const tenant = findTenant(name, address);
  const other = findOtherLookAlike(name, host, address.origin + address.path);
  return (tenant === undefined
    ? ""
    : `; that address needs the host ${tenant}, by the option host or --like-host`) +
    (other === undefined ? "" : `; the look-alike ${other} has that address`);
}

/** Returns the host, with its path, of the tenant, realm or authorization server that has the address. */
function findTenant(name: LookAlikeName, { origin, path }: Address): string | undefined {
  if (!providers[name].host.includes("/")) return undefined;
  const { host, pathname } = new URL(origin + path);
  const parts = pathname.split("/");
  return parts.map((_, count) => host + parts.slice(0, count + 1).join("/"))
    .find((each) => lookAlikes[name].addresses(each).endpoints.some((at) => at.url === origin + path));
}

/** Slack, for example, has two look-alikes at one host. */
function findOtherLookAlike(name: LookAlikeName, host: string, url: string): LookAlikeName | undefined {
  return lookAlikeNames.find((each) =>
    each !== name && providers[each].host === host &&
    lookAlikes[each].addresses(host).endpoints.some((at) => at.url === url)
  );
}

/** The address of a page has only the encrypted request, which names no client. */
function readAsProvider(exchange: Exchange, readings: readonly Pick<Acceptance, "pairs">[]): void {
  const { request, facts } = exchange;
  if (readings.length === 0) return;
  exchange.readPairsBy((sent) =>
    facts.endpoint === "authorize" && !sent.some(([name]) => name === "client_id")
      ? sent
      : readings.reduce((pairs, reading) => reading.pairs?.(pairs, request) ?? pairs, sent)
  );
}

function readFormAsProvider(exchange: Exchange, forms: readonly Acceptance["form"][]): void {
  const { request } = exchange;
  const { query } = request.address;
  const type = request.header("content-type");
  const isJson = forms.includes("json") && isJsonType(type);
  // A HEAD changes nothing, and a DELETE often has neither a body nor a query.
  const hasQuery = query !== "" || request.method === "DELETE";
  const inQuery = request.method !== "HEAD" && forms.includes("query") && hasQuery;
  const isUntyped = forms.includes("untyped") && type === undefined;
  if (forms.includes("multipart") && /^multipart\/form-data\s*;/i.test(type ?? "")) {
    exchange.readOtherFormBy(async () => formatParams(await readMultipart(await exchange.body(), type!)));
    return;
  }
  if (!isJson && !inQuery && !isUntyped) return;
  exchange.readOtherFormBy(async () => {
    const body = await exchange.body();
    // A library may name the type of JSON also without a body.
    const form = isJson && body !== "" ? formOfJson(body) : isUntyped || isFormType(type) ? body : "";
    if (form === undefined) throw refusal("provider_json_malformed");
    return [form, inQuery ? query : ""].filter((each) => each !== "").join("&");
  });
}

async function readMultipart(body: string, type: string): Promise<readonly Pair[]> {
  const read = new Response(body, { headers: { "content-type": type } });
  const form = await read.formData().catch(() => undefined);
  return [...form ?? fail(refusal("provider_multipart_malformed"))].map(([name, value]) => [
    name,
    typeof value === "string" ? value : fail(refusal("provider_multipart_malformed")),
  ]);
}

/** The pages redirect to these paths. Of several addresses, the first one is the usual one. */
function choosePaths({ endpoints }: ProviderAddresses, baseUrl: string): Partial<Paths> {
  const moved = endpoints.flatMap((endpoint) =>
    Object.hasOwn(usualPaths, endpoint.is) && !isApi(endpoint) && endpoint.url.startsWith(`${baseUrl}/`)
      ? [[endpoint.is, endpoint.url.slice(baseUrl.length)]]
      : []
  );
  return Object.fromEntries(moved.toReversed());
}

/** Moves the endpoints to the addresses of the provider. What the provider lacks loses its endpoints and what they need. */
function placeFeature(feature: AnyFeature, endpoints: readonly ProviderEndpoint[]): AnyFeature {
  const { endpoints: usual = [], name, spec, settings, clientMembers, carries } = feature;
  const placed = usual.flatMap((endpoint) => placeEndpoint(endpoint, endpoints));
  const isMissing = placed.length === 0 && usual.some(({ metadataName }) => metadataName !== undefined);
  if (!isMissing) return { ...feature, endpoints: placed };
  return { name, spec, ...present({ settings, clientMembers, carries }) };
}

/** A secret that is a key is kept. */
function keepSecrets(feature: AnyFeature): AnyFeature {
  const { clientAuth = [] } = feature;
  const keep = (method: ClientAuthMethod) => sendsSecret(method.name) ? { ...method, keyOctets: 1 } : method;
  return clientAuth.length === 0 ? feature : { ...feature, clientAuth: clientAuth.map(keep) };
}

function placeEndpoint(endpoint: Endpoint, endpoints: readonly ProviderEndpoint[]): readonly Endpoint[] {
  const { name, path, wellKnown } = endpoint;
  if (pagePaths.includes(path)) return [endpoint];
  const places = endpoints.filter((each) =>
    each.is === name && !isApi(each) &&
    (each.is !== "metadata" || !wellKnown && (each.isUnannounced || each.url.endsWith(path)))
  );
  const { metadataName: _, ...unannounced } = endpoint;
  const announcedPlace = places.find(({ isUnannounced }) => !isUnannounced);
  return places.flatMap((place) => {
    const { url, accepts = [], wraps = (usual) => usual } = place;
    const isAnnounced = place === announcedPlace;
    const usual = place.shows === undefined ? endpoint.handle : showClaims(place);
    const handle = wraps(usual);
    const placed = isAnnounced
      ? { ...endpoint, url, handle }
      : { ...unannounced, path: new URL(url).pathname, url, handle };
    const methods = accepts.flatMap(({ method }) => method ?? []);
    return [placed, ...methods.map((method) => ({ ...unannounced, path: placed.path, url, method, handle }))];
  });
}

/** Whether the look-alike itself answers there, and not an endpoint of this server. */
function isApi({ shows, lists, answer, answersBy, isAnnounced }: ProviderEndpoint): boolean {
  return (shows ?? lists ?? answer ?? answersBy) !== undefined && !isAnnounced;
}

function createApi(endpoint: ProviderEndpoint, features: readonly AnyFeature[]): Endpoint {
  const { url, is, method = "GET", answersBy, lists } = endpoint;
  const { answer = lists === undefined ? showClaims(endpoint) : showLists(endpoint, lists) } = endpoint;
  return {
    method,
    name: is,
    path: new URL(url).pathname,
    url,
    refusal: "json",
    cors: true,
    handle: answersBy?.(findTokenEndpoint(features).handle) ?? answer,
  };
}

function findTokenEndpoint(features: readonly AnyFeature[]): Endpoint {
  return features.flatMap(({ endpoints = [] }) => endpoints).find(({ name }) => name === "token")!;
}

/** Answers with the claims of the provider. */
function showClaims(
  { shows, showsClient, scopes = [], ownScopes = [], names, isPublic }: ProviderEndpoint,
): Endpoint["handle"] {
  return async (exchange: Exchange, services: Services): Promise<Answer> => {
    // identify, validate
    const { issuer, people } = services.settings;
    const { request } = exchange;
    const findNamed = () => people.all.find((each) => names?.(each, request));
    if (isPublic && request.header("authorization") === undefined) {
      const named = findNamed();
      if (named === undefined) throw refusal("provider_person_unknown");
      return json(shows!(named, [], request, people.all) as object);
    }
    const { token, client, grant } = await requireAccessToken(exchange, { audience: issuer }, services);
    const own = grant === undefined ? showsClient?.(client.id, request, people.all) : undefined;
    if (own !== undefined) return json(own);
    const person = names === undefined ? grant?.person : findNamed();
    const isOwn = person !== undefined && person.subject === grant?.person.subject;
    const needed = isOwn ? [...scopes, ...ownScopes] : scopes;
    if (person === undefined && names === undefined) refuseScope(needed, token.scope);
    requireScope(needed, token.scope);
    if (person === undefined) throw refusal("provider_person_unknown");
    if (grant !== undefined) exchange.note({ subject: grant.person.subject });
    // respond
    const shown = shows!(person, token.scope, request, people.all);
    if (!isJsonObject(shown) || grant === undefined || !isOwn) return json(shown as object);
    const value = { token: "userinfo", claims: shown } as const;
    const { claims } = await passSeam(services.seams, "claims", value, exchange, grant.entry.value);
    return json(claims);
  };
}

/** One of the scopes suffices. */
function requireScope(needed: readonly string[], scope: readonly string[]): void {
  if (needed.length > 0 && !needed.some((each) => scope.includes(each))) refuseScope(needed, scope);
}

function refuseScope(needed: readonly string[], scope: readonly string[]): never {
  throw refusal("provider_scope_missing", {
    expected: needed.join(" or ") || "a token of a login",
    received: scope.join(" "),
  });
}

/** Answers about several people, also to the token of a client alone. */
function showLists(
  { scopes = [] }: ProviderEndpoint,
  lists: NonNullable<ProviderEndpoint["lists"]>,
): Endpoint["handle"] {
  return async (exchange: Exchange, services: Services): Promise<Answer> => {
    const { issuer, people } = services.settings;
    const { token, grant } = await requireAccessToken(exchange, { audience: issuer }, services);
    requireScope(scopes, token.scope);
    if (grant !== undefined) exchange.note({ subject: grant.person.subject });
    const shown = await lists(people.all, exchange, grant?.person);
    return json(shown ?? fail(refusal("provider_person_unknown")));
  };
}
