/** The client member `post_logout_redirect_uris` (OpenID Connect RP-Initiated Logout §3.1). */

import { uriTexts } from "../../oauth/clients/metadata/metadata_texts.ts";
import { unfitAfterSignOut } from "../../oauth/clients/metadata/redirect_uri.ts";
import type { ClientMember } from "../../oauth/contracts/feature.ts";

export const postLogoutRedirectUris: ClientMember<readonly string[]> = {
  name: "post_logout_redirect_uris",
  schema: uriTexts,
  check(uris, client) {
    for (const [index, uri] of uris.entries()) {
      const expected = unfitAfterSignOut(uri, client);
      if (expected !== undefined) return { place: `post_logout_redirect_uris[${index}]`, expected };
    }
    return undefined;
  },
};
