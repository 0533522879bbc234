/** The subcommands by name. */

import type { Command } from "./command.ts";

const importClient = () => import("./client_commands.ts");
const importFile = () => import("./file_commands.ts");
const importKit = () => import("./kit_commands.ts");

/** A command is loaded when it is run, so that `start` and `health` do not wait for the others. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("./start.ts")).start,
  token: async () => (await importClient()).token,
  visit: async () => (await importClient()).visit,
  health: async () => (await import("./health.ts")).health,
  trust: async () => (await importFile()).trust,
  init: async () => (await importFile()).init,
  examine: async () => (await importKit()).examine,
  "examine-api": async () => (await importKit()).examineApiCommand,
  misbehaviours: async () => (await importKit()).misbehaviours,
  schema: async () => (await importFile()).schema,
};
