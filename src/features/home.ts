/** The front page, and the link that starts a flow of this server's own. */

import type { Answer } from "../http/message.ts";
import { page, redirect } from "../http/respond.ts";
import { type Client, findClient, methodOf, summariseClient } from "../oauth/client.ts";
import { fail } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import { createStartRequest, findOfferedStartUrl } from "../oauth/own_flow.ts";
import type { HomeProps } from "../oauth/pages.ts";
import { readQuery, requireParam } from "../oauth/params.ts";
import { paths } from "../oauth/paths.ts";
import { summarisePerson } from "../oauth/people.ts";
import { endpointUrls } from "../oauth/server_metadata.ts";
import type { Services } from "../oauth/services.ts";
import { findAccounts, openBrowser, withBrowser } from "../oauth/session.ts";

export type HomeReason = "client_ends_elsewhere";

export function home(): Feature {
  return {
    name: "home",
    spec: "Postern",
    endpoints: [
      { method: "GET", path: paths.home, refusal: "page", handle: showHome },
      { method: "GET", path: paths.start, refusal: "page", handle: start },
    ],
  };
}

async function showHome(exchange: Exchange, services: Services): Promise<Answer> {
  const { settings, slots, pages } = services;
  const { issuer, automaticPerson } = settings;
  const accounts = await findAccounts(exchange, services);
  const metadataPath = findMetadataPath(services);
  return page(
    await pages.home({
      issuer,
      clients: (await listClients(services)).map((client) => describeClient(client, services)),
      people: settings.people.all.map(summarisePerson),
      acceptsFirstUse: slots.clientSources.some((source) => source.propose !== undefined),
      endpoints: [...endpointUrls(services)].map(([name, url]) => ({ name, url })),
      ...(metadataPath === undefined
        ? {}
        : { metadata: { href: metadataPath, url: new URL(metadataPath, issuer).href } }),
      ...(accounts.length === 0 ? {} : {
        signedIn: {
          people: accounts.map(({ person }) => summarisePerson(person)),
          signOutUrl: settings.basePath + paths.logout,
        },
      }),
      ...(automaticPerson === undefined ? {} : { automaticPerson }),
    }),
  );
}

/** In the order in which they are offered: the first is what every OpenID client makes of the issuer by itself. */
const metadataPaths = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

function findMetadataPath({ settings: { basePath }, slots }: Services): string | undefined {
  for (const path of metadataPaths) {
    const places = slots.endpoints.filter((endpoint) => endpoint.path === path);
    if (places.some(({ wellKnown }) => !wellKnown)) return basePath + path;
    if (places.length > 0) return path + basePath;
  }
  return undefined;
}

// A page, not a report: enough for whoever tries a few clients.
const mostListed = 50;

async function listClients(services: Services): Promise<readonly Client[]> {
  const clients = [...services.settings.clients.values()];
  for (const source of services.slots.clientSources) {
    for await (const client of source.list?.(services) ?? []) {
      if (clients.length >= mostListed) return clients;
      clients.push(client);
    }
  }
  return clients;
}

function describeClient(client: Client, services: Services): HomeProps["clients"][number] {
  const startUrl = findOfferedStartUrl(client, services);
  return {
    ...summariseClient(client),
    authentication: methodOf(client),
    redirectUris: client.redirectUris,
    ...(startUrl === undefined ? {} : { startUrl }),
    ...(client.demoSecret === undefined ? {} : { demoSecret: client.demoSecret }),
  };
}

async function start(exchange: Exchange, services: Services): Promise<Answer> {
  const id = requireParam(readQuery(exchange), "client_id");
  const client = await findClient(id, services);
  if (client === undefined || findOfferedStartUrl(client, services) === undefined) {
    fail<HomeReason>("invalid_request", "No flow of this client ends on this server's own page", {
      reason: "client_ends_elsewhere",
      expected: "a client whose redirect_uris hold this server's own /authorized",
      received: id,
    });
  }
  const browser = openBrowser(exchange, services);
  return withBrowser(redirect(createStartRequest(client, browser, services)), browser);
}
