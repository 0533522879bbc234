/** Finds the public keys of another party: keys that are given, or those at a URL, which the server fetches and caches. */

import { isUsefulKey, type Jwk } from "../../../ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import { cacheLifetime } from "../../../ground/http/cache_lifetime.ts";
import type { Reach } from "../../../ground/http/outgoing_url.ts";
import { continueTrace } from "../requests/continue_trace.ts";
import type { OAuthError } from "../contracts/refusals.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";

export type KeySource = (GivenKeys | KeyAddress) & {
  /** The only algorithms that verify. Absent: all that fit a key. */
  readonly algorithms?: readonly SigningAlgorithm[];
};

interface GivenKeys {
  /** The same array each time, because a verifier prepares its keys once. */
  readonly keys: readonly Jwk[];
}

interface KeyAddress {
  readonly uri: string;
  readonly reach: Reach;
  /** Creates the error of a request whose keys the server cannot get. */
  refuse(problem: { readonly expected: string; readonly received: string }): OAuthError;
}

export interface KeyFinder {
  /** Returns the keys, from the cache or by a fetch. The array stays the same until the keys may have changed. */
  find(source: KeySource, exchange: Exchange, services: Services): Promise<readonly Jwk[]>;
  /** Fetches the keys again. `undefined`: they are given, or the server has fetched them just now. */
  findNewer(known: readonly Jwk[], source: KeySource, exchange: Exchange, services: Services): Promise<
    readonly Jwk[] | undefined
  >;
}

interface CachedKeys {
  readonly keys: readonly Jwk[];
  readonly expiresAt: number;
  /** When the server has fetched the keys before their end, because a JWT had an unknown key. */
  readonly earlyFetches: readonly number[];
}

// In octets.
const largestKeySet = 64 * 1024;
const mostCached = 500;
const lifetimes = { usual: 5 * 60, longest: 3600 };
// A party that sends wrong JWTs must not make the server fetch for each one.
const mostEarlyFetches = 5;
const earlyFetchWindow = 60;

/** Each finder, and so each process, has a cache of its own. The headers of the answer limit the time of an entry. */
export function createKeyFinder(): KeyFinder {
  const cache = new Map<string, CachedKeys>();

  async function load(
    source: KeyAddress,
    earlyFetches: readonly number[],
    exchange: Exchange,
    services: Services,
  ): Promise<readonly Jwk[]> {
    const { keys, lifetime } = await fetchKeys(source, exchange, services);
    const expiresAt = services.now() + lifetime;
    cache.delete(source.uri);
    cache.set(source.uri, { keys, expiresAt, earlyFetches });
    const [oldest] = cache.keys();
    if (cache.size > mostCached) cache.delete(oldest!);
    return keys;
  }

  return {
    async find(source, exchange, services) {
      if ("keys" in source) return source.keys;
      const cached = cache.get(source.uri);
      if (cached !== undefined && cached.expiresAt > services.now()) return cached.keys;
      return await load(source, cached?.earlyFetches ?? [], exchange, services);
    },
    async findNewer(known, source, exchange, services) {
      if ("keys" in source) return undefined;
      const cached = cache.get(source.uri);
      if (cached === undefined) return undefined;
      // Another request has fetched the keys meanwhile.
      if (cached.keys !== known) return cached.keys;
      const now = services.now();
      const recent = cached.earlyFetches.filter((at) => at > now - earlyFetchWindow && at <= now);
      if (recent.length >= mostEarlyFetches) return undefined;
      return await load(source, [...recent, now], exchange, services);
    },
  };
}

async function fetchKeys(
  { uri, reach, refuse }: KeyAddress,
  exchange: Exchange,
  services: Services,
): Promise<{ readonly keys: readonly Jwk[]; readonly lifetime: number }> {
  const options = { reach, largest: largestKeySet, ...continueTrace(exchange, services) };
  const fetched = await services.fetch.getJson(uri, options);
  if ("failure" in fetched) {
    throw refuse({ expected: `${fetched.expected}, at the jwks_uri ${uri}`, received: fetched.observed });
  }
  const keys = readKeySet(fetched.value);
  if (keys === undefined) {
    throw refuse({
      expected: `a JWK Set of public keys (RFC 7517 §5), at the jwks_uri ${uri}`,
      received: "another document, or a private key",
    });
  }
  return { keys, lifetime: cacheLifetime(fetched.header, lifetimes) };
}

/** Returns the keys that can verify or encrypt. RFC 7517 §5: keys of other kinds are ignored. `undefined`: no set of public keys. */
function readKeySet(value: unknown): readonly Jwk[] | undefined {
  const keys: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "keys") : undefined;
  if (!Array.isArray(keys)) return undefined;
  const objects = keys.filter((each): each is Jwk => typeof each === "object" && each !== null);
  // A published private key is known to everyone.
  if (objects.some(({ d, k }) => d !== undefined || k !== undefined)) return undefined;
  return objects.filter(isUsefulKey);
}
