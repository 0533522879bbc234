/** `postern schema`: prints the JSON schema of the configuration file. */

import { createConfigurationSchema } from "../../../server/configuration_schema.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { printResult } from "../terminal/print_text.ts";

export const schema: Command = createCommand({
  usage: "schema",
  summary: "Print the JSON schema of the configuration file.",
  notes: () => 'With its path as "$schema" in the file, an editor completes and checks the configuration.',
  flags: {},
  run() {
    printResult(JSON.stringify(createConfigurationSchema(), null, 2));
  },
});
