/** The address at which a client begins a sign-in that another party asks for (OpenID Connect Core §4). */

import { text } from "../../schema/text.ts";
import type { ClientMember } from "../feature.ts";
import type { Settings } from "../settings.ts";
import type { Client } from "./client.ts";
import { memberOf } from "./client_member.ts";
import { unfitForRegistration } from "./redirect_uri.ts";

export const initiateLoginMember: ClientMember<string> = {
  name: "initiate_login_uri",
  schema: {
    ...text,
    description:
      "The https address at which the client begins a sign-in when another party sends a browser there.",
    examples: ["https://app.example/login"],
  },
  check(uri) {
    // OpenID Connect Dynamic Client Registration §2.
    const expected = unfitForRegistration(uri) ?? (/^https:/i.test(uri) ? undefined : "must be https");
    return expected === undefined ? undefined : { place: initiateLoginMember.name, expected };
  },
};

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
