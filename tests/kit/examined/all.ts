/** The examined libraries, by the names of their cards. */

import { arctic } from "./arctic.ts";
import { authCore, authCoreWithChecks } from "./auth_core.ts";
import { betterAuthClient } from "./better_auth.ts";
import type { Examined } from "./examined.ts";
import { expressOpenidConnect } from "./express_openid_connect.ts";
import { mcpSdk } from "./mcp_sdk.ts";
import { oauth4webapi, oauth4webapiWithSignatures } from "./oauth4webapi.ts";
import { oidcClientTs } from "./oidc_client_ts.ts";
import { openidClient, openidClientWithSignatures } from "./openid_client.ts";
import { passportOauth2 } from "./passport_oauth2.ts";
import { simpleOauth2 } from "./simple_oauth2.ts";

export const examined: Readonly<Record<string, Examined>> = {
  openid_client: openidClient,
  openid_client_signatures: openidClientWithSignatures,
  oauth4webapi,
  oauth4webapi_signatures: oauth4webapiWithSignatures,
  oidc_client_ts: oidcClientTs,
  auth_core: authCore,
  auth_core_checks: authCoreWithChecks,
  better_auth: betterAuthClient,
  mcp_sdk: mcpSdk,
  express_openid_connect: expressOpenidConnect,
  passport_oauth2: passportOauth2,
  simple_oauth2: simpleOauth2,
  arctic,
};
