/** `postern print`: prints settings or a program for an application, as `start --print` does. No server needs to run. */

import process from "node:process";
import { createCommandWords } from "../../../ground/values/quote_word.ts";
import { present } from "../../../ground/values/present.ts";
import { describeApplication } from "../forms/application.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { type Flags, requireAccepted } from "../terminal/flags.ts";
import { describeRows } from "../terminal/help.ts";
import { readPlan } from "../start/plan.ts";
import { nameProgram } from "../terminal/program.ts";
import { portFlag } from "../client/server_flags.ts";
import { type StartFlags, startFlags } from "../start/start_flags.ts";
import { readVariables } from "../configuration/variables.ts";
import { printResult } from "../terminal/print_text.ts";

/** The flags of `start` that change what is printed. */
const names = ["issuer", "also", "tls", "tls-name", "config", "people", "alg", "profile", "login", "paths"];
const table: Flags = {
  port: portFlag,
  ...Object.fromEntries(names.map((name) => [name, startFlags[name]!])),
};

export const print: Command = createCommand({
  usage: "print [NAME] [flags]",
  summary: "Print settings or a program for your application.",
  notes: () =>
    describeRows([["NAME", startFlags["print"]!.help]]).slice(1).join("\n") +
    "\n\nThe flags and their environment variables are those of the server.",
  flags: table,
  operands: 1,
  async run({ flags: typed, operands: [name = "env"] }) {
    requireAccepted("NAME", startFlags["print"]!, name);
    const { flags } = await readVariables<StartFlags>(typed, table, process.env);
    // Of a server elsewhere, only the issuer is known.
    const { settings, configuration } = await readPlan(flags, true);
    printResult(describeApplication(name, settings, configuration).join("\n"));
  },
});

/** Returns the command that prints a form for a server with these flags, at its port, in lines. */
export function describePrintCommand(flags: StartFlags, port: number): readonly string[] {
  const { quote, notes } = createCommandWords("all");
  const given = Object.entries({ ...flags, ...present({ port: flags.port ? `${port}` : undefined }) })
    .filter(([name, value]) => Object.hasOwn(table, name) && value)
    .map(([name, value]) =>
      value === true ? `--${name}` : `--${name} ${quote(`${value}`, "VALUE", `the value of --${name}`)}`
    );
  const command = [nameProgram(), "print NAME", ...given].join(" ");
  return [...notes, "In a POSIX shell or PowerShell:", command];
}
