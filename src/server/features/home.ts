/** The front page, and the links that start a flow. */

import { authorizationParams, createStartOptions, type StartOptions } from "../client/flow.ts";
import { formatParams, type Pair } from "../../ground/http/form.ts";
import { type Answer, withCookie } from "../../ground/http/message.ts";
import { page, redirect } from "../../ground/http/respond.ts";
import { findRequiredSources } from "../oauth/authorization/require_authorization_request.ts";
import {
  findFlowBlocker,
  findFlowEnd,
  listSampleScope,
  startUrlOf,
} from "../oauth/authorization/sample_flow.ts";
import { type Client, methodOf } from "../oauth/contracts/client.ts";
import { acceptsUnknownClients, listAllClients } from "../oauth/clients/records/find_client.ts";
import { matchesRedirectUri } from "../oauth/clients/metadata/redirect_uri.ts";
import { summariseClient } from "../oauth/clients/records/summarise_client.ts";
import { callbackUri, endpointUrls } from "../oauth/requests/server_urls.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { HomeConfiguration, HomeProps } from "../oauth/contracts/pages.ts";
import { paths } from "../oauth/contracts/paths.ts";
import { type Params, readQuery } from "../oauth/contracts/params.ts";
import { openBrowser } from "../oauth/people/browser.ts";
import { findAccounts } from "../oauth/people/find_session.ts";
import { summarisePerson } from "../oauth/contracts/people.ts";
import { OAuthError, type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { refusalPage } from "../oauth/requests/refuse.ts";
import type { Feature, Services } from "../oauth/contracts/feature.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import { present } from "../../ground/values/present.ts";
import { identifyClient } from "../oauth/authorization/require_redirect_target.ts";

// In characters. Many programs read at most 16 KB of headers (Node, nginx), and the address is one of them.
const longestStart = 8_000;

const refusal = refusals({ error: "invalid_request" }, {
  client_cannot_start: {
    sentence: "People cannot sign in to this client, so no flow of it can start",
    expected: "a client with authorization_code among its grant_types, and redirect_uris",
    change:
      "Use a client with redirect_uris that may use authorization_code, or start the login in the application.",
  },
  start_too_long: {
    sentence: "The link contains too much to start a flow",
    expected: `an authorization request of at most ${longestStart} characters`,
    change: "Shorten the link: leave out parameters, or shorten their values.",
  },
  client_starts_itself: {
    reason: "client_cannot_start",
    spec: "RFC 9126 §6, RFC 9101 §10.5",
    sentence: "A link cannot start a flow of this client: start it in the application",
    expected: "a {kind}, which only the client itself can send",
    change:
      "Use a client with redirect_uris that may use authorization_code, or start the login in the application.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function home(): Feature {
  return {
    name: "home",
    spec: "Postern",
    endpoints: [
      { method: "GET", path: paths.home, refusal: "page", handle: showHome },
      { method: "GET", path: paths.start, refusal: "page", handle: startFlow },
    ],
  };
}

async function showHome(exchange: Exchange, services: Services): Promise<Answer> {
  const { settings, pages } = services;
  const { issuer } = settings;
  const accounts = await findAccounts(exchange, services);
  const form = new URLSearchParams(exchange.request.address.query).get("settings");
  return page(
    await pages.home({
      issuer,
      ...present({
        configuration: settings.frontPage === "full" ? await describeConfiguration(services) : undefined,
      }),
      endpoints: [...endpointUrls(services)].map(([name, url]) => ({ name, url })),
      ...findMetadata(services),
      ...present({
        settings: form ?? undefined,
        signedIn: accounts.length === 0 ? undefined : {
          people: accounts.map(({ person }) => summarisePerson(person)),
          signOutUrl: settings.basePath + settings.paths.logout,
        },
      }),
    }),
  );
}

async function describeConfiguration(services: Services): Promise<HomeConfiguration> {
  const { settings: { people, automaticPerson }, slots } = services;
  return {
    clients: (await listAllClients(mostListed, services)).map((client) => describeClient(client, services)),
    people: people.all.map(summarisePerson),
    acceptsFirstUse: acceptsUnknownClients(slots) && (slots.acceptsPublicClients ? "apps" : true),
    ...present({ automaticPerson }),
  };
}

/** The front page shows the first of these that the server has. OpenID clients use the first path by default. */
const metadataPaths = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

function findMetadata({ settings: { issuer, basePath }, slots }: Services): Pick<HomeProps, "metadata"> {
  for (const path of metadataPaths) {
    const endpoints = slots.endpoints.filter((endpoint) => endpoint.path === path);
    if (endpoints.length === 0) continue;
    const href = endpoints.every(({ wellKnown }) => wellKnown) ? path + basePath : basePath + path;
    return { metadata: { href, url: new URL(href, issuer).href } };
  }
  return {};
}

const mostListed = 50;

function describeClient(client: Client, services: Services): HomeConfiguration["clients"][number] {
  const { settings } = services;
  const endsAt = findFlowEnd(client, services);
  const required = findRequiredSources(client, services).map(({ name }) => name);
  return {
    ...summariseClient(client),
    authentication: methodOf(client),
    redirectUris: client.redirectUris,
    ...present({
      firstUse: client.unregistered || undefined,
      start: endsAt === undefined
        ? undefined
        : { url: startUrlOf(client, settings), endsAt, endsHere: endsAt === callbackUri(settings) },
      cannotStart: required.length === 0 && endsAt === undefined ? findFlowBlocker(client) : undefined,
      requestsAs: required.length === 0 ? undefined : required,
      demoSecret: client.demoSecret,
    }),
  };
}

/** Starts a flow. A link without a client leads to the list of clients. One whose client has no flow gets those that have one. */
async function startFlow(exchange: Exchange, services: Services): Promise<Answer> {
  return await redirectToFlow(exchange, services).catch(async (error) => {
    const isAboutClient = error instanceof OAuthError && error.details.reason !== "start_too_long";
    if (!isAboutClient || services.settings.frontPage !== "full") throw error;
    const clients = (await describeConfiguration(services)).clients.filter(({ start }) =>
      start !== undefined
    );
    if (clients.length === 0) throw error;
    if (error.details.reason !== "client_id_missing") {
      return await refusalPage(error, exchange, services, { clients });
    }
    return redirect(
      await services.pages.clientsUrl() ?? `${services.settings.basePath}${paths.home}#clients`,
    );
  });
}

/** Redirects the browser to a new authorization request. The query names the client or one of its redirect URIs. */
async function redirectToFlow(exchange: Exchange, services: Services): Promise<Answer> {
  const { settings } = services;
  const query = readQuery(exchange);
  const client = findClientAt(query, settings) ?? await identifyClient(query, exchange, services);
  requireStartable(client, services);
  const redirectUri = query.get("redirect_uri") ?? findFlowEnd(client, services);
  if (redirectUri === undefined) throw refusal("client_cannot_start", { received: client.id });
  const state = query.get("state");
  const challenge = query.get("code_challenge");
  // A caller that sends its own state and challenge also has its own code_verifier.
  if (state !== undefined && challenge !== undefined) {
    return redirectToStart(client, { redirectUri, state, challenge }, listKept(query, targetNames), services);
  }
  const browser = openBrowser(exchange, services);
  const options = createStartOptions(redirectUri, browser, services.random);
  const kept = listKept(query, [...targetNames, ...proofNames]);
  return withCookie(redirectToStart(client, options, kept, services), browser.setCookie);
}

const targetNames: readonly string[] = ["client_id", "redirect_uri"];

/** The callback page compares and derives these values, so it knows only its own. */
const proofNames: readonly string[] = ["state", "nonce", "code_challenge", "code_challenge_method"];

function listKept({ pairs }: Params, replaced: readonly string[]): readonly Pair[] {
  return pairs.filter(([name, value]) => value !== "" && !replaced.includes(name));
}

/** Repeats what the link contains, so the link must be short. `kept`: its parameters, which replace the usual ones. */
function redirectToStart(
  client: Client,
  { nonce, ...options }: StartOptions,
  kept: readonly Pair[],
  services: Services,
): Answer {
  const { baseUrl, paths: { authorize } } = services.settings;
  const scope = kept.find(([name]) => name === "scope")?.[1] ?? listSampleScope(client, services).join(" ");
  const params = authorizationParams({
    clientId: client.id,
    scope,
    ...options,
    resources: [],
    more: scope.split(" ").includes("openid") ? { nonce } : {},
  });
  const usual = params.filter(([name]) => !kept.some(([each]) => each === name));
  const url = `${baseUrl}${authorize}?${formatParams([...usual, ...kept])}`;
  if (url.length <= longestStart) return redirect(url);
  throw refusal("start_too_long");
}

/** A link cannot push or sign a request, because only the client has its credentials and keys. */
function requireStartable(client: Client, services: Services): void {
  const required = findRequiredSources(client, services);
  if (required.length === 0) return;
  throw refusal("client_starts_itself", {
    spec: required.map(({ requiredBy }) => requiredBy.spec).join(", "),
    kind: required.map(({ name }) => name).join(" and a "),
    received: client.id,
  });
}

function findClientAt(query: Params, { clients }: Settings): Client | undefined {
  const requested = query.get("redirect_uri");
  if (query.get("client_id") !== undefined || requested === undefined) return undefined;
  return [...clients.values()].find(({ redirectUris }) =>
    redirectUris.some((registered) => matchesRedirectUri(registered, requested))
  );
}
