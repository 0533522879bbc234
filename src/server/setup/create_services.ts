/** Creates the services that every request uses. */

import { createRandomBytes, randomText } from "../crypto/bytes.ts";
import { sha256 } from "../crypto/platform.ts";
import { createCookieJar } from "../http/cookies.ts";
import type { FetchOthers } from "../http/fetch_others.ts";
import type { GuardedFetch, GuardedFetchParts } from "../http/guarded_fetch.ts";
import type { OpenTls } from "../http/outgoing_request.ts";
import type { Services } from "../oauth/services.ts";
import { present } from "../values/present.ts";
import { memoryStore } from "../store/memory.ts";
import { addIssuerFaults } from "./issuer_faults.ts";
import type { GrowingPeople } from "./newcomers.ts";
import { createPersonSecrets } from "./person_secrets.ts";
import { requireOctets } from "./required_parts.ts";
import { createServerKeys, type KeySource, type ServerKeys } from "./server_keys.ts";
import type { ServerOptions } from "./server_options.ts";
import { createSignInLimits } from "./sign_in_limits.ts";

/** Parts that the test kit or the command line provides. */
export interface OptionalParts {
  /** Replaces the signing keys in the options. */
  readonly keySource?: KeySource;
  /** Returns a function that answers the server's own requests for a URL without a network. */
  readonly findHosted?: (url: URL) => FetchOthers | undefined;
  /** Loads the runtime's way to open TLS connections. Absent: `node:https` opens them. */
  readonly loadOpenTls?: () => Promise<OpenTls | undefined>;
  /** See `Services`. Absent: the program has not said so. */
  readonly isReached?: boolean;
  /** Keeps the people who are added while the server runs. Absent: the people are the configured ones. */
  readonly growingPeople?: GrowingPeople;
  /** Identifies the clock. Absent: a random text, so that the clock differs from that of each other server. */
  readonly clock?: string;
}

/** Creates the services and begins to make keys. */
export function createServices(
  options: ServerOptions,
  parts: Pick<Services, "settings" | "slots" | "pages" | "callSelf">,
  { keySource, findHosted, loadOpenTls, isReached = false, growingPeople, clock }: OptionalParts,
): { readonly services: Services; readonly keys: ServerKeys } {
  const { signingKeys } = options;
  const { issuer } = parts.settings;
  const store = options.store ?? memoryStore();
  const now = options.now ?? (() => Date.now() / 1000);
  const random = options.random === undefined ? createRandomBytes() : requireOctets(options.random);
  const given = signingKeys === undefined ? undefined : { first: () => signingKeys };
  const keys = createServerKeys(keySource ?? given, parts.settings, { store, now, random });
  const services: Services = Object.freeze({
    ...parts,
    store,
    keys: keys.ring,
    personSecrets: createPersonSecrets({ store, keys: keys.ring, now }),
    signInLimits: createSignInLimits(now),
    ...(growingPeople && {
      newcomers: async () => (await import("./newcomers.ts")).createNewcomers(growingPeople, parts.settings),
    }),
    seams: addIssuerFaults(options.seams ?? {}, options, issuer),
    cookies: createCookieJar({ secure: issuer.startsWith("https:"), mark: sha256(issuer).slice(0, 8) }),
    fetch: createLateFetch({ findFetch: () => options.fetch, now, ...present({ findHosted }) }, loadOpenTls),
    now,
    isReached,
    // A program that gives its random octets gets the same answers in each run, so its clock has a fixed id.
    clock: clock ?? (options.random === undefined ? randomText(random, 6) : "given"),
    random,
  });
  return { services, keys };
}

/** Loads the guarded fetch at its first use, because most tests make the server call no other server. */
function createLateFetch(
  parts: GuardedFetchParts,
  loadOpenTls: OptionalParts["loadOpenTls"],
): GuardedFetch {
  let loading: Promise<GuardedFetch> | undefined;
  const create = async () => {
    const { createGuardedFetch } = await import("../http/guarded_fetch.ts");
    return createGuardedFetch({ ...parts, openTls: await loadOpenTls?.() });
  };
  const load = () => loading ??= create();
  return {
    getJson: async (url, terms) => await (await load()).getJson(url, terms),
    postForm: async (url, form, terms) => await (await load()).postForm(url, form, terms),
  };
}
