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

/** The lists by the options that decide about them. An examination has a mock for each run, and few such options. */
const lists = new Map<string, readonly AnyFeature[]>();
const mostLists = 16;

/** `isOwn`: a feature has something of this tenant only. */
export function findFeatures(configuration: Configuration, isOwn: boolean): readonly AnyFeature[] {
  const key = isOwn ? undefined : describeDecisive(configuration);
  if (key === undefined) return createFeatures(configuration);
  if (lists.size >= mostLists && !lists.has(key)) lists.clear();
  // The features know no more than the key has.
  return remember(lists, key, () => createFeatures(JSON.parse(key)));
}

function createFeatures(configuration: Parameters<typeof defaultFeatures>[0]): readonly AnyFeature[] {
  return [...defaultFeatures(configuration), signIn];
}

/** Long options that no feature reads to decide whether it is on. */
const undecisive: ReadonlySet<string> = new Set(["people", "signingKeys", "lifetimes"]);

/** Returns `undefined` for options that are no JSON, which the server will refuse. */
function describeDecisive({ issuer, also = [], clients, ...others }: Configuration): string | undefined {
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
