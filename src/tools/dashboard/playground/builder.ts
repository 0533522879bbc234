/** The part of the playground that builds a request: reads the form, and describes the request and its outcome. */

import { deviceGrantType } from "../../../server/client/device_flow.ts";
import { createStartOptions } from "../../../server/client/flow.ts";
import { writeCopies } from "../../../server/client/write_request.ts";
import { createRandomBytes } from "../../../ground/crypto/bytes.ts";
import { type Answer, withCookie } from "../../../ground/http/message.ts";
import { redirect } from "../../../ground/http/respond.ts";
import {
  findFirstClient,
  findFlowEnd,
  listSampleScope,
} from "../../../server/oauth/authorization/sample_flow.ts";
import { type Client, methodOf } from "../../../server/oauth/contracts/client.ts";
import { findClient, findPollingCandidate } from "../../../server/oauth/clients/records/find_client.ts";
import { type Browser, openBrowser } from "../../../server/oauth/people/browser.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { type FieldProps, playgroundPage, type PlaygroundProps } from "./playground_page.tsx";
import { filterHref } from "../addresses.ts";
import { listKnownClients } from "../known_clients.ts";
import type { PageCall } from "../page.ts";
import { buildRequest, createPkcePair, type Values } from "./build_request.ts";
import { checkRequest } from "./check_request.ts";
import { formatAddress, formatShare, hasSecret, longestAddress, valuesOfLogin } from "./form_address.ts";
import { type Field, listRequestKinds, type RequestKind } from "./request_kinds.ts";
import { present } from "../../../ground/values/present.ts";

// In characters.
const longestValue = 32_000;

// A server may have hundreds of clients.
const mostSuggested = 50;

export async function answerBuilder(call: PageCall): Promise<Answer> {
  const { request, query, form, forms, pathOf, watched: { services } } = call;
  const isPost = request.method === "POST";
  if (isPost) forms.requireToken(form, request.address.path);
  const sent = isPost ? form : query;
  const kinds = listRequestKinds(services);
  const kind = kinds.find(({ id }) => id === sent.get("kind")) ?? kinds[0]!;
  const browser = openBrowser({ request }, withOwnRandom(services));
  if (isPost) {
    const values = readValues(kind, sent);
    const address = formatAddress(kind, values, pathOf("playground"));
    if (!hasSecret(kind, values) && address.length <= longestAddress) return redirect(`${address}#outcome`);
    return await show(call, browser, kinds, kind, values);
  }
  // An address has no secrets, because browsers and people keep addresses.
  const values = readValues({ fields: kind.fields.filter(({ isSecret }) => !isSecret) }, sent);
  const fresh = withFresh(values, query.get("fresh") ?? "", browser, services);
  return await show(call, browser, kinds, kind, await withDefaults(kind, fresh, browser, services));
}

function readValues({ fields }: Pick<RequestKind, "fields">, sent: URLSearchParams): Values {
  return new Map(
    fields.flatMap(({ name, role, known }) => {
      const value = sent.get(name);
      if (value === null) return [];
      const isChosen = role !== "choice" || known === undefined || known.includes(value);
      return [[name, isChosen ? value.slice(0, longestValue) : known[0]!] as const];
    }),
  );
}

/** Adds new values for the names that a shared link lists. */
function withFresh(values: Values, names: string, browser: Browser, services: Services): Values {
  if (names === "") return values;
  const listed = new Set(names.split(" "));
  const { state, nonce = "" } = createStartOptions("", browser, withOwnRandom(services).random);
  const fresh = { state, nonce };
  return new Map([
    ...values,
    ...valuesOfLogin.filter((name) => listed.has(name)).map((name) => [name, fresh[name]] as const),
  ]);
}

/** Fills in a form that the person has not begun, or of which only the client is known. */
async function withDefaults(
  kind: RequestKind,
  values: Values,
  browser: Browser,
  services: Services,
): Promise<Values> {
  const begun = [...values.keys()].filter((name) => name !== "client_id");
  if (begun.length > 0) return values;
  const id = values.get("client_id");
  const client = id === undefined ? await findUsualClient(kind, services) : await findClient(id, services);
  const { slots } = services;
  const redirectUri = client && findFlowEnd(client, services);
  const scope = client && listSampleScope(client, services);
  const { state, nonce } = createStartOptions(redirectUri ?? "", browser, withOwnRandom(services).random);
  const usual: Readonly<Record<string, string | undefined>> = {
    client_id: id ?? client?.id,
    redirect_uri: redirectUri,
    response_type: slots.responseTypes.keys().next().value,
    scope: scope?.join(" "),
    state,
    nonce: scope?.includes("openid") ? nonce : undefined,
    client_authentication: client && methodOf(client),
    client_secret: client?.demoSecret,
    metadata: JSON.stringify(
      { client_name: "My application", redirect_uris: ["http://localhost:3000/callback"] },
      null,
      2,
    ),
  };
  const names = kind.fields.map(({ name }) => name).filter((name) => isFilledIn(name, kind));
  return new Map(names.flatMap((name) => usual[name] === undefined ? [] : [[name, usual[name]]]));
}

/** Returns the first client that may send the request. An unknown device is a client of first use, if that is on. */
async function findUsualClient(
  { endpoint, grantType }: RequestKind,
  services: Services,
): Promise<Client | undefined> {
  const grant = endpoint === "device_authorization" ? deviceGrantType : grantType;
  const first = findFirstClient(services);
  if (grant === undefined || first?.grantTypes.includes(grant)) return first;
  const { settings: { clients } } = services;
  const known = [...clients.values()].find(({ grantTypes }) => grantTypes.includes(grant));
  const device = known === undefined && grant === deviceGrantType
    ? await findPollingCandidate("my-device", deviceGrantType, services)
    : known;
  return device ?? first;
}

/** A refresh gets the same scope without the parameter, and a client for itself all its scopes. */
function isFilledIn(name: string, { grantType, endpoint }: RequestKind): boolean {
  if (name === "scope") return grantType === undefined;
  return endpoint !== "logout" || name === "client_id";
}

/** The random octets of the server may be seeded, so a page that changes nothing must not draw any. */
function withOwnRandom(services: Services): Services {
  return { ...services, random: createRandomBytes() };
}

async function show(
  call: PageCall,
  browser: Browser,
  kinds: readonly RequestKind[],
  kind: RequestKind,
  values: Values,
): Promise<Answer> {
  const { request, rehearse, watched: { services } } = call;
  const makesPair = kind.fields.some(({ name }) => name === "pkce") &&
    (values.get("pkce") ?? "page") === "page";
  const pair = makesPair ? createPkcePair(browser, values.get("state") ?? "") : undefined;
  const built = buildRequest(kind, values, pair);
  const check = await checkRequest(built, { cookie: request.header("cookie"), rehearse, services });
  const clients = await listKnownClients(services);
  const props: PlaygroundProps = {
    ...describeAddresses(kind, values, call),
    kinds: kinds.map((each) => ({
      ...each,
      href: `${call.pathOf("playground")}?${new URLSearchParams({ kind: each.id })}`,
    })),
    kind,
    fields: kind.fields.map((field) => describeField(field, values, clients, services)),
    request: { ...built, copies: writeCopies(built) },
    check,
    ...present({ pair }),
  };
  return withCookie(call.show(playgroundPage(props)), browser.setCookie);
}

function describeAddresses(kind: RequestKind, values: Values, call: PageCall) {
  const { forms, pathOf, watched: { services: { settings } } } = call;
  const action = pathOf("playground");
  return {
    form: forms.target(action),
    sentUrl: pathOf("playground", "/sent"),
    authorizePath: settings.basePath + settings.paths.authorize,
    shareUrl: new URL(formatShare(kind, values, action), settings.issuer).href,
    inspectorUrl: filterHref(`endpoint:${kind.endpoint}`, call),
    read: forms.target(pathOf("playground", "/read")),
    sections: { build: action, read: pathOf("playground", "/read") },
  };
}

function describeField(
  field: Field,
  values: Values,
  clients: readonly Client[],
  { settings: { scopes } }: Services,
): FieldProps {
  const { name, known } = field;
  const client = clients.find(({ id }) => id === values.get("client_id"));
  const suggested = name === "client_id"
    ? clients.map(({ id }) => id)
    : name === "redirect_uri"
    ? client?.redirectUris
    : known;
  return {
    ...field,
    value: values.get(name) ?? "",
    known: (suggested ?? []).slice(0, mostSuggested),
    takesOthers: name === "scope" && scopes.size === 0,
  };
}
