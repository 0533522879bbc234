/** Exchanges the access token for one of the API, as a gateway does (RFC 8693). */

import { callApi } from "./api.ts";
import type { ServerMetadata } from "./discovery.ts";
import { refuseIf, type Run } from "./habits.ts";
import { type Login, scopeOf } from "./login.ts";
import { requestTokens } from "./token_request.ts";

const grantType = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";
const secret = "secret-of-the-gateway";

export async function exchangeAndCall({ tokens }: Login, metadata: ServerMetadata, run: Run): Promise<void> {
  const { as, scenario } = run;
  const clientId = "gateway";
  as.clients.add({
    client_id: clientId,
    client_secret: secret,
    grant_types: [grantType],
    token_exchange: { from: [scenario.clientId], to: [scenario.api] },
  });
  const asGateway: Run = { ...run, secret, scenario: { ...scenario, clientId } };
  const asked = scopeOf(run).filter((name) => name !== "offline_access");
  const exchanged = await requestTokens(
    {
      grant_type: grantType,
      subject_token: `${tokens["access_token"]}`,
      subject_token_type: accessTokenType,
      resource: scenario.api,
      scope: asked.join(" "),
    },
    asked,
    metadata,
    asGateway,
  ).catch((error) => {
    if (run.habits.checks) throw error;
    // A client without checks goes on with the token that it has.
    return tokens;
  });
  const { issued_token_type: type } = exchanged;
  refuseIf(run, type !== accessTokenType, `the new token is of the type ${type}`);
  await callApi(exchanged, asGateway);
}
