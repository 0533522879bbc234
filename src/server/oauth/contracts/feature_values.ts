/** Values that the core keeps without reading them: options, client metadata, and what a request carries to its tokens. */

import type { Schema } from "../../../ground/schema/schema.ts";
import type { Client } from "./client.ts";
import type { Settings } from "./settings.ts";

export interface ValueKey<T> {
  readonly name: string;
  /** Never set. It ties the key to the type of its value. */
  readonly type?: T;
}

export interface Setting<Option = unknown, Value = Option | undefined> {
  /** The name of the option. A lifetime is in the option `lifetimes`: `lifetimes.pushedRequest`. */
  readonly name: string;
  readonly schema: Schema;
  /**
   * Returns the value of an option that has passed the schema, or the default. Refuses by `refuseOption` what the schema
   * cannot express. Absent: the value is the option.
   */
  read?(option: Option | undefined, settings: CoreSettings, features: SettingSlots): Value;
  /**
   * Completes the options, if this one stands for values of others: a profile. They have not passed a schema yet.
   * Completing them again changes nothing. Not for a feature with a parameter.
   */
  readonly expand?: <Options extends object>(options: Options) => Options;
}

export interface SettingSlots {
  readonly senderProofs: ReadonlyMap<string, {
    isRequired?(client: Client, services: { readonly settings: Settings }): boolean;
  }>;
}

export type CoreSettings = Omit<Settings, "ofFeatures">;

/** Returns the value of the setting. The cast is safe, because the setting itself has read the value. */
export function settingOf<Value>(
  { ofFeatures }: Pick<Settings, "ofFeatures">,
  { name }: Setting<never, Value>,
): Value {
  return ofFeatures[name] as Value;
}

/** Returns the value of a client or a person. The cast is safe, because it has passed the schema of its member. */
export function memberOf<T>({ members }: Pick<Client, "members">, { name }: ValueKey<T>): T | undefined {
  return members[name] as T | undefined;
}

/** The carried values by name. They are JSON, because the store keeps them with the grant. */
export type Carried = Readonly<Record<string, unknown>>;

/** A request or a grant. */
export interface Carrier {
  readonly carried: Carried;
}

/** Returns the carried value. The cast is safe, because only `carry` creates entries. */
export function readCarried<T>({ carried }: Carrier, { name }: ValueKey<T>): T | undefined {
  return carried[name] as T | undefined;
}

export function carry<T>({ name }: ValueKey<T>, value: NoInfer<T> | undefined): Carried {
  return value === undefined ? {} : { [name]: value };
}

/** The nonce of an authorization request, which the ID token repeats (OpenID Connect Core §3.1.2.1). */
export const nonceKey: ValueKey<string> = { name: "nonce" };
