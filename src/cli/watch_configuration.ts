/** `--watch`: applies the configuration file to the running server whenever it changes. */

import { basename } from "node:path";
import type { Configuration } from "../setup/configuration.ts";
import type { Colours } from "./colours.ts";
import { CommandError } from "./command_error.ts";
import type { Log } from "./log.ts";
import { type Plan, readPlan } from "./plan.ts";
import type { StartFlags } from "./start_flags.ts";
import { watchFile } from "./watch_file.ts";

export interface WatchTerms {
  readonly flags: StartFlags;
  /** The plan that the server was started with. */
  readonly plan: Plan;
  readonly apply: (configuration: Configuration) => void;
  readonly colours: Colours;
  readonly write: Log["write"];
}

/** Returns a function that stops the watch. */
export function watchConfiguration(
  path: string,
  { flags, plan, apply, colours, write }: WatchTerms,
): () => void {
  const name = basename(path);
  return watchFile(path, async () => {
    try {
      const { configuration, settings } = await readPlan({ ...flags, port: `${plan.port}` });
      requireSameIssuer(settings.issuer, plan.settings.issuer, name);
      apply(configuration);
      const { clients: { size: clients }, people: { all: { length: people } } } = settings;
      const counts = `${clients} ${clients === 1 ? "client" : "clients"}, ${people} ${
        people === 1 ? "person" : "people"
      }`;
      const message = `${name} has changed, and is applied: ${counts}`;
      write({ level: "info", message, text: colours.green(message) });
    } catch (error) {
      // The server keeps the old configuration.
      const message = `${name} has changed, but is not applied. ${(error as Error).message}`;
      write({ level: "error", message, text: colours.red(message) });
    }
  });
}

/** Refuses another issuer: the server may not listen at its address, and issued tokens name the old issuer. */
function requireSameIssuer(issuer: string, running: string, name: string): void {
  if (issuer === running) return;
  throw new CommandError(`${name}: the issuer changed from ${running} to ${issuer}: restart to apply that`);
}
