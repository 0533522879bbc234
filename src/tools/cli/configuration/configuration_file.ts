/** What a configuration file says, and errors that name the place of a mistake in it. */

import { findProfile } from "../../../server/oauth/contracts/paths.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { SetUpMistake } from "../../../server/oauth/options/set_up_mistake.ts";
import { CommandError } from "../terminal/command_error.ts";
import type { NotCarriedOver } from "./navikt/navikt_configuration.ts";

/** A configuration file, translated if it was written for another server. */
export interface ConfigurationFile {
  readonly configuration: Configuration;
  /**
   * Returns the name of the file, with the line and column of a place: `postern.json:3:14`. Absent without a file, and
   * `undefined` for a place that is in no file.
   */
  readonly locate?: (place: string) => string | undefined;
  /** Present if the file was written for mock-oauth2-server. */
  readonly notCarriedOver?: readonly NotCarriedOver[];
  /** The path of the issuer, from a file for mock-oauth2-server that names issuers. */
  readonly issuerPath?: string;
}

/** Returns the path of the issuer where the configuration gives no issuer. `paths` is the option of a flag, if any. */
export function findIssuerPath({ configuration, issuerPath }: ConfigurationFile, paths?: string): string {
  const profile = findProfile(paths ?? configuration.paths);
  return profile.namesIssuers && issuerPath !== undefined ? issuerPath : profile.issuerPath ?? "";
}

interface SetUpSources extends Pick<ConfigurationFile, "locate"> {
  /** The names of the flags that have set options, by option. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Turns a set-up mistake into a `CommandError` that names the flag, or the file and the place in it. */
export function explainingSetUp<T>({ locate, flags }: SetUpSources, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SetUpMistake)) throw error;
    const { place, problem } = error;
    const [option = ""] = place.split(/[.[]/);
    const flag = Object.hasOwn(flags, option) ? flags[option] : undefined;
    const located = locate?.(place);
    const where = located === undefined ? "" : `${located}: `;
    const message = flag === undefined ? where + problem : `--${flag}${problem.slice(place.length)}`;
    throw new CommandError(message, { cause: error });
  }
}
