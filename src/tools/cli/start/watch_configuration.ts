/** `--watch`: applies the configuration file to the running server whenever it changes. */

import { basename } from "node:path";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { attempt } from "../../../ground/values/attempt.ts";
import { present } from "../../../ground/values/present.ts";
import type { Colours } from "../terminal/colours.ts";
import { CommandError } from "../terminal/command_error.ts";
import type { Log } from "./log.ts";
import { type Plan, readPlan } from "./plan.ts";
import type { StartFlags } from "./start_flags.ts";
import { statSync } from "node:fs";
import { sayCount } from "../../../ground/values/say_count.ts";

interface WatchOptions {
  readonly flags: StartFlags;
  /** The plan that the server was started with. */
  readonly plan: Plan;
  readonly apply: (configuration: Configuration) => void;
  readonly colours: Colours;
  readonly write: Log["write"];
}

export function watchConfiguration(
  path: string,
  { flags, plan, apply, colours, write }: WatchOptions,
): () => void {
  const name = basename(path);
  return watchFile(path, async () => {
    try {
      const changed = await readPlan({ ...flags, ...portsOf(flags, plan) });
      requireSameAddress(changed, plan, name);
      const { configuration, settings } = changed;
      apply(configuration);
      const { clients: { size: clients }, people: { all: { length: people } } } = settings;
      const counts = `${sayCount(clients, "client")}, ${sayCount(people, "person", "people")}`;
      const message = `${name} has changed, and is applied: ${counts}`;
      write({ level: "info", message, text: colours.green(message) });
    } catch (error) {
      // The server keeps the old configuration.
      const message = `${name} has changed, but is not applied. ${(error as Error).message}`;
      write({ level: "error", message, text: colours.red(message) });
    }
  });
}

/** Returns the flags of the ports as they were chosen at the start, because 0 would choose other ports. */
function portsOf(
  flags: StartFlags,
  { port, settings: { otherPort } }: Plan,
): Pick<StartFlags, "port" | "mtls-port"> {
  return {
    port: `${port}`,
    ...present({ "mtls-port": flags["mtls-port"] === undefined ? undefined : `${otherPort?.port}` }),
  };
}

/**
 * The server may not listen at another port, and issued tokens name the old issuer. The certificate of `--tls`, the
 * metrics and the header of the proxy are those of the start.
 */
function requireSameAddress(changed: Plan, running: Plan, file: string): void {
  const before = describeAddress(running);
  for (const [what, after] of Object.entries(describeAddress(changed))) {
    if (before[what] === after) continue;
    throw new CommandError(
      `${file}: the ${what} changed from ${before[what]} to ${after}: restart to apply that`,
    );
  }
}

function describeAddress({ settings, configuration }: Plan): Readonly<Record<string, string>> {
  return {
    issuer: settings.issuer,
    "other names": settings.also.join(" and ") || "none",
    "port for certificates": `${settings.otherPort?.port ?? "none"}`,
    "header with the certificate": configuration.clientCertHeader ?? "none",
  };
}

// In milliseconds.
const interval = 200;

/** Polls, because file events miss renames and changes through a container's mount. Returns a function that stops. */
export function watchFile(path: string, changed: (path: string) => Promise<void>): () => void {
  // Reads the state before the first pause, so that a change immediately after this call is noticed.
  let reported = readState(path);
  let seen: string | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    const state = readState(path);
    reported ??= state;
    // Waits for two equal states, because editors write in several steps and some remove the file for a moment.
    if (state !== undefined && state !== reported && state === seen) {
      reported = state;
      await changed(path);
    }
    seen = state;
    if (!stopped) setTimeout(look, interval).unref();
  }

  void look();
  return () => void (stopped = true);
}

/** Returns `undefined` if the file is missing or cannot be read. */
function readState(path: string): string | undefined {
  const found = attempt(() => statSync(path));
  return found && `${found.mtimeMs} ${found.size} ${found.ino}`;
}
