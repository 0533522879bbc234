/** `--watch`: the running server gets the configuration file again whenever it changes. */

import { basename } from "node:path";
import type { Configuration } from "../setup/configuration.ts";
import type { Colours } from "./colours.ts";
import { CommandError } from "./command_error.ts";
import { type Plan, readPlan } from "./plan.ts";
import type { StartFlags } from "./start_flags.ts";
import { watchFile } from "./watch_file.ts";

export interface WatchTerms {
  readonly flags: StartFlags;
  /** What the running server was started with. */
  readonly plan: Plan;
  readonly apply: (configuration: Configuration) => void;
  readonly colours: Colours;
}

/** Returns how to stop. */
export function watchConfiguration(path: string, { flags, plan, apply, colours }: WatchTerms): () => void {
  const name = basename(path);
  return watchFile(path, async () => {
    try {
      const { configuration, settings } = await readPlan({ ...flags, port: `${plan.port}` });
      requireSameIssuer(settings.issuer, plan.settings.issuer, name);
      apply(configuration);
      const counts = `${settings.clients.size} clients, ${settings.people.all.length} people`;
      console.log(colours.green(`${name} has changed, and is taken over: ${counts}`));
    } catch (error) {
      // Whatever is wrong with the new one, the old one is running.
      const { message } = error as Error;
      console.error(colours.red(`${name} has changed, and is not taken over. ${message}`));
    }
  });
}

/** Another one may be at an address where nobody listens, and what was issued names the old one. */
function requireSameIssuer(issuer: string, running: string, name: string): void {
  if (issuer === running) return;
  throw new CommandError(
    `${name}: the issuer changed from ${running} to ${issuer}: restart to take that over`,
    2,
  );
}
