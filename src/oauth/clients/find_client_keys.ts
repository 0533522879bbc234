/** Finds the public keys of a client: in its metadata, or at its jwks_uri, which the server fetches and caches. */

import { continueTrace } from "../continue_trace.ts";
import { isVerifyingKey, type Jwk } from "../../crypto/jwk.ts";
import { cacheLifetime } from "../../http/cache_lifetime.ts";
import type { Exchange } from "../exchange.ts";
import { type RefusalRows, refusals } from "../refusals.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { jwksUriMember, keysIn } from "./client_keys.ts";
import { memberOf } from "./client_member.ts";
import { reachOf } from "./reach.ts";

const refusal = refusals({
  client_keys_unavailable: {
    error: "invalid_client",
    spec: "RFC 7591 §2",
    sentence: "The server cannot get the keys of this client",
    expected: "a JWK Set of public keys at the client's jwks_uri",
    change: "Publish the client's public keys at its jwks_uri, as a JWK Set.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Keys of a client. The object stays the same until the keys may have changed. */
export interface ClientKeys {
  readonly keys: readonly Jwk[];
}

export interface ClientKeyFinder {
  /** Returns the keys of the client, from its metadata, the cache, or its jwks_uri. Refuses if the fetch fails. */
  find(client: Client, exchange: Exchange, services: Services): Promise<ClientKeys>;
  /** Fetches the jwks_uri again. `undefined`: the client has none, or the server has fetched it just now. */
  findNewer(known: ClientKeys, client: Client, exchange: Exchange, services: Services): Promise<
    ClientKeys | undefined
  >;
}

interface CachedKeys extends ClientKeys {
  readonly expiresAt: number;
  /** When the server has fetched the keys before their end, because a JWT had an unknown key. */
  readonly earlyFetches: readonly number[];
}

// In octets.
const largestKeySet = 64 * 1024;
const mostCached = 500;
const lifetimes = { usual: 5 * 60, longest: 3600 };
// A client that sends wrong JWTs must not make the server fetch for each one.
const mostEarlyFetches = 5;
const earlyFetchWindow = 60;

/**
 * Each finder has a cache of its own, so each process fetches for itself. The client allows this time by the headers of
 * its answer, and a JWT with an unknown key ends it.
 */
export function createClientKeyFinder(): ClientKeyFinder {
  const inMetadata = new WeakMap<Client, ClientKeys>();
  const cache = new Map<string, CachedKeys>();

  async function load(
    uri: string,
    earlyFetches: readonly number[],
    client: Client,
    exchange: Exchange,
    services: Services,
  ): Promise<ClientKeys> {
    const fetched = await fetchKeys(uri, client, exchange, services);
    const expiresAt = services.now() + fetched.lifetime;
    const keys: CachedKeys = { keys: fetched.keys, expiresAt, earlyFetches };
    cache.delete(uri);
    cache.set(uri, keys);
    const [oldest] = cache.keys();
    if (cache.size > mostCached) cache.delete(oldest!);
    return keys;
  }

  return {
    async find(client, exchange, services) {
      const uri = memberOf(client, jwksUriMember);
      if (uri === undefined) {
        const known = inMetadata.get(client) ?? { keys: keysIn(client) };
        inMetadata.set(client, known);
        return known;
      }
      const cached = cache.get(uri);
      if (cached !== undefined && cached.expiresAt > services.now()) return cached;
      return await load(uri, cached?.earlyFetches ?? [], client, exchange, services);
    },
    async findNewer(known, client, exchange, services) {
      const uri = memberOf(client, jwksUriMember);
      const cached = uri === undefined ? undefined : cache.get(uri);
      if (uri === undefined || cached === undefined) return undefined;
      // Another request has fetched the keys meanwhile.
      if (cached !== known) return cached;
      const now = services.now();
      const recent = cached.earlyFetches.filter((at) => at > now - earlyFetchWindow && at <= now);
      if (recent.length >= mostEarlyFetches) return undefined;
      return await load(uri, [...recent, now], client, exchange, services);
    },
  };
}

async function fetchKeys(
  uri: string,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<ClientKeys & { readonly lifetime: number }> {
  const terms = {
    reach: reachOf(client, exchange, services),
    largest: largestKeySet,
    ...continueTrace(exchange, services),
  };
  const fetched = await services.fetch.getJson(uri, terms);
  if ("failure" in fetched) return refuseKeys(uri, fetched.expected, fetched.observed);
  const keys = readKeySet(fetched.value);
  if (keys === undefined) {
    return refuseKeys(uri, "a JWK Set of public keys (RFC 7517 §5)", "another document, or a private key");
  }
  return { keys, lifetime: cacheLifetime(fetched.header, lifetimes) };
}

/** Returns the keys that can verify. RFC 7517 §5: keys of other kinds are ignored. `undefined`: no set of public keys. */
function readKeySet(value: unknown): readonly Jwk[] | undefined {
  const keys: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "keys") : undefined;
  if (!Array.isArray(keys)) return undefined;
  const objects = keys.filter((each): each is Jwk => typeof each === "object" && each !== null);
  // A published private key is known to everyone.
  if (objects.some(({ d, k }) => d !== undefined || k !== undefined)) return undefined;
  return objects.filter(isVerifyingKey);
}

function refuseKeys(uri: string, expected: string, received: string): never {
  throw refusal("client_keys_unavailable", { expected: `${expected}, at the jwks_uri ${uri}`, received });
}
