/** The flags of `postern print`, and the command with those of a server that runs. */

import { createCommandWords } from "../../../ground/values/quote_word.ts";
import { nameProgram } from "../terminal/program.ts";
import { portFlag } from "../client/server_flags.ts";
import { present } from "../../../ground/values/present.ts";
import type { Flags } from "../terminal/flags.ts";
import { type StartFlags, startFlags } from "../start/start_flags.ts";

/** The flags of `start` that change what is printed. */
const names = ["issuer", "also", "tls", "tls-name", "config", "people", "alg", "profile", "login", "paths"];
export const printFlags: Flags = {
  port: portFlag,
  ...Object.fromEntries(names.map((name) => [name, startFlags[name]!])),
};

/** Returns the command that prints a form for a server with these flags, at its port, in lines. The last is the command. */
export function describePrintCommand(flags: StartFlags, port: number, form = "NAME"): readonly string[] {
  const { quote, notes } = createCommandWords("all");
  const given = Object.entries({ ...flags, ...present({ port: flags.port ? `${port}` : undefined }) })
    .filter(([name, value]) => Object.hasOwn(printFlags, name) && value)
    .map(([name, value]) =>
      value === true ? `--${name}` : `--${name} ${quote(`${value}`, "VALUE", `the value of --${name}`)}`
    );
  const command = [nameProgram(), "print", form, ...given].join(" ");
  return [...notes, "In a POSIX shell or PowerShell:", command];
}
