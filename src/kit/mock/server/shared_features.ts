/** The features of the servers of mocks. Servers with the same options share a list of them, with its slots and its router. */

import { remember } from "../../../ground/values/remember.ts";
import { defaultFeatures } from "../../../server/features/mod.ts";
import { isLoopbackUri, isReservedForTests } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import type { AnyFeature, Services } from "../../../server/oauth/contracts/feature.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import type { Decisions } from "../conditions/decisions.ts";

type Configuration = Parameters<typeof defaultFeatures>[0] & { readonly issuer: string };

const decisionsOf = new WeakMap<Settings, Decisions>();

const signIn: AnyFeature = {
  name: "test_sign_in",
  spec: "Postern",
  decides: (asked, services) => decisionsOf.get(services.settings)!.decide(asked, services),
};

/** Lets a tenant decide about the requests to one of its servers. */
export function bindDecisions({ settings }: Services, decisions: Decisions): void {
  decisionsOf.set(settings, decisions);
}

/** The lists by the options of their servers. An examination has a mock for each run, and they differ in few options. */
const lists = new Map<string, readonly AnyFeature[]>();
const mostLists = 16;

/** `isOwn`: the authorities of mTLS are those of one tenant. */
export function findFeatures(configuration: Configuration, isOwn: boolean): readonly AnyFeature[] {
  const key = isOwn ? undefined : describeOptions(configuration);
  if (key === undefined) return createFeatures(configuration);
  if (lists.size >= mostLists && !lists.has(key)) lists.clear();
  // mTLS is off in these lists. A refusal names the option that it needs beside the authorities of a tenant.
  return remember(lists, key, () => createFeatures({ ...JSON.parse(key), moreAuthorities: () => [] }));
}

function createFeatures(configuration: Parameters<typeof defaultFeatures>[0]): readonly AnyFeature[] {
  return [...defaultFeatures(configuration), signIn];
}

/** Long options that no feature reads to decide whether it is on. */
const undecisive: ReadonlySet<string> = new Set(["people", "signingKeys", "lifetimes"]);

/** Returns the options that may decide about a feature, as JSON, or `undefined` if JSON or the issuer refuses that. */
function describeOptions({ issuer, also = [], clients, ...others }: Configuration): string | undefined {
  const options = Object.fromEntries(Object.entries(others).filter(([name]) => !undecisive.has(name)));
  try {
    const [reached, ...more] = [new URL(issuer).origin, ...also].filter((name) => !isUnreached(name));
    return JSON.stringify({ ...options, issuer: reached, also: more, clients: clients && [] });
  } catch {
    return undefined;
  }
}

/** Names that no other machine reaches decide nothing: each run of an examination has its own. */
function isUnreached(name: string): boolean {
  return isReservedForTests(name) || isLoopbackUri(name);
}
