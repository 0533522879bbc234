/** The options of `createServer`. */

import type { RandomBytes } from "../../ground/crypto/bytes.ts";
import type { Jwk } from "../../ground/crypto/jwk.ts";
import type { FetchOthers } from "../../ground/http/message.ts";
import type { Journal } from "../oauth/contracts/journal.ts";
import type { Seams } from "../oauth/contracts/seams.ts";
import type { Store } from "../store/store.ts";
import type { Configuration } from "./configuration.ts";

/** The options of `createServer`: a configuration, and the options that cannot be written in JSON. */
export interface ServerOptions extends Configuration {
  /** The store for all records. Default: a memory store. `close` of the server closes only this default store. */
  readonly store?: Store;
  /** Private JWKs, one for each algorithm in use. Left out: the server creates keys and keeps them in the store. */
  readonly signingKeys?: readonly Jwk[];
  /**
   * Sends the requests of the server itself, such as back-channel logout. The server still checks the URL, the size and
   * the time. Left out: the server sends the requests, and also checks the addresses that it connects to.
   */
  readonly fetch?: FetchOthers;
  /** Functions that see and change values inside the server. */
  readonly seams?: Seams;
  /** Called once for each request with its response. Left out: the server records nothing. */
  readonly journal?: Journal;
  /** Returns the current time in seconds since 1970. Default: the system clock. */
  readonly now?: () => number;
  /** Returns random octets. Default: the platform's cryptographic generator. */
  readonly random?: RandomBytes;
}
