/** Reads the configuration file, also one for mock-oauth2-server. An error names the place of the mistake. */

import { basename } from "node:path";
import { findProfile } from "../../../server/oauth/contracts/paths.ts";
import type { JsonObject } from "../../../ground/schema/json_object.ts";
import { createPlainSchema } from "../../../server/plain_schema.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { requireConfiguration } from "../../../server/setup/read_settings.ts";
import { SetUpMistake } from "../../../server/oauth/options/set_up_mistake.ts";
import { explaining } from "../terminal/command_error.ts";
import { readJsonFile } from "./json_file.ts";
import {
  isNaviktConfiguration,
  type NaviktConfiguration,
  naviktKeys,
  type NotCarriedOver,
} from "./navikt/navikt_configuration.ts";
import { translateNavikt } from "./navikt/translate_navikt.ts";

/** A configuration file, translated if it was written for another server. */
export interface ConfigurationFile {
  readonly configuration: Configuration;
  /**
   * Returns the name of the file, with the line and column of a place: `postern.json:3:14`. Absent without a file, and
   * `undefined` for a place that is in no file.
   */
  readonly locate?: (place: string) => string | undefined;
  /** Present if the file was written for mock-oauth2-server. */
  readonly notCarriedOver?: readonly NotCarriedOver[];
  /** The path of the issuer, from a file for mock-oauth2-server that names issuers. */
  readonly issuerPath?: string;
}

export async function readConfigurationFile(path: string | undefined): Promise<ConfigurationFile> {
  if (path === undefined) return { configuration: {} };
  const { value, locate } = await readJsonFile(path, `--config ${path}`);
  return explainingSetUp(
    { locate, flags: {} },
    () =>
      isNaviktConfiguration(value)
        // The translated configuration has other places than the file.
        ? { ...readNavikt(value), locate: () => basename(path) }
        : { configuration: readOwn(value), locate },
  );
}

function readOwn(value: unknown, schema = createPlainSchema()): Configuration {
  const { $schema: _, ...configuration } = requireConfiguration(value, schema) as Configuration & {
    $schema?: string;
  };
  return configuration;
}

/** The file may also have Postern's own keys. */
function readNavikt(value: JsonObject): ConfigurationFile {
  const schema = createPlainSchema();
  const given = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  const known = readOwn(given, { ...schema, properties: { ...naviktKeys, ...schema.properties } });
  const isTheirs = ([name]: readonly [string, unknown]) => Object.hasOwn(naviktKeys, name);
  const own = Object.fromEntries(Object.entries(known).filter((member) => !isTheirs(member)));
  return translateNavikt(known as NaviktConfiguration, own);
}

/** Returns the path of the issuer where the configuration gives no issuer. `paths` is the option of a flag, if any. */
export function findIssuerPath({ configuration, issuerPath }: ConfigurationFile, paths?: string): string {
  const profile = findProfile(paths ?? configuration.paths);
  return profile.namesIssuers && issuerPath !== undefined ? issuerPath : profile.issuerPath ?? "";
}

interface SetUpSources extends Pick<ConfigurationFile, "locate"> {
  /** The names of the flags that have set options, by option. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Turns a set-up mistake into a `CommandError` that names the flag, or the file and the place in it. */
export function explainingSetUp<T>({ locate, flags }: SetUpSources, work: () => T): T {
  return explaining(SetUpMistake, ({ place, problem }) => {
    const [option = ""] = place.split(/[.[]/);
    const flag = Object.hasOwn(flags, option) ? flags[option] : undefined;
    if (flag !== undefined) return `--${flag}${problem.slice(place.length)}`;
    const located = locate?.(place);
    return located === undefined ? problem : `${located}: ${problem}`;
  }, work);
}
