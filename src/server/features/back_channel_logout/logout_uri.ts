/** The client member with the address for logout tokens (OpenID Connect Back-Channel Logout §2.2). */

import { uriText } from "../../oauth/clients/metadata/metadata_texts.ts";
import { unfitForRegistration } from "../../oauth/clients/metadata/redirect_uri.ts";
import type { ClientMember } from "../../oauth/contracts/feature.ts";

export const logoutUri: ClientMember<string> = {
  name: "backchannel_logout_uri",
  schema: uriText,
  check(uri, client) {
    // The server itself calls this address.
    const expected = unfitForRegistration(uri, client) ??
      (/^https?:/.test(uri) ? undefined : "must be https, or http on loopback");
    return expected === undefined ? undefined : { place: "backchannel_logout_uri", expected };
  },
};
