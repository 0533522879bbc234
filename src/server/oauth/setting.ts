/** Options of the configuration that features read. A feature lists its settings, and reads their values here. */

import type { Schema } from "../schema/schema.ts";
import type { Client } from "./clients/client.ts";
import type { Settings } from "./settings.ts";

/** An option, and how its value is read at start. */
export interface Setting<Option = unknown, Value = Option | undefined> {
  /** The name of the option. A lifetime is in the option `lifetimes`: `lifetimes.pushedRequest`. */
  readonly name: string;
  readonly schema: Schema;
  /**
   * Returns the value for an option that has passed the schema, or the default. Refuses by `refuseOption` what the schema
   * cannot express. Absent: the value is the option.
   */
  read?(option: Option | undefined, settings: CoreSettings, features: SettingSlots): Value;
  /**
   * Completes the options, if this one stands for values of others: a profile. They have not passed a schema yet.
   * Completing them again changes nothing. Not for a feature with a parameter.
   */
  readonly expand?: <Options extends object>(options: Options) => Options;
}

/** What a setting can know about the features. */
export interface SettingSlots {
  readonly senderProofs: ReadonlyMap<string, {
    isRequired?(client: Client, services: { readonly settings: Settings }): boolean;
  }>;
}

/** The settings that every server has. */
export type CoreSettings = Omit<Settings, "ofFeatures">;

/** Returns the value of the setting. The cast is safe, because the setting itself has read the value. */
export function settingOf<Value>(
  { ofFeatures }: Pick<Settings, "ofFeatures">,
  { name }: Setting<never, Value>,
): Value {
  return ofFeatures[name] as Value;
}
