/** Formats a registered client for its owner (RFC 7591 §3.2.1, RFC 7592 §3). */

import type { Answer } from "../../http/message.ts";
import { json } from "../../http/respond.ts";
import { never } from "../../store/store.ts";
import { methodOf, usesSecret } from "../clients/client.ts";
import type { Services } from "../services.ts";
import type { Registered } from "./open_registration.ts";
import { reportScope } from "./registered_scope.ts";

/** Answers with the metadata, as the server registered it, and with the credentials. */
export function answerRegistered(
  { client, expiresAt, accessToken, secret }: Registered,
  { status }: { readonly status: 200 | 201 },
  services: Services,
): Answer {
  const { baseUrl, paths } = services.settings;
  const { id, registration, authentication } = client;
  const ends = [authentication?.secretExpiresAt, expiresAt === never ? undefined : expiresAt];
  return json({
    client_id: id,
    client_id_issued_at: registration.issuedAt,
    ...(secret === undefined ? {} : { client_secret: secret }),
    // 0: the secret does not expire.
    ...(usesSecret(methodOf(client)) ? { client_secret_expires_at: earliest(ends) ?? 0 } : {}),
    registration_access_token: accessToken,
    registration_client_uri: `${baseUrl}${paths.register}/${id}`,
    ...reportScope(registration.metadata, { hasInitialToken: registration.hadInitialToken }, services),
  }, { status });
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
