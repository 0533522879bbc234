/** Client credentials: a client gets a token for itself, not for a person (OAuth 2.1 §4.2). */

import type { Feature } from "../oauth/contracts/feature.ts";
import { redeemForClient } from "../oauth/tokens/redeem_for_client.ts";

export function clientCredentials(): Feature {
  return {
    name: "client_credentials",
    spec: "OAuth 2.1 §4.2",
    grantTypes: [{
      name: "client_credentials",
      params: ["scope", "resource"],
      redeem({ exchange, form, client: { client, method } }, services) {
        const terms = { client, method, scope: form.get("scope"), resource: form.all("resource") };
        return redeemForClient(terms, exchange, services);
      },
    }],
  };
}
