/** The token endpoint (OAuth 2.1 §3.2). */

import { json } from "../http/respond.ts";
import { authenticateClient } from "../oauth/authenticate_client.ts";
import type { Client } from "../oauth/client.ts";
import { fail } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature, GrantType } from "../oauth/feature.ts";
import { commitRedemption, prepareTokens } from "../oauth/issue_tokens.ts";
import { readForm, requireParam, requireUnrepeatedForm } from "../oauth/params.ts";
import { paths } from "../oauth/paths.ts";
import { passSeam } from "../oauth/seams.ts";
import type { Services } from "../oauth/services.ts";

export type TokenReason = "grant_type_unsupported" | "grant_type_not_for_client";

export function token(): Feature {
  return {
    name: "token",
    spec: "OAuth 2.1 §3.2",
    endpoints: [{
      method: "POST",
      path: paths.token,
      name: "token_endpoint",
      refusal: "json",
      cors: true,
      handle: exchangeToken,
    }],
  };
}

async function exchangeToken(exchange: Exchange, services: Services): Promise<Response> {
  // parse
  const form = await readForm(exchange);
  requireUnrepeatedForm(form);
  // identify
  const client = await authenticateClient(exchange, form, services);
  // validate
  const grantType = requireGrantType(requireParam(form, "grant_type"), client.client, services);
  exchange.note({ grantType: grantType.name });
  const redemption = await grantType.redeem({ exchange, form, client }, services);
  // act
  const tokens = await prepareTokens(redemption, exchange, services);
  await client.settle();
  await commitRedemption(redemption, tokens, services);
  // respond
  const answer = { status: 200, members: tokens.members };
  const { status, members } = await passSeam(
    services.seams,
    "token_response",
    answer,
    exchange,
    redemption.grant,
  );
  return json(members, { status });
}

function requireGrantType(name: string, client: Client, { slots }: Services): GrantType {
  const grantType = slots.grantTypes.get(name);
  if (grantType === undefined) {
    fail<TokenReason>("unsupported_grant_type", "This grant_type is not supported", {
      reason: "grant_type_unsupported",
      spec: "OAuth 2.1 §3.2.4",
      expected: [...slots.grantTypes.keys()].join(", "),
      received: name,
    });
  }
  if (!client.grantTypes.includes(name)) {
    fail<TokenReason>("unauthorized_client", `This client may not use grant_type ${name}`, {
      reason: "grant_type_not_for_client",
      spec: "OAuth 2.1 §3.2.4",
      expected: client.grantTypes.join(", ") || "no grant type at all",
      received: name,
    });
  }
  return grantType;
}
