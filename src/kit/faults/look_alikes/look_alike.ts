/**
 * What a look-alike is: the differences between a well-known provider and this server. Each difference is documented by
 * the provider itself. A look-alike is not judged, because the provider's clients must work with it.
 */

import type { Acts, LaxSettings, Tools } from "../misbehaviour.ts";
import type { MisbehaviourName } from "../names.ts";

export interface LookAlike {
  readonly differences: readonly Difference[];
  /** Sentences about known differences that the look-alike does not have. */
  readonly leftOut: readonly string[];
}

/** One difference. The functions of the differences run in their order. */
export interface Difference {
  /** One sentence: what the provider does. "The scope in a token response is separated by commas." */
  readonly server: string;
  /** The page of the provider that says so. */
  readonly source: Source;
  /** The misbehaviour that is the same fault. Its functions and settings apply. */
  readonly same?: MisbehaviourName;
  /** Checks that the server leaves out while it looks like the provider. */
  readonly settings?: LaxSettings;
  /** Creates the functions that change what the server says. */
  acts?(tools: Tools): Acts;
}

/** A page of a provider's own documentation. */
export interface Source {
  readonly title: string;
  readonly url: string;
}
