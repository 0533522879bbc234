/** The route of the environment variables that configure an application. */

import { text } from "../schema/text.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { clientAliases, closedObject, openObject, raw } from "./schemas.ts";

interface EnvironmentQuery {
  readonly client?: string;
  readonly raw?: boolean;
}

export const environmentRoutes: readonly ControlRoute[] = [
  route<unknown, EnvironmentQuery>("GET /env", "describeEnvironment", {
    summary: "Returns the environment variables that configure an application for this server.",
    query: closedObject({
      client: { ...text, description: "The client id. Default: the first suitable client." },
      raw,
    }),
    aliases: clientAliases,
    answer: { ...openObject({ OAUTH_ISSUER: text, OAUTH_CLIENT_ID: text }), additionalProperties: text },
    handle: describeEnvironment,
  }),
];

function describeEnvironment({ tenant, query }: Call<unknown, EnvironmentQuery>): Reply {
  const { client, raw = false } = query;
  const { OAUTH_CLIENT_SECRET: secret, ...others } = tenant.env(client);
  return { json: { ...others, ...(raw && secret !== undefined ? { OAUTH_CLIENT_SECRET: secret } : {}) } };
}
