/** Writes the lines for curl with which another client exchanges the access token of a login (RFC 8693). */

import { quoteShellWord } from "../../server/client/shell.ts";
import { type Client, methodOf, sendsSecret } from "../../server/oauth/clients/client.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import type { ClientMetadata } from "../../server/setup/client_metadata.ts";
import { type Application, urlOf, whereSecretIs } from "./application_terms.ts";
import { parameter, send } from "./curl_lines.ts";

const secretName = "EXCHANGE_CLIENT_SECRET";

const grantType = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

/** Returns nothing if no client may exchange the token, or only with an actor_token. */
export function exchangeToken(application: Application, settings: Settings): readonly string[] {
  const client = [...settings.clients.values()].find((each) => mayExchange(each, application));
  if (client === undefined) return [];
  const [audience = ""] = termsOf(client)?.to ?? [];
  const exchanger = { ...application, clientId: client.id, method: methodOf(client) };
  return [
    `# ${quoteShellWord(client.id)} exchanges the token. $${secretName}: ${whereSecretIs(exchanger)}`,
    ...send(
      "exchanged",
      urlOf("token", settings),
      [
        parameter("grant_type", grantType),
        '--data-urlencode "subject_token=$access_token"',
        parameter("subject_token_type", accessTokenType),
        parameter("audience", audience),
      ],
      exchanger,
      secretName,
    ),
    'printf "%s\\n" "$exchanged"',
  ];
}

function mayExchange(client: Client, { clientId }: Application): boolean {
  const { from = [], to = [], actors = [] } = termsOf(client) ?? {};
  return sendsSecret(methodOf(client)) && from.includes(clientId) && to.length > 0 && actors.length === 0;
}

function termsOf({ members }: Client): ClientMetadata["token_exchange"] {
  return members["token_exchange"] as ClientMetadata["token_exchange"];
}
