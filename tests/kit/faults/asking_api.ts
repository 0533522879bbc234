/** An API that asks the server about each access token (RFC 7662). */

import type { ExamineTerms } from "../../../src/kit/mod.ts";

type Client = NonNullable<ExamineTerms["client"]>;

const secret = "secret-of-the-api";

const asker = {
  client_id: "orders-api",
  client_secret: secret,
  grant_types: ["client_credentials"],
  introspects: ["https://api.test/orders"],
} as const;

export const askingOptions: NonNullable<ExamineTerms["options"]> = {
  alg: "ES256",
  clients: [{ client_id: "app", redirect_uris: ["https://app.test/callback"] }, asker],
};

/** A client whose API asks. `check` throws if the API refuses the token by the answer of the server. */
export function createAskingClient(
  check: (answer: { readonly active: boolean; readonly exp: number }) => void,
): Client {
  return async (as, { issuer, api }) => {
    const { access_token: token } = await as.login("alice", { scope: "openid orders", resource: api });
    const asked = await as.fetch(`${issuer}/oauth2/introspect`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${asker.client_id}:${secret}`)}` },
      body: new URLSearchParams({ token }),
    });
    check(await asked.json());
    await as.fetch(api, { headers: { authorization: `Bearer ${token}` } });
  };
}
