/** docs/reference/command_line.md. */
import project from "../../deno.json" with { type: "json" };
import type { Command } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { code, markNames, type Page, table } from "./markdown.ts";

export async function writeCommandLine(): Promise<Page> {
  const loaded = await Promise.all(Object.values(commands).map((load) => load()));
  return {
    title: "The command line",
    summary: "Every command and every flag. `--help` after a command prints the same.",
    parts: [
      "In this checkout, a command is a task. With the npm package installed, write `npx postern` in the place of " +
      "`deno task`, and with the executable of `deno task compile` its path: `dist/postern start`. These two start a " +
      "server if there is no command, or flags alone.",
      table(["command", "what it does"], [
        ...loaded.map(({ usage, summary }) => [code(`deno task ${usage}`), summary]),
        [code("deno task help [command]"), "Explain the commands, or the flags of one."],
        [code("deno task start --version"), "Print the version."],
      ]),
      ...loaded.flatMap(describeCommand),
      "## Environment variables",
      "The commands read these variables. Deno, Node and Bun have variables of their own, such as `NODE_EXTRA_CA_CERTS`.",
      table(["variable", "what it does"], describeVariables()),
    ],
  };
}

function describeCommand({ usage, summary, flags }: Command): readonly string[] {
  const [name = ""] = usage.split(" ");
  const rows = Object.entries(flags).map(([flag, { value, help }]) => [
    code(`--${flag}${value === undefined ? "" : ` ${value}`}`),
    markNames(help),
  ]);
  return [`## ${name}`, summary, ...(rows.length === 0 ? [] : [table(["flag", "what it does"], rows)])];
}

const variables: Readonly<Record<string, string>> = {
  POSTERN_CONTROL_TOKEN:
    "The token of `--control`, if the flag has none. Other users of the machine can read a command " +
    "line, but not the environment.",
  POSTERN_INSPECTOR_KEY: "The key of `--inspector-key`, if the flag is not given.",
  POSTERN_METRICS_TOKEN: "The token of `--metrics`, if the flag has none.",
  POSTERN_STORE: "The store of `--store`, if the flag is not given. A URL with a password belongs here.",
  POSTERN_CLIENT_SECRET: "The client's secret for `deno task token`, if `--secret` is not given.",
  POSTERN_PASSWORD: "The person's password for `deno task token`, if `--password` is not given.",
  NO_COLOR: "Any value switches colours off.",
  FORCE_COLOR: "Any value except `0` switches colours on, even where the output is not a terminal.",
  TERM: "`dumb` switches colours off.",
};

/** Throws if the tasks read other variables than those described here. */
function describeVariables(): readonly (readonly string[])[] {
  const { start, token } = project.permissions;
  const allow = [...start.env.allow, ...token.env.allow];
  const undescribed = allow.filter((name) => !Object.hasOwn(variables, name));
  const unread = Object.keys(variables).filter((name) => !allow.includes(name));
  if (undescribed.length + unread.length > 0) {
    throw new Error(
      `Describe these variables in ${import.meta.url}: ${[...undescribed, ...unread].join(", ")}`,
    );
  }
  return Object.entries(variables).map(([name, text]) => [code(name), text]);
}
