/** The subcommands by name. */

import type { Command } from "../terminal/command.ts";

const importOther = () => import("./other_commands.ts");
export const importKit = (): Promise<typeof import("./kit_commands.ts")> => import("./kit_commands.ts");

/** A command is loaded when it is run, so that `start` and `health` do not wait for the others. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("../start/start.ts")).start,
  token: async () => (await importOther()).token,
  print: async () => (await importOther()).print,
  visit: async () => (await importOther()).visit,
  health: async () => (await import("./health.ts")).health,
  trust: async () => (await importOther()).trust,
  init: async () => (await importOther()).init,
  learn: async () => (await importKit()).learn,
  diff: async () => (await importOther()).diff,
  examine: async () => (await importKit()).examine,
  "examine-api": async () => (await importKit()).examineApiCommand,
  mcp: async () => (await importKit()).mcp,
  misbehaviours: async () => (await importKit()).misbehaviours,
  schema: async () => (await importOther()).schema,
};
