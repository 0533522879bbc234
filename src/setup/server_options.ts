/** What `createServer` takes: a configuration, and the parts that only code can bring. */

import type { RandomBytes } from "../crypto/bytes.ts";
import type { Jwk } from "../crypto/jwk.ts";
import type { Journal } from "../oauth/journal.ts";
import { isReachedFromElsewhere } from "../oauth/reach.ts";
import type { Seams } from "../oauth/seams.ts";
import type { FetchOthers } from "../oauth/services.ts";
import type { Store } from "../store/store.ts";
import type { Configuration } from "./configuration.ts";

/** What `createServer` takes: a configuration, and the parts that only code can bring. */
export interface ServerOptions extends Configuration {
  /** Default: memory. A store that is brought along is closed by whoever brought it. */
  readonly store?: Store;
  /** Private JWKs instead of keys that are made and kept in the store: one for each algorithm that is in use. */
  readonly signingKeys?: readonly Jwk[];
  /** For what the server itself calls: a client's back-channel logout. Default: the platform's. */
  readonly fetch?: FetchOthers;
  readonly seams?: Seams;
  /** Called once for each exchange. Absent: nothing is collected. */
  readonly journal?: Journal;
  /** Seconds since 1970. */
  readonly now?: () => number;
  readonly random?: RandomBytes;
}

/** Where a server is known under that was not told anything else. */
export const defaultIssuer = "http://localhost:9000";

/** Without a client configured, and only where no stranger can come by, anybody's first use makes a client. */
export function acceptsFirstUse({ firstUse, clients, issuer = defaultIssuer }: Configuration): boolean {
  return firstUse ?? (clients === undefined && !isReachedFromElsewhere({ issuer }));
}
