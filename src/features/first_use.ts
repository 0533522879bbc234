/** First use: a client id that nobody configured becomes a client when somebody approves it, and is then held to it. */

import type { Entry, Kind } from "../store/store.ts";
import type { Client, ClientAuthentication } from "../oauth/client.ts";
import { clientRemedy } from "../oauth/client.ts";
import { fail } from "../oauth/error.ts";
import type { Feature } from "../oauth/feature.ts";
import { createId } from "../oauth/credential.ts";
import {
  isLoopbackUri,
  isReservedForTests,
  matchesRedirectUri,
  unfitForAnswers,
} from "../oauth/redirect_uri.ts";
import type { Services } from "../oauth/services.ts";

export type FirstUseReason = "first_use_taken" | "redirect_uri_unfit";

const clients: Kind<Client> = { name: "client" };

// Long enough for any trial, and nobody's leftovers stay for ever.
const kept = 30 * 24 * 3600;

export function firstUse(): Feature {
  return {
    name: "first_use",
    spec: "Postern",
    clientSources: [{
      expects: "a configured client, or a first-use client: any client_id with a loopback redirect_uri",
      async find(id, services) {
        return (await load(id, services))?.value;
      },
      list,
      propose,
      adopt,
      settle,
    }],
  };
}

async function load(id: string, { store, now }: Services): Promise<Entry<Client> | undefined> {
  return await store.get(clients, id, now());
}

async function* list({ store, now }: Services): AsyncIterable<Client> {
  for await (const { value, expiresAt } of store.list?.(clients) ?? []) {
    if (expiresAt > now()) yield value;
  }
}

function propose(id: string, redirectUri: string | undefined, services: Services): Client | undefined {
  const { slots, settings, random } = services;
  if (redirectUri === undefined || !/^[\x20-\x7e]{1,200}$/.test(id) || id.trim() === "") return undefined;
  // RFC 9068 §5: a client that acts for itself must not be taken for a person.
  if (settings.people.findBySubject(id) !== undefined) return undefined;
  const reachesNobodyElse = isLoopbackUri(redirectUri) ||
    settings.reservedForTests && isReservedForTests(redirectUri);
  if (!reachesNobodyElse) return undefined;
  const expected = unfitForAnswers(redirectUri);
  if (expected !== undefined) {
    fail<FirstUseReason>("invalid_request", "A client cannot have this redirect URI", {
      reason: "redirect_uri_unfit",
      spec: "OAuth 2.1 §2.3",
      expected: `the redirect_uri ${expected}`,
      received: redirectUri,
    });
  }
  return {
    id,
    redirectUris: [redirectUri],
    grantTypes: [...slots.grantTypes.keys()],
    responseTypes: [...slots.responseTypes.keys()],
    requirePkce: true,
    assertsToEndpoint: false,
    postLogoutRedirectUris: [],
    serves: [],
    origin: "first_use",
    epoch: createId(random),
  };
}

async function adopt(client: Client, services: Services): Promise<Client> {
  const { store, now } = services;
  const terms = { expiresAt: Math.ceil(now()) + kept, now: now(), if: null };
  if (await store.put(clients, client.id, client, terms) !== undefined) return client;
  const held = (await load(client.id, services))?.value;
  const [redirectUri] = client.redirectUris;
  if (held?.redirectUris.some((registered) => matchesRedirectUri(registered, redirectUri!))) return held;
  return fail<FirstUseReason>("invalid_request", "Another use of this client id was approved first", {
    reason: "first_use_taken",
    ...(held === undefined ? {} : {
      expected: held.redirectUris.join(" "),
      remedy: clientRemedy(held, { redirect_uris: [...held.redirectUris, redirectUri!] }),
    }),
    received: redirectUri!,
  });
}

async function settle(
  client: Client,
  authentication: ClientAuthentication,
  services: Services,
): Promise<boolean> {
  const { store, now } = services;
  const entry = await load(client.id, services);
  if (entry === undefined || entry.value.epoch !== client.epoch || entry.value.authentication !== undefined) {
    return false;
  }
  const version = await store.put(clients, client.id, { ...entry.value, authentication }, {
    expiresAt: entry.expiresAt,
    now: now(),
    if: entry.version,
  });
  return version !== undefined;
}
