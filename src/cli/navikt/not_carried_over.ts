/** Notes about the parts of a configuration that have no equivalent. */

import type { Configuration } from "../../setup/configuration.ts";

/** A part of the configuration that has no equivalent. */
export interface NotCarriedOver {
  readonly place: string;
  /** A sentence that says what to use instead. */
  readonly instead: string;
}

/** Notes a part that does not carry over, unless the file has the key of Postern that takes its place. */
export type LeaveOut = (place: string, instead: string, key?: keyof Configuration) => void;
