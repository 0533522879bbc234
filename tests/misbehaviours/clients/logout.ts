/** Signs the person out (OpenID Connect RP-Initiated Logout). */

import type { ServerMetadata } from "./discovery.ts";
import type { Run } from "./habits.ts";
import type { Login } from "./login.ts";

export async function logOut({ tokens }: Login, { all }: ServerMetadata, { scenario }: Run): Promise<void> {
  const url = new URL(`${all["end_session_endpoint"]}`);
  url.search = new URLSearchParams({
    id_token_hint: `${tokens["id_token"]}`,
    post_logout_redirect_uri: scenario.postLogoutRedirectUri,
    state: "a-state-of-this-sign-out",
  }).toString();
  await scenario.browse(url);
}
