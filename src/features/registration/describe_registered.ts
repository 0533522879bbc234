/** Formats a registered client for its owner (RFC 7591 §3.2.1, RFC 7592 §3). */

import type { Answer } from "../../http/message.ts";
import { json } from "../../http/respond.ts";
import { methodOf, usesSecret } from "../../oauth/clients/client.ts";
import type { Services } from "../../oauth/services.ts";
import type { Registered } from "./open_registration.ts";
import { reportScope } from "./registered_scope.ts";
import { approvedLifetime } from "./registration_places.ts";
import { present } from "../../present.ts";

/** Answers with the metadata, as the server registered it, and with the credentials. */
export function answerRegistered(
  { client, accessToken, secret }: Registered,
  { status }: { readonly status: 200 | 201 },
  services: Services,
): Answer {
  const { baseUrl, paths } = services.settings;
  const { id, registration: { issuedAt, hadInitialToken, metadata }, authentication } = client;
  // The end after an approval, even before one: a client that forgot its secret sooner would have to register again.
  const end = hadInitialToken ? undefined : issuedAt + approvedLifetime;
  const ends = [authentication?.secretExpiresAt, end];
  return json({
    client_id: id,
    client_id_issued_at: issuedAt,
    ...present({ client_secret: secret }),
    // 0: the secret does not expire.
    ...(usesSecret(methodOf(client)) ? { client_secret_expires_at: earliest(ends) ?? 0 } : {}),
    registration_access_token: accessToken,
    registration_client_uri: `${baseUrl}${paths.register}/${id}`,
    ...reportScope(metadata, { hasInitialToken: hadInitialToken }, services),
  }, { status });
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
