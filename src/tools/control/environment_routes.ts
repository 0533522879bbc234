/** The route of the environment variables that configure an application. */

import { text } from "../../server/schema/text.ts";
import { type ControlRoute, route } from "./route.ts";
import { aText, clientAliases, closedObject, openObject, raw } from "./schemas.ts";

interface EnvironmentQuery {
  readonly client?: string;
  readonly raw?: boolean;
}

export const environmentRoutes: readonly ControlRoute[] = [
  route<unknown, EnvironmentQuery>("GET /env", "describeEnvironment", {
    summary: "Returns the environment variables that configure an application for this server.",
    query: closedObject({
      client: aText("The client id. Default: the first suitable client."),
      raw,
    }),
    aliases: clientAliases,
    answer: { ...openObject({ OAUTH_ISSUER: text, OAUTH_CLIENT_ID: text }), additionalProperties: text },
    handle({ tenant, query }) {
      const { client, raw = false } = query;
      const { OAUTH_CLIENT_SECRET: secret, ...others } = tenant.env(client);
      return { ...others, ...(raw && secret !== undefined ? { OAUTH_CLIENT_SECRET: secret } : {}) };
    },
  }),
];
