/** `postern print`: prints settings or a program for an application, as `start --print` does. No server needs to run. */

import process from "node:process";
import { applicationForms } from "../forms/application_forms.ts";
import { CommandError } from "../terminal/command_error.ts";
import { describeApplication } from "../forms/application.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { describeKit, describeLibrary, describeSimilar, libraryNames } from "../forms/library_form.ts";
import { describeRows } from "../terminal/help.ts";
import { printFlags } from "../forms/print_flags.ts";
import { readPlan } from "../start/plan.ts";
import { type StartFlags, startFlags } from "../start/start_flags.ts";
import { readVariables } from "../configuration/variables.ts";
import { printResult } from "../terminal/print_text.ts";

export const print: Command = createCommand({
  usage: "print [NAME] [flags]",
  summary: "Print settings or a program for your application.",
  notes: () =>
    describeRows([
      ["NAME", startFlags["print"]!.help],
      ["", `Or the settings of a library or a product: ${libraryNames.join(", ")}.`],
    ]).slice(1).join("\n") +
    "\n\nThe flags and their environment variables are those of the server.",
  flags: printFlags,
  operands: 1,
  async run({ flags: typed, operands: [name = "env"] }) {
    const { flags } = await readVariables<StartFlags>(typed, printFlags, process.env);
    // Of a server elsewhere, only the issuer is known.
    const { settings, configuration } = await readPlan(flags, true);
    const lines = applicationForms.includes(name)
      ? describeApplication(name, settings, configuration)
      : describeLibrary(name, settings, configuration);
    if (lines === undefined) throw new CommandError(describeSimilar(name));
    printResult([...describeKit(name, lines), ...lines].join("\n"));
  },
});
