/** What a toy is: a feature of each new kind in one file, with the requests that prove that the server takes it. */

import type { AnyFeature } from "../../src/server/oauth/contracts/feature.ts";
import type { World, WorldOptions } from "../world.ts";

/** A feature that the server has never heard of. */
export interface Toy {
  /** What kind of feature it is: "an authentication method". */
  readonly kind: string;
  readonly feature: AnyFeature;
  /** Options of the server that the toy is tried on. */
  readonly options?: WorldOptions;
  /** Uses the toy like a client would, and throws when the server does not do what the toy adds. */
  works(world: World): Promise<void>;
}
