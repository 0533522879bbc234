/** Finds where a browser lets a client begin a sign-in (OpenID Connect Core §4). */

import type { Client } from "../../oauth/clients/client.ts";
import { memberOf } from "../../oauth/clients/client_member.ts";
import { initiateLoginMember } from "../../oauth/clients/initiate_login.ts";
import type { Settings } from "../../oauth/settings.ts";

/** Where a browser lets a client begin: the address as registered, and with the issuer (Core §4). */
export interface InitiateLogin {
  readonly uri: string;
  readonly url: string;
}

export function findInitiateLogin(
  client: Client,
  { issuer }: Pick<Settings, "issuer">,
): InitiateLogin | undefined {
  const uri = memberOf(client, initiateLoginMember);
  if (uri === undefined) return undefined;
  return { uri, url: `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams({ iss: issuer })}` };
}
