/** `--watch`: applies the configuration file to the running server whenever it changes. */

import { basename } from "node:path";
import type { Settings } from "../oauth/settings.ts";
import type { Configuration } from "../setup/configuration.ts";
import type { Colours } from "./colours.ts";
import { CommandError } from "./command_error.ts";
import type { Log } from "./log.ts";
import { type Plan, readPlan } from "./plan.ts";
import type { StartFlags } from "./start_flags.ts";
import { watchFile } from "./watch_file.ts";

type Names = Pick<Settings, "issuer" | "also">;

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
      requireSameNames(settings, plan.settings, name);
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

/**
 * Refuses another issuer: the server may not listen at its address, and issued tokens name the old issuer. Refuses other
 * names of the server, too: the certificate of `--tls` and the metrics have those of the start.
 */
function requireSameNames(changed: Names, running: Names, file: string): void {
  const listOf = ({ also }: Names) => also.join(" and ") || "none";
  const compared = [
    ["issuer", running.issuer, changed.issuer],
    ["other names", listOf(running), listOf(changed)],
  ] as const;
  for (const [what, before, after] of compared) {
    if (before === after) continue;
    throw new CommandError(`${file}: the ${what} changed from ${before} to ${after}: restart to apply that`);
  }
}
