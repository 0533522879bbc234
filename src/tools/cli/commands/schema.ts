/** `postern schema`: prints the JSON schema of the configuration file. */

import { createConfigurationSchema } from "../../../server/configuration_schema.ts";
import type { Command } from "../terminal/command.ts";
import { readFlags } from "../terminal/flags.ts";
import { printResult } from "../terminal/print_text.ts";

export const schema: Command = {
  usage: "schema",
  summary: "Print the JSON schema of the configuration file.",
  notes: () => 'With its path as "$schema" in the file, an editor completes and checks the configuration.',
  flags: {},
  run(args) {
    readFlags(args, {});
    printResult(JSON.stringify(createConfigurationSchema(), null, 2));
    return Promise.resolve();
  },
};
