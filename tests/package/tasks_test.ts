/** The tasks of deno.json: what `deno task` lists, and what a server may do. */

import { assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { commands } from "../../src/tools/cli/commands/commands.ts";
import { listPermissionFlags, type PermissionSet } from "../../scripts/permission_flags.ts";
import { test } from "../runner.ts";

const { tasks, permissions } = JSON.parse(readFileSync("deno.json", "utf8")) as {
  readonly tasks: Readonly<Record<string, { readonly description: string; readonly command: string }>>;
  readonly permissions: Readonly<Record<string, PermissionSet>>;
};

test("tasks: deno task lists each task with a sentence and a command of at most 80 columns", () => {
  const unfit = Object.entries(tasks).filter(([, { description, command }]) =>
    !/^[A-Z].*\.$/.test(description) || `    // ${description}`.length > 80 || `    ${command}`.length > 80
  );
  assertEquals(unfit, []);
});

test("tasks: each command of the command line is a task", () => {
  for (const name of [...Object.keys(commands), "help"]) {
    assertMatch(tasks[name]?.command ?? "", new RegExp(`src/tools/cli/main\\.ts ${name}$`), name);
  }
});

test("tasks: a server and its commands may read few environment variables and run only a browser, except for examine", () => {
  const flags = Object.entries(permissions).map(([name, set]) => [name, listPermissionFlags(set).join(" ")]);
  assertEquals(Object.fromEntries(flags), {
    // "sys" is for the certificate authorities of https requests to clients, and for the addresses of the machine, which
    // --proxy-others does not give to others. It and "ps" find the npx above a server.
    start: "--allow-net --allow-sys --allow-read --allow-write " +
      "--allow-run=/bin/ps,/usr/bin/xdg-open,/usr/bin/open,C:/Windows/System32/rundll32.exe " +
      "--allow-env=NO_COLOR,FORCE_COLOR,TERM,POSTERN_*,npm_lifecycle_event,npm_lifecycle_script,HOME,XDG_CONFIG_HOME,APPDATA --ignore-env",
    trust: "--allow-read --allow-env=HOME,XDG_CONFIG_HOME,APPDATA --ignore-env",
    init: "--allow-read --allow-write",
    learn: "--allow-net --allow-sys --allow-read --allow-write",
    print: "--allow-read --allow-env=POSTERN_* --ignore-env",
    // The commands that call a server trust the authority of "start --tls", which is in the user's folder.
    health: "--allow-net --allow-read --allow-env=HOME,XDG_CONFIG_HOME,APPDATA --ignore-env",
    token: "--allow-net --allow-read " +
      "--allow-env=NO_COLOR,FORCE_COLOR,TERM,POSTERN_CLIENT_SECRET,POSTERN_PASSWORD,HOME,XDG_CONFIG_HOME,APPDATA --ignore-env",
    // It runs the test command of the user, in the user's environment.
    examine: "--allow-net --allow-sys --allow-read --allow-write --allow-run --allow-env",
    "examine-api": "--allow-net --allow-sys --allow-read --allow-write --allow-env=INIT_CWD --ignore-env",
    visit: "--allow-net --allow-read " +
      "--allow-env=NO_COLOR,FORCE_COLOR,TERM,POSTERN_PASSWORD,HOME,XDG_CONFIG_HOME,APPDATA --ignore-env",
  });
  const { examine: _examine, ...others } = permissions;
  assertEquals(
    listPermissionFlags(...Object.values(others)).at(-2),
    "--allow-env=NO_COLOR,FORCE_COLOR,TERM,POSTERN_*,npm_lifecycle_event,npm_lifecycle_script,HOME,XDG_CONFIG_HOME,APPDATA,POSTERN_CLIENT_SECRET,POSTERN_PASSWORD,INIT_CWD",
  );
  const ofSources = Object.values(tasks).filter(({ command }) => command.includes("src/tools/cli/main.ts"));
  assertEquals(ofSources.filter(({ command }) => command.includes("--allow")), []);
});
