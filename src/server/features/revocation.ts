/** Token revocation: a client ends a refresh token and its grant, or one access token (RFC 7009). */

import type { Answer } from "../../ground/http/message.ts";
import { json } from "../../ground/http/respond.ts";
import { authenticateClient } from "../oauth/clients/authentication/authenticate_client.ts";
import { hasCredentials } from "../oauth/clients/authentication/read_credentials.ts";
import type { Client } from "../oauth/contracts/client.ts";
import { usualPaths } from "../oauth/contracts/paths.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Feature, Services } from "../oauth/contracts/feature.ts";
import { type Params, readForm, requireParam, requireUnrepeatedForm } from "../oauth/contracts/params.ts";
import { type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { bearer } from "../oauth/contracts/sender.ts";
import { endToken, findToken } from "../oauth/tokens/find_token.ts";
import { refuseOtherIssuer, revokeGrant } from "../oauth/tokens/check_grant.ts";
import { present } from "../../ground/values/present.ts";

const refusal = refusals({
  token_of_another_client: {
    error: "unauthorized_client",
    spec: "RFC 7009 §2.1",
    sentence: "The token was given to another client",
    expected: "the client to which the token was issued",
    change: "Revoke the token as the client to which it was issued.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function revocation(): Feature<"revoke"> {
  return {
    name: "revocation",
    spec: "RFC 7009",
    endpoints: [{
      method: "POST",
      name: "revoke",
      path: usualPaths.revoke,
      metadataName: "revocation_endpoint",
      announcesClientAuth: "all",
      params: ["token", "token_type_hint"],
      refusal: "json",
      cors: true,
      handle: revoke,
    }],
  };
}

async function revoke(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const form = await readForm(exchange);
  requireUnrepeatedForm(form);
  // identify
  const client = await identify(exchange, form, services);
  // validate
  const text = requireParam(form, "token");
  const token = await findToken(text, form.get("token_type_hint"), services);
  // RFC 7009 §2.2: an unknown token counts as revoked. The empty object is for clients that parse every response as
  // JSON.
  if (token === undefined) return json({});
  refuseOtherIssuer(token, { credential: "token", error: "invalid_request" }, services);
  if (client !== undefined && token.clientId !== client.id) {
    throw refusal("token_of_another_client", { expected: token.clientId, received: client.id });
  }
  exchange.note(present({ flow: token.grantId }));
  // act
  if (services.settings.revokesGrants && token.grantId !== undefined) {
    await revokeGrant(token.grantId, services);
  } else await endToken(token, services);
  // respond
  return json({});
}

/** Returns `undefined` if the request names no client, and needs none. */
async function identify(exchange: Exchange, form: Params, services: Services): Promise<Client | undefined> {
  const { revokesWithoutClient } = services.settings;
  if (revokesWithoutClient && !hasCredentials(exchange, form, [bearer.tokenType])) return undefined;
  return (await authenticateClient(exchange, form, services)).client;
}
