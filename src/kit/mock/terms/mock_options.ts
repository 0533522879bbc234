/** The options of a mock, and their defaults. */

import type { LookAlikeName } from "../../faults/look_alikes/providers.ts";
import type { MisbehaviourName } from "../../faults/names.ts";
import { defaultFeatures } from "../../../server/features/mod.ts";
import type { Journal } from "../../../server/oauth/contracts/journal.ts";
import { present } from "../../../ground/values/present.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { describeType } from "../../../ground/schema/received.ts";
import { otherNames, type Schema } from "../../../ground/schema/schema.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import { type Configuration, describeConfiguration } from "../../../server/setup/configuration.ts";
import type { ServerOptions } from "../../../server/setup/server_options.ts";
import { requireKnownOptions } from "./known_options.ts";
import { registeredMethod } from "../../../server/oauth/contracts/client.ts";
import { closedObject } from "../../../ground/schema/schema_of.ts";

/** The options of `createMock`: the configuration of the server, and options for tests. */
export interface MockOptions extends Omit<ServerOptions, "store" | "journal" | "now" | "random" | "seams"> {
  /**
   * Makes the mock deterministic: two mocks with the same seed create the same ids, codes and keys, and with RS256 and
   * EdDSA also the same signatures. The clock is frozen at the beginning of 2030, unless `time` is given.
   */
  readonly seed?: number | string;
  /**
   * Returns the current time in seconds since 1970. By default, the mock reads `Date`, so the fake timers of a test
   * runner also set the time of the mock.
   */
  readonly time?: () => number;
  /** The misbehaviours that are on from the start, and after each reset. Tenants have them, too. */
  readonly misbehave?: readonly MisbehaviourName[];
  /** The provider that the server looks like from the start, and after each reset. Tenants do so, too. */
  readonly lookLike?: LookAlikeName;
  /**
   * What `intercept()` does with a request of `fetch` to another origin: it goes to its server, or it fails. Those of
   * `node:http` and `node:https` do so with `intercept({ node: true })` only. Default: `bypass`.
   */
  readonly onUnhandled?: OnUnhandled;
  /**
   * Called with each recorded exchange. The secrets in the exchange are not redacted. Errors that the function throws
   * are ignored. A request that `guard` of an API accepts has the status 0, because the test answers it.
   */
  readonly journal?: Journal;
}

/** What happens to a request that an interception does not answer: it goes to its server, or it fails. */
export type OnUnhandled = "bypass" | "error";

export const onUnhandledSchema: Schema = { enum: ["bypass", "error"] satisfies readonly OnUnhandled[] };

const optionsOutsideConfiguration: Readonly<
  Record<Exclude<keyof MockOptions, keyof Configuration>, Schema>
> = {
  seed: {},
  time: {},
  misbehave: {},
  lookLike: {},
  onUnhandled: onUnhandledSchema,
  journal: {},
  signingKeys: {},
  fetch: {},
};

const functionOptions = ["time", "journal", "fetch"] as const;

const hintsForRefused: Readonly<Record<Exclude<keyof ServerOptions, keyof MockOptions>, string>> = {
  store: "a mock always uses a store in memory, and as.reset() empties this store",
  now: "use the option time, or as.clock",
  random: "use the option seed",
  seams: "use as.on()",
};

/** The server checks the values of the configuration. `refused` has more names to refuse, each with a hint. */
export function requireMockOptions(
  doing: string,
  options: MockOptions,
  refused: Readonly<Record<string, string>> = {},
): void {
  if (!isJsonObject(options)) {
    const received = describeType(options);
    throw new TypeError(`Cannot ${doing}: its options must be an object, not ${received}`);
  }
  const given = new Map<string, unknown>(Object.entries(present(options)));
  for (const [name, hint] of Object.entries({ ...hintsForRefused, ...refused })) {
    if (given.has(name)) throw new TypeError(`Cannot ${doing} with ${name}: ${hint}`);
  }
  if (given.size === 0) return;
  requireKnownOptions(doing, options, withoutRefused(refused));
  for (const name of functionOptions) {
    const value = given.get(name);
    if (value === undefined || typeof value === "function") continue;
    throw new TypeError(`Cannot ${doing}: ${name} must be a function, not ${describeType(value)}`);
  }
}

let everyOption: Schema | undefined;

function withoutRefused(refused: Readonly<Record<string, string>>): Schema {
  everyOption ??= describeOptions();
  const names = Object.keys(refused);
  if (names.length === 0) return everyOption;
  const known = Object.entries(everyOption.properties!).filter(([name]) => !names.includes(name));
  return { ...everyOption, properties: Object.fromEntries(known) };
}

/** Describes the names of the options and their synonyms, which are the same with any features that are on. */
function describeOptions(): Schema {
  const noFeatures = {
    clientMembers: new Map(),
    personMembers: new Map(),
    clientAuth: new Map(),
    neededOptions: new Map(),
    acceptsPublicClients: true,
  };
  const settings = new Map(
    defaultFeatures({}).flatMap((feature) => feature.settings ?? []).map((each) => [each.name, each]),
  );
  const { properties: options } = describeConfiguration({ ...noFeatures, settings });
  const named = Object.entries(options ?? {}).map((
    [name, schema],
  ) => [name, { [otherNames]: schema[otherNames] }]);
  const properties = { ...optionsOutsideConfiguration, ...Object.fromEntries(named) };
  return closedObject(properties);
}

export function chooseClients(
  { clients, clientAuthMethods: methods }: MockOptions,
): readonly ClientMetadata[] {
  return clients ??
    usualClients.filter((client) => methods === undefined || methods.includes(registeredMethod(client)));
}

export const usualClients: readonly ClientMetadata[] = [
  {
    client_id: "app",
    redirect_uris: ["https://app.test/callback", "http://127.0.0.1/callback", "http://localhost/callback"],
  },
  {
    client_id: "app-confidential",
    client_secret: "app-secret",
    redirect_uris: ["https://app.test/callback", "http://127.0.0.1/callback", "http://localhost/callback"],
  },
];

/** 2030-01-01 in seconds since 1970, the time of a mock with a seed. */
export const seededTime = 1_893_456_000;
