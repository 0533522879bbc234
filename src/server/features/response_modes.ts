/** Sends authorization responses in the query or the fragment (OAuth 2.0 Multiple Response Types §2.1). */

import { redirect } from "../../ground/http/respond.ts";
import { withQuery } from "../oauth/clients/metadata/redirect_uri.ts";
import type { Feature } from "../oauth/contracts/feature.ts";
import { formatParams } from "../../ground/http/form.ts";

export function responseModes(): Feature {
  return {
    name: "response_modes",
    spec: "OAuth 2.0 Multiple Response Types §2.1",
    responseModes: [
      {
        name: "query",
        respond: ({ redirectUri }, params) => redirect(withQuery(redirectUri, formatParams(params))),
      },
      {
        name: "fragment",
        respond: ({ redirectUri }, params) => redirect(`${redirectUri}#${formatParams(params)}`),
      },
    ],
  };
}
