/** The help, line by line. */

import { commands } from "../../../src/tools/cli/commands/commands.ts";
import { describeCommand, describeCommands } from "../../../src/tools/cli/terminal/help.ts";
import { test } from "../../runner.ts";
import { assertKept } from "./assert_kept.ts";

test("help: that of each command, and of all, line by line", async () => {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const lists: Readonly<Record<string, () => string>> = {
    "deno task help": () => describeCommands(all, "deno task", { isTask: true }),
    "npx postern help": () => describeCommands(all, "npx postern", { isTask: false }),
  };
  await assertKept(
    "help",
    async (name) => lists[name]?.() ?? describeCommand(await commands[name]!(), "npx postern"),
  );
});
