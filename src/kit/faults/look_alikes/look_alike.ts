/** Look-alikes: how well-known providers differ from this server. They are not judged: their clients must work. */

import type { Acts, LaxSettings, Tools } from "../misbehaviour.ts";
import type { MisbehaviourName } from "../names.ts";

export interface LookAlike {
  readonly differences: readonly Difference[];
  /** Sentences about known differences that the look-alike does not have. */
  readonly leftOut: readonly string[];
}

/** The functions of the differences run in their order. */
interface Difference {
  /** One sentence: what the provider does. "The scope in a token response is separated by commas." */
  readonly server: string;
  /** The page of the provider that says so. */
  readonly source: Source;
  /** The misbehaviour that is the same fault. Its functions and settings apply. */
  readonly same?: MisbehaviourName;
  readonly settings?: LaxSettings;
  acts?(tools: Tools): Acts;
}

export interface Source {
  readonly title: string;
  readonly url: string;
}
