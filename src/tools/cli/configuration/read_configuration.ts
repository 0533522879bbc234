/** Reads the configuration file, also one for mock-oauth2-server. An error names the place of the mistake. */

import { basename } from "node:path";
import type { JsonObject } from "../../../ground/schema/json_object.ts";
import { createPlainSchema } from "../../../server/plain_schema.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { requireConfiguration } from "../../../server/setup/read_settings.ts";
import { type ConfigurationFile, explainingSetUp } from "./configuration_file.ts";
import { readJsonFile } from "./json_file.ts";
import {
  isNaviktConfiguration,
  type NaviktConfiguration,
  naviktKeys,
} from "./navikt/navikt_configuration.ts";
import { translateNavikt } from "./navikt/translate_navikt.ts";

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
