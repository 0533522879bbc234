/** The options of `createServer`, and defaults that more than one part of the program needs. */

import type { RandomBytes } from "../crypto/bytes.ts";
import type { Jwk } from "../crypto/jwk.ts";
import type { Journal } from "../oauth/journal.ts";
import type { Seams } from "../oauth/seams.ts";
import type { FetchOthers } from "../oauth/services.ts";
import type { Store } from "../store/store.ts";
import type { Configuration } from "./configuration.ts";
import { isReachedFromElsewhere } from "./reach.ts";

/** What `createServer` takes: a configuration, and the parts that only code can bring. */
export interface ServerOptions extends Configuration {
  /** Default: memory. The server closes only a store that it made itself. */
  readonly store?: Store;
  /** Private JWKs, one for each algorithm in use. Left out: the server makes keys and keeps them in the store. */
  readonly signingKeys?: readonly Jwk[];
  /** For requests that the server makes, such as back-channel logout. Default: the platform's `fetch`. */
  readonly fetch?: FetchOthers;
  readonly seams?: Seams;
  /** Called once for each exchange. Left out: nothing is recorded. */
  readonly journal?: Journal;
  /** Seconds since 1970. */
  readonly now?: () => number;
  readonly random?: RandomBytes;
}

/** The issuer of a server that is configured with none. */
export const defaultIssuer = "http://localhost:9000";

/** Default: only where no client is configured and other machines cannot reach the server. */
export function acceptsFirstUse({ firstUse, clients, issuer = defaultIssuer }: Configuration): boolean {
  return firstUse ?? (clients === undefined && !isReachedFromElsewhere({ issuer }));
}
