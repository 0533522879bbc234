/** The record of the redirect URI and the response mode of an authorization response. */

import type { Client } from "../clients/client.ts";

/** A verified target. Only `requireRedirectTarget` creates this record, so its holder may redirect the browser. */
export interface RedirectTarget {
  readonly client: Client;
  readonly redirectUri: string;
  /** The name of a response mode that the server supports. */
  readonly responseMode: string;
  readonly state?: string;
  /** Whether the request has prompt=none, which forbids pages. */
  readonly isSilent: boolean;
  readonly verified: typeof verified;
}

declare const verified: unique symbol;
