/** The record of where the answer to an authorization request goes. */

import type { Client } from "../clients/client.ts";

/** Made by `requireRedirectTarget` only: a step that holds one may send the browser there. */
export interface RedirectTarget {
  readonly client: Client;
  readonly redirectUri: string;
  /** The name of a response mode that the server has. */
  readonly responseMode: string;
  readonly state?: string;
  /** The request forbids every page: `prompt=none`. */
  readonly isSilent: boolean;
  readonly verified: typeof verified;
}

declare const verified: unique symbol;
