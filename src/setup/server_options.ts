/** The options of `createServer`, and defaults that several modules use. */

import type { RandomBytes } from "../crypto/bytes.ts";
import { needsNoKey } from "../oauth/clients/client_auth_methods.ts";
import type { Jwk } from "../crypto/jwk.ts";
import type { FetchOthers } from "../http/fetch_others.ts";
import type { Journal } from "../oauth/journal.ts";
import type { Seams } from "../oauth/seams.ts";
import type { Store } from "../store/store.ts";
import type { Configuration } from "./configuration.ts";
import { isReachedFromElsewhere } from "../oauth/clients/reached_from_elsewhere.ts";

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

/** The issuer of a server whose configuration has neither an issuer nor `paths`. */
export const defaultIssuer = "http://localhost:9000";

/** Whether first use is on. Default: only if no clients are configured and other machines cannot reach the server. */
export function acceptsFirstUse(configuration: Configuration): boolean {
  const { firstUse, exposeDemo = false, clients, issuer = defaultIssuer } = configuration;
  const isOn = firstUse ?? (clients === undefined && (exposeDemo || !isReachedFromElsewhere({ issuer })));
  return isOn && acceptsKeylessClients(configuration);
}

/** Whether a client without a key can authenticate. */
export function acceptsKeylessClients({ clientAuthMethods: methods }: Configuration): boolean {
  // The configuration may not be checked yet.
  return !Array.isArray(methods) || methods.some(needsNoKey);
}

/** Whether clients can register themselves. Default: only if other machines cannot reach the server. */
export function acceptsRegistration({ registration, issuer = defaultIssuer }: Configuration): boolean {
  return registration === undefined ? !isReachedFromElsewhere({ issuer }) : registration !== false;
}

/** Whether client documents are on. Default: only if other machines cannot reach the server. */
export function acceptsClientDocuments({ clientDocuments, issuer = defaultIssuer }: Configuration): boolean {
  return clientDocuments ?? !isReachedFromElsewhere({ issuer });
}
