/** The route of the environment variables that configure an application. */

import { type ControlRoute, route } from "./route.ts";
import { aText, closedObject, openObject } from "./schema_of.ts";
import { clientAliases, raw } from "./schemas.ts";

export const environmentRoutes: readonly ControlRoute[] = [
  route("GET /env", "describeEnvironment", {
    summary: "Returns the environment variables that configure an application for this server.",
    query: closedObject({
      client: aText("The client id. Default: the first suitable client."),
      raw,
    }),
    aliases: clientAliases,
    answer: {
      ...openObject({ OAUTH_ISSUER: aText(), OAUTH_CLIENT_ID: aText() }),
      additionalProperties: aText(),
    },
    handle({ tenant, query: { client, raw = false } }) {
      const { OAUTH_CLIENT_SECRET: secret, ...others } = tenant.env(client);
      return { ...others, ...(raw && secret !== undefined ? { OAUTH_CLIENT_SECRET: secret } : {}) };
    },
  }),
];
