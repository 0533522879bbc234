/** Sign-out that a client asks for (OpenID Connect RP-Initiated Logout). */

import type { Endpoint, Feature } from "../../oauth/contracts/feature.ts";
import { usualPaths } from "../../oauth/contracts/paths.ts";
import { endSession } from "./end_session.ts";
import { postLogoutRedirectUris } from "./post_logout_redirect_uris.ts";

export function logout(): Feature<"logout"> {
  const endpoint: Omit<Endpoint<"logout">, "method"> = {
    name: "logout",
    path: usualPaths.logout,
    metadataName: "end_session_endpoint",
    params: ["id_token_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales"],
    refusal: "page",
    handle: endSession,
  };
  return {
    name: "logout",
    spec: "OpenID Connect RP-Initiated Logout",
    clientMembers: [postLogoutRedirectUris],
    endpoints: [{ method: "GET", ...endpoint }, { method: "POST", ...endpoint }],
  };
}
