/** The subcommands by name. */

import type { Command } from "../terminal/command.ts";

/** A command is loaded when it is run, so that `start` and `health` do not wait for the others. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("../start/start.ts")).start,
  token: async () => (await import("./token.ts")).token,
  print: async () => (await import("./print.ts")).print,
  visit: async () => (await import("./visit.ts")).visit,
  health: async () => (await import("./health.ts")).health,
  trust: async () => (await import("./trust.ts")).trust,
  init: async () => (await import("./init.ts")).init,
  learn: async () => (await import("./learn.ts")).learn,
  diff: async () => (await import("./diff.ts")).diff,
  examine: async () => (await import("./examine.ts")).examine,
  "examine-api": async () => (await import("./examine_api.ts")).examineApiCommand,
  mcp: async () => (await import("./mcp.ts")).mcp,
  misbehaviours: async () => (await import("./misbehaviours.ts")).misbehaviours,
  schema: async () => (await import("./schema.ts")).schema,
};
