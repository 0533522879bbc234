/** The subcommands by name. */

import type { Command } from "./command.ts";

/** Each command is loaded when it is run, so that `start` does not wait for the others. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("./start.ts")).start,
  token: async () => (await import("./token.ts")).token,
  visit: async () => (await import("./visit.ts")).visit,
  health: async () => (await import("./health.ts")).health,
  trust: async () => (await import("./trust.ts")).trust,
  init: async () => (await import("./init.ts")).init,
  examine: async () => (await import("./examine.ts")).examine,
  "examine-api": async () => (await import("./examine_api.ts")).examineApiCommand,
  misbehaviours: async () => (await import("./misbehaviours.ts")).misbehaviours,
  schema: async () => (await import("./schema.ts")).schema,
};
