/** Creates the services that every request uses, among them the secrets of people and what adds people. */

import { createRandomBytes, randomText } from "../../ground/crypto/bytes.ts";
import { hmacSha256, sha256 } from "../../ground/crypto/platform.ts";
import { createCookieJar } from "../../ground/http/cookies.ts";
import type { FetchOthers } from "../../ground/http/message.ts";
import type { GuardedFetch, GuardedFetchParts } from "../../ground/http/guarded_fetch.ts";
import type { OpenTls } from "../../ground/http/outgoing_request.ts";
import type { OwnRequests, Services } from "../oauth/contracts/feature.ts";
import { present } from "../../ground/values/present.ts";
import { memoryStore } from "../store/memory.ts";
import { addIssuerFaults } from "./issuer_faults.ts";
import { requireOctets } from "./required_parts.ts";
import { createServerKeys, type KeySource, type ServerKeys } from "./server_keys.ts";
import type { ServerOptions } from "./server_options.ts";
import { createSignInLimits } from "../oauth/people/sign_in_limits.ts";
import type { Newcomers, NewPerson, People, Person, PersonSecrets } from "../oauth/contracts/people.ts";
import { type Kind, never } from "../store/store.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import { createPeople, readPeople } from "./read_people.ts";

/** Parts that the test kit or the command line provides. */
export interface OptionalParts {
  /** Replaces the signing keys in the options. */
  readonly keySource?: KeySource;
  /** Returns a function that answers the server's own requests for a URL without a network. */
  readonly findHosted?: (url: URL) => FetchOthers | undefined;
  /** Loads the runtime's way to open TLS connections. Absent: `node:https` opens them. */
  readonly loadOpenTls?: () => Promise<OpenTls | undefined>;
  /** Keeps the people who are added while the server runs. Absent: the people are the configured ones. */
  readonly growingPeople?: GrowingPeople;
  /** Identifies the clock. Absent: a random text, so that the clock differs from that of each other server. */
  readonly clock?: string;
}

/** Creates the services and begins to make keys. */
export function createServices(
  options: ServerOptions,
  { callSelf, ...parts }: Pick<Services, "settings" | "slots" | "pages"> & Pick<OwnRequests, "callSelf">,
  { keySource, findHosted, loadOpenTls, growingPeople, clock }: OptionalParts,
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
    people: {
      ...createPersonSecrets({ store, keys: keys.ring, now }),
      signInLimits: createSignInLimits(now),
      ...present({
        newcomers: growingPeople ? () => createNewcomers(growingPeople, parts.settings) : undefined,
      }),
    },
    seams: addIssuerFaults(options.seams ?? {}, options, issuer),
    cookies: createCookieJar({ secure: issuer.startsWith("https:"), mark: sha256(issuer).slice(0, 8) }),
    fetch: {
      ...createLateFetch({ findFetch: () => options.fetch, now, ...present({ findHosted }) }, loadOpenTls),
      callSelf,
    },
    now,
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
    const { createGuardedFetch } = await import("../../ground/http/guarded_fetch.ts");
    return createGuardedFetch({ ...parts, openTls: await loadOpenTls?.() });
  };
  const load = () => loading ??= create();
  return {
    getJson: async (url, options) => await (await load()).getJson(url, options),
    postForm: async (url, form, options) => await (await load()).postForm(url, form, options),
  };
}

type SecretOptions = Pick<Services, "store" | "keys" | "now">;

/** Derives pairwise subjects, password marks and other secrets from a person and a stored secret of the server. */
export function createPersonSecrets(options: SecretOptions): PersonSecrets {
  const marks = new WeakMap<Person, string>();
  let loading: Promise<string> | undefined;
  // After a failed load, the next use of the secret loads again.
  const loadSecret = () =>
    loading ??= loadPersonSecret(options).catch((error) => {
      loading = undefined;
      throw error;
    });
  return {
    async derive(purpose, subject) {
      return hmacSha256(await loadSecret(), `${purpose} ${subject}`);
    },
    async passwordMark(person) {
      const { subject, password } = person;
      if (password === undefined) return undefined;
      const known = marks.get(person);
      if (known !== undefined) return known;
      const mark = hmacSha256(await loadSecret(), `password mark ${password} ${subject}`);
      marks.set(person, mark);
      return mark;
    },
  };
}

// Password marks use the same secret. The name stays, because existing stores contain it.
const secrets: Kind<{ readonly secret: string }> = { name: "pairwise_secret" };
const secretId = "pairwise";

/**
 * The first use derives the secret from the server's keys and stores it. Later key rotations therefore neither change
 * pairwise subjects nor sign people out. With an empty store, the same keys give the same secret.
 */
async function loadPersonSecret({ store, keys, now }: SecretOptions): Promise<string> {
  const stored = await store.get(secrets, secretId, now());
  if (stored !== undefined) return stored.value.secret;
  const secret = hmacSha256(await keys.encryptionKey(), "postern pairwise subjects");
  const terms = { expiresAt: never, now: now(), if: null };
  if (await store.put(secrets, secretId, { secret }, terms) !== undefined) return secret;
  // Another process stored its secret first. All processes must use that one.
  const winner = await store.get(secrets, secretId, now());
  if (winner === undefined) {
    throw new Error(
      "The store neither accepted a new secret for pairwise subjects nor has one: check its conditional put()",
    );
  }
  return winner.value.secret;
}

interface PeopleSource {
  /** The people as they are now, also after another server has replaced this one. */
  readonly current: People;
  add(person: NewPerson): void;
}

/** `in memory`: until the server ends. */
type GrowingPeople = PeopleSource | "in memory";

/** Adds people while the server runs: to the directory of the test kit, or in memory. */
function createNewcomers(growing: GrowingPeople, { people, clients }: Settings): Newcomers {
  const source: PeopleSource = growing !== "in memory" ? growing : {
    current: people,
    add: (person) => include(readPeople([person], clients).all[0]!),
  };
  // Every step of a running request finds the person in its settings.
  function include(person: Person): void {
    const others = people.all.filter(({ subject }) => subject !== person.subject);
    Object.assign(people, createPeople([...others, person]));
  }
  function recognise(person: Person): void {
    if (people.findBySubject(person.subject) !== person) include(person);
  }
  return {
    get current() {
      return source.current;
    },
    recognise,
    add(added) {
      source.add(added);
      const person = source.current.find(added.username)!;
      recognise(person);
      return person;
    },
  };
}
