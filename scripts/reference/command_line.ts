/** docs/reference/command_line.md. */
import { published } from "../published.ts";
import project from "../../deno.json" with { type: "json" };
import type { Command } from "../../src/tools/cli/terminal/command.ts";
import { commands } from "../../src/tools/cli/commands/commands.ts";
import type { Flag } from "../../src/tools/cli/terminal/flags.ts";
import { wordSummary } from "../../src/tools/cli/terminal/help.ts";
import { startFlags } from "../../src/tools/cli/start/start_flags.ts";
import { listVariables } from "../../src/tools/cli/configuration/variables.ts";
import { code, markNames, type Page, table } from "./markdown.ts";

const inCheckout =
  "In this checkout, a command is a task. With the npm package installed, write `npx postern` in the " +
  "place of `deno task`";

export async function writeCommandLine(): Promise<Page> {
  const loaded = await Promise.all(Object.values(commands).map((load) => load()));
  return {
    title: "The command line",
    summary: "Every command and every flag. `--help` after a command prints the same.",
    parts: [
      `${
        published ? "In a checkout, write `deno task` in the place of `npx postern`" : inCheckout
      }, and with the ` +
      "[executable](../../README.md#carry-it) its path. These two start a server if there is no " +
      "command, or flags alone. A flag that takes several values may also be given again for each of them. Any other flag " +
      "that is given twice is refused.",
      table(["command", "what it does"], [
        ...loaded.map(({ usage, summary }) => [code(`deno task ${usage}`), summary]),
        [code("deno task help [command]"), "Explain the commands, or the flags of one."],
        [code("deno task help WORD"), wordSummary],
        [code("deno task start --version"), "Print the version; with `--json`, the product, too."],
      ]),
      ...loaded.flatMap(describeCommand),
      "## Environment variables",
      "The commands read these variables, and `start` those of its flags. Deno, Node and Bun have variables of their own, such as `NODE_EXTRA_CA_CERTS`.",
      table(["variable", "what it does"], describeVariables()),
    ],
  };
}

function describeCommand({ usage, summary, flags }: Command): readonly string[] {
  const [name = ""] = usage.split(" ");
  const rows = Object.entries(flags);
  if (rows.length === 0) return [`## ${name}`, summary];
  return [
    `## ${name}`,
    summary,
    ...(flags === startFlags ? [variablesOfStart] : []),
    flags === startFlags
      ? table(
        ["flag", "variable", "what it does"],
        rows.map(([flag, terms]) => [
          spell(flag, terms),
          listVariables(flag, terms).map(code).join(", "),
          markNames(terms.help),
        ]),
      )
      : table(
        ["flag", "what it does"],
        rows.map(([flag, terms]) => [spell(flag, terms), markNames(terms.help)]),
      ),
  ];
}

function spell(flag: string, { value }: Flag): string {
  return code(`--${flag}${value === undefined ? "" : ` ${value}`}`);
}

const variablesOfStart =
  "Each flag has environment variables, which only this command reads. The flag wins over them, and they win over the " +
  "configuration file. Instead of a flag without a value, write `1`, `true`, `yes` or `on`, or `0`, `false`, `no` or " +
  "`off`; an empty variable is not set. `POSTERN_CONTROL` and `POSTERN_METRICS` take such a word, or the token. " +
  "`POSTERN_CONTROL_TOKEN` and `POSTERN_METRICS_TOKEN` have only the token, and switch nothing on. A variable whose " +
  "name ends in `_FILE` names a file with the value. Other users of a machine can read a command line, so write secrets into such a file. [Variables instead of flags]" +
  "(../operations.md#variables-instead-of-flags) has an example.";

const variables: Readonly<Record<string, string>> = {
  POSTERN_CLIENT_SECRET: "The client's secret for `deno task token`, if `--secret` is not given.",
  POSTERN_PASSWORD: "The person's password for `deno task token`, if `--password` is not given.",
  NO_COLOR: "Any value switches colours off.",
  FORCE_COLOR: "Any value except `0` switches colours on, even where the output is not a terminal.",
  TERM: "`dumb` switches colours off.",
  npm_lifecycle_event: "`npx` sets it: the server [ends with npx](../operations.md#stop-and-restart).",
  npm_lifecycle_script: "`npx` sets it to the program that it started. Only such a server ends with npx.",
  HOME: "Your folder. `deno task start --tls` and `deno task trust` find the configuration folder there.",
  XDG_CONFIG_HOME: "The configuration folder, on Linux. Default: `.config` in your folder.",
  APPDATA: "The configuration folder, on Windows.",
};

/** Throws if the tasks read other variables than those described here. */
function describeVariables(): readonly (readonly string[])[] {
  const { start, token } = project.permissions;
  const allow = [...start.env.allow, ...token.env.allow].filter((name) => name !== "POSTERN_*");
  const undescribed = allow.filter((name) => !Object.hasOwn(variables, name));
  const unread = Object.keys(variables).filter((name) => !allow.includes(name));
  if (undescribed.length + unread.length > 0) {
    throw new Error(
      `Describe these variables in ${import.meta.url}: ${[...undescribed, ...unread].join(", ")}`,
    );
  }
  return Object.entries(variables).map(([name, text]) => [code(name), text]);
}
