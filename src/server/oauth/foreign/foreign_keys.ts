/** Finds the public keys of another party: keys that are given, or those at a URL, which the server fetches and caches. */

import { isUsefulKey, isVerifyingKey, type Jwk, publicKeyText } from "../../../ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import { cacheLifetime } from "../../../ground/http/cache_lifetime.ts";
import type { Reach } from "../../../ground/http/outgoing_url.ts";
import { continueTrace } from "../requests/continue_trace.ts";
import type { OAuthError } from "../contracts/refusals.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import { requireEach } from "../options/set_up_mistake.ts";

/** The schema of a JWK Set that the configuration has for another party. */
export const keySetSchema: Schema = {
  type: "object",
  required: ["keys"],
  properties: { keys: { type: "array", minItems: 1, items: { type: "object" } } },
};

/** Refuses the configuration if one of these keys cannot verify. `list` is the place of the keys. */
export function requireVerifyingKeys(list: string, keys: readonly Jwk[]): void {
  requireEach(list, keys, (jwk) => isVerifyingKey(jwk) ? undefined : `must be ${publicKeyText}`);
}

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

/**
 * Tries the keys, from the cache or by a fetch. If the attempt finds nothing, the other party may have replaced its keys:
 * it is repeated with newer ones. The array stays the same until the keys may have changed.
 */
export type TryKeys = <Found>(
  attempt: (keys: readonly Jwk[]) => Found | undefined | Promise<Found | undefined>,
  source: KeySource,
  exchange: Exchange,
  services: Services,
) => Promise<Found | undefined>;

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

/** Each result, and so each process, has a cache of its own. The headers of the answer limit the time of an entry. */
export function createKeyCache(): TryKeys {
  const cache = new Map<string, CachedKeys>();
  return async (attempt, source, exchange, services) => {
    if ("keys" in source) return await attempt(source.keys);
    const load = async (earlyFetches: readonly number[]) => {
      const { keys, lifetime } = await fetchKeys(source, exchange, services);
      const expiresAt = services.now() + lifetime;
      cache.delete(source.uri);
      cache.set(source.uri, { keys, expiresAt, earlyFetches });
      const [oldest] = cache.keys();
      if (cache.size > mostCached) cache.delete(oldest!);
      return keys;
    };
    const cached = cache.get(source.uri);
    const isCurrent = cached !== undefined && cached.expiresAt > services.now();
    const known = isCurrent ? cached.keys : await load(cached?.earlyFetches ?? []);
    const found = await attempt(known);
    if (found !== undefined) return found;
    const latest = cache.get(source.uri);
    if (latest === undefined) return undefined;
    // Another request has fetched the keys meanwhile.
    if (latest.keys !== known) return await attempt(latest.keys);
    const now = services.now();
    const recent = latest.earlyFetches.filter((at) => at > now - earlyFetchWindow && at <= now);
    return recent.length >= mostEarlyFetches ? undefined : await attempt(await load([...recent, now]));
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
  const keys = isJsonObject(value) ? value["keys"] : undefined;
  if (!Array.isArray(keys)) return undefined;
  const objects = keys.filter((each): each is Jwk => isJsonObject(each));
  // A published private key is known to everyone.
  if (objects.some(({ d, k }) => d !== undefined || k !== undefined)) return undefined;
  return objects.filter(isUsefulKey);
}
