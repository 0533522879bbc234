/** Where an application receives authorization responses, if its library decides that, or if it serves the path itself. */

import { isLoopbackUri } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import type { FormValues, WriteText } from "./write_form.ts";

export interface LibraryAddress {
  /** Matches such an address. The group is the application's name for this server. */
  readonly pattern: RegExp;
  /** The path in front of this name. */
  readonly path: string;
  /** The origin of an application whose redirect URI is not configured yet. */
  readonly origin: string;
}

export function describeCallback(
  { redirectUris, isNew }: { readonly redirectUris: readonly string[]; readonly isNew: boolean },
  { pattern, path, origin }: LibraryAddress,
  text: WriteText,
): FormValues {
  const found = redirectUris.find((uri) => pattern.test(uri));
  const provider = pattern.exec(found ?? "")?.[1] ?? "postern";
  const [first] = redirectUris;
  const own = !isNew && first !== undefined && /^https?:/.test(first) ? new URL(first).origin : origin;
  const address = found ?? own + path + provider;
  const isMissing = first !== undefined && found === undefined && !isNew;
  // The port of a loopback redirect URI may differ (RFC 8252 §7.3), so Spring fills in its own, also in a test.
  const isFixed = found !== undefined && !isLoopbackUri(found);
  return {
    PROVIDER: provider,
    CALLBACK_ORIGIN: first === undefined ? [] : [new URL(address).origin],
    CALLBACK_URI: found !== undefined || isNew ? [address] : [],
    CALLBACK_NOTE: isMissing
      ? [`receives the answer at ${path}${provider}: add ${address} to redirect_uris, beside ${first}`]
      : [],
    LOOPBACK_CALLBACK_URI: found === undefined || isFixed ? [] : [found],
    FIXED_CALLBACK_URI: text(address),
    fixed_callback: isFixed,
  };
}

/** Describes the first redirect URI over HTTP, which a program can serve. An app has others, which no program can serve. */
export function describeServedAddress(
  redirectUris: readonly string[],
  text: WriteText,
): FormValues {
  const found = redirectUris.find((uri) => /^https?:/.test(uri));
  const served = found ?? "http://localhost:3000/callback";
  const path = new URL(served).pathname;
  return {
    SERVED_URI: text(served),
    SERVED_PATH: text(path),
    SERVED_PORT: portOf(served),
    SERVED_NOTE: found === undefined
      ? [`receives the answer over HTTP: add ${served} to redirect_uris, beside ${redirectUris[0]}`]
      : [],
    LOGIN_PATH: path === "/login" ? "/" : "/login",
    local_callback: redirectUris.some((uri) => /^http:\/\/localhost(:\d+)?\/callback$/.test(uri)),
  };
}

/** The port on which a program serves a URL. A proxy receives https, and passes the requests on. */
export function portOf(url: string): string {
  const { port, protocol } = new URL(url);
  return port || (protocol === "https:" ? "8000" : "80");
}
