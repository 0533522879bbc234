/** Calls an API that belongs to the client, so that the API meets the faults of the access token. */

import { createApi } from "../apis/api.ts";
import type { ServerMetadata } from "./discovery.ts";
import { choosePatience, type Kind, Refusal, refuseIf, type Run } from "./habits.ts";
import type { Login } from "./login.ts";

/** Whether an API of the client takes the token of each login. */
export function hasOwnApi(kind: Kind | undefined): boolean {
  return kind === "own_api" || kind === "introspection" || kind === "introspection_jwt";
}

const credentials = { client_id: "orders-api", client_secret: "secret-of-the-api" };

export async function callOwnApi(
  { tokens }: Login,
  { issuer, jwksUri, all }: ServerMetadata,
  run: Run,
): Promise<void> {
  const { as, scenario: { api, name }, kind, habits, certificate } = run;
  as.clients.add({ ...credentials, grant_types: ["client_credentials"], introspects: [api] });
  const asks = kind?.startsWith("introspection") ?? name?.startsWith("introspection.");
  // A client without checks guesses a missing address.
  const { introspection_endpoint: endpoint = `${issuer}/introspect` } = all;
  // RFC 7662 §4.
  refuseIf(
    run,
    !/^https:/.test(`${all["introspection_endpoint"]}`),
    `the introspection endpoint is ${all["introspection_endpoint"]}`,
  );
  const answerCall = createApi({
    ...{ habits, fetch: as.fetch, issuer, jwksUri, audience: api, scope: "orders" },
    ...(asks
      ? {
        introspection: {
          endpoint: `${endpoint}`,
          clientId: credentials.client_id,
          clientSecret: credentials.client_secret,
          patience: choosePatience(run),
          wantsJwt: kind === "introspection_jwt" || name?.startsWith("introspection.jwt_") === true,
        },
      }
      : {}),
  });
  const response = await answerCall(
    new Request(api, { headers: { authorization: `Bearer ${tokens["access_token"]}` } }),
    certificate?.cert,
  );
  const { status, headers } = response;
  if (status !== 200) throw new Refusal(`the API answers ${status}: ${headers.get("www-authenticate")}`);
}
