/** The address at which a client begins a sign-in that another party asks for (OpenID Connect Core §4). */

import type { ClientMember } from "../../contracts/feature.ts";
import { memberOf } from "../../contracts/feature_values.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { Client } from "../../contracts/client.ts";
import { uriText } from "./metadata_texts.ts";
import { unfitForHttps } from "./redirect_uri.ts";

export const initiateLoginMember: ClientMember<string> = {
  name: "initiate_login_uri",
  schema: { ...uriText, examples: ["https://app.example/login"] },
  // OpenID Connect Dynamic Client Registration §2.
  check: unfitForHttps,
};

export function findInitiateLogin(
  client: Client,
  { issuer }: Settings,
): { readonly uri: string; readonly url: string } | undefined {
  const uri = memberOf(client, initiateLoginMember);
  if (uri === undefined) return undefined;
  return { uri, url: `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams({ iss: issuer })}` };
}
