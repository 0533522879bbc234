/** Signs the person out (OpenID Connect RP-Initiated Logout). */

import type { ServerMetadata } from "./discovery.ts";
import { Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { decryptJwt } from "./keys.ts";
import type { Login } from "./login.ts";
import { receiveLogoutTokens } from "./logout_token.ts";
import { revokeTokens } from "./revocation.ts";

const state = "a-state-of-this-sign-out";

export async function logOut(login: Login, metadata: ServerMetadata, run: Run): Promise<void> {
  const { scenario } = run;
  if (/^(?:revocation|metadata)\./.test(`${scenario.name}`)) await revokeTokens(login, metadata, run);
  scenario.serve(receiveLogoutTokens(login, metadata, run));
  const url = new URL(`${metadata.all["end_session_endpoint"]}`);
  url.search = new URLSearchParams({
    id_token_hint: await decryptJwt(`${login.tokens["id_token"]}`),
    post_logout_redirect_uri: scenario.postLogoutRedirectUri,
    state,
  }).toString();
  const returned = await scenario.browse(url).catch((error) => {
    startleIf(run, true, `the browser does not return: ${error.message}`);
  });
  if (returned === undefined) return;
  // §3.
  refuseIf(run, returned.searchParams.get("state") !== state, "the state is not of this sign-out");
  if (!returned.href.startsWith(scenario.postLogoutRedirectUri)) throw new Refusal("another address");
}
