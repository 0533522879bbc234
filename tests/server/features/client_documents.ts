/** A world with client documents: a host whose answers a test changes, and a client with a document there. */

import type { ClientMetadata } from "../../../src/mod.ts";
import {
  callbackParams,
  inWorld,
  type Params,
  type World,
  worldDefaults,
  type WorldOptions,
} from "../../world.ts";

export const clientId = "https://client.example/oauth/client.json";
export const redirectUri = "https://client.example/cb";

export type DocumentMembers = Readonly<Record<string, unknown>>;

/** The document of the client, with some members changed. `undefined` leaves one out. */
export function documentOf(changed: DocumentMembers = {}): DocumentMembers {
  return { client_id: clientId, client_name: "Client", redirect_uris: [redirectUri], ...changed };
}

/** Answers the server's requests for documents. */
export interface DocumentHost {
  answer: (url: string) => Response;
  readonly urls: string[];
}

export function createHost(document: DocumentMembers = documentOf()): DocumentHost {
  return { urls: [], answer: () => Response.json(document) };
}

export function fetchFrom(host: DocumentHost): (url: string | Request) => Promise<Response> {
  return (url) => {
    host.urls.push(String(url));
    return new Promise((resolve) => resolve(host.answer(String(url))));
  };
}

/** A world without configured clients, in which `host` answers. The person is signed in automatically. */
export async function withDocuments(
  work: (given: { readonly world: World; readonly host: DocumentHost }) => Promise<void>,
  options: WorldOptions = {},
  host: DocumentHost = createHost(),
): Promise<void> {
  const clients: readonly ClientMetadata[] = [];
  const defaults = { ...worldDefaults, clients, fetch: fetchFrom(host) };
  await inWorld(options, (world) => work({ world, host }), defaults);
}

/** Such a world, in which the host answers each request with this document. */
export function withDocument(
  document: DocumentMembers,
  work: (world: World) => Promise<void>,
  options: WorldOptions = {},
): Promise<void> {
  return withDocuments(({ world }) => work(world), options, createHost(document));
}

export const usual: Params = { client_id: clientId, redirect_uri: redirectUri };

/** A request of the client, changed, and its outcome: a code, an error for the client, or a reason on a page. */
export async function outcomeOf(
  world: World,
  changed: Params = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await world.get(world.authorizeUrl({ ...usual, ...changed }), headers);
  if (response.headers.has("location")) {
    const params = callbackParams(response);
    return params.has("code") ? "code" : params.get("error") ?? "another redirect";
  }
  const body = await response.text();
  if (response.status === 200 && body.includes('id="approve"')) return "consent page";
  return `${response.status} ${world.lastRefusal()?.reason}`;
}

/** A whole flow of the client. Returns the token response. */
export async function tokensOf(world: World): Promise<DocumentMembers> {
  const code = await world.code(usual);
  const response = await world.redeem(code, usual);
  return { status: response.status, ...await response.json() };
}
