/** Answers the requests of clients that register themselves, and that read, update and delete their registration. */

import { parseAuthorization } from "../../../ground/http/authorization.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { empty, json } from "../../../ground/http/respond.ts";
import type { JsonObject } from "../../../ground/schema/json_object.ts";
import { type Entry, limitAttempts } from "../../store/store.ts";
import { type Client, methodOf, usesSecret } from "../../oauth/contracts/client.ts";
import { endStoredClient } from "../../oauth/clients/records/end_client.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { provesSecret } from "../../oauth/secrets/credential.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { baseUrlFor } from "../../oauth/requests/server_urls.ts";
import { openRegistration, type Registered, updateRegistration } from "./open_registration.ts";
import { readClientMetadata, readRegistrationBody } from "./read_metadata.ts";
import { refuseMetadata } from "./refuse_metadata.ts";
import { findRegisteredClient, type RegisteredClient } from "./registered_client.ts";
import { requireRegistrant } from "./require_registrant.ts";
import { reportScope } from "./registered_scope.ts";
import { approvedLifetime } from "./registration_seats.ts";
import { present } from "../../../ground/values/present.ts";

const refusal = refusals({ error: "invalid_token" }, {
  registration_token_missing: {
    sentence: "The request has no registration access token",
    expected: "Authorization: Bearer, with the registration_access_token of this client",
    change: "Send the registration_access_token of this client as Authorization: Bearer.",
  },
  registration_token_wrong: {
    sentence: "The registration access token is not valid",
    expected:
      "the registration_access_token of the last response to this client, because each update replaces it, and a client that is still registered",
    change: "Send the registration_access_token of the latest response, because each update replaces it.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Registers a client (RFC 7591 §3). */
export async function register(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const body = await readRegistrationBody(exchange);
  // identify
  const registrant = await requireRegistrant(exchange, services);
  // validate
  const read = await readClientMetadata(body, registrant, exchange, services);
  // act
  const registered = await openRegistration(read, registrant, exchange, services);
  exchange.note({ clientId: registered.client.id, more: noteOf(registered.client) });
  // respond
  return answerRegistered(registered, { status: 201, exchange }, services);
}

/** Shows the registration (RFC 7592 §2.1). The token stays the same, because GET changes nothing (RFC 9110 §9.2.1). */
export async function showRegistration(exchange: Exchange, services: Services, id: string): Promise<Answer> {
  const { accessToken, entry: { value: client } } = await requireOwner(exchange, id, services);
  return answerRegistered({ client, accessToken }, { status: 200, exchange }, services);
}

/** Replaces the whole metadata (RFC 7592 §2.2). */
export async function replaceRegistration(
  exchange: Exchange,
  services: Services,
  id: string,
): Promise<Answer> {
  // parse
  const body = await readRegistrationBody(exchange);
  for (const retry = limitAttempts();; retry()) {
    // identify
    const { entry } = await requireOwner(exchange, id, services);
    // validate
    requireReplacement(body, entry.value);
    const registrant = { hasInitialToken: entry.value.registration.hadInitialToken };
    const read = await readClientMetadata(body, registrant, exchange, services);
    // act
    const registered = await updateRegistration(entry, read, exchange, services);
    // Another request has changed the client, and maybe its token.
    if (registered === undefined) continue;
    exchange.note({ more: noteOf(registered.client) });
    // respond
    return answerRegistered(registered, { status: 200, exchange }, services);
  }
}

/** Deletes the client, and so ends its tokens (RFC 7592 §2.3). */
export async function deleteRegistration(
  exchange: Exchange,
  services: Services,
  id: string,
): Promise<Answer> {
  for (const retry = limitAttempts();; retry()) {
    const { entry } = await requireOwner(exchange, id, services);
    if (await endStoredClient(entry, services)) return empty(204);
  }
}

interface Owned {
  readonly entry: Entry<RegisteredClient>;
  readonly accessToken: string;
}

/** Requires the registration access token of this client. A deleted client is refused in the same way (RFC 7592 §2). */
async function requireOwner(exchange: Exchange, id: string, services: Services): Promise<Owned> {
  const spec = "RFC 7592 §2";
  const challenge = { scheme: "Bearer" };
  const presented = parseAuthorization(exchange.request.header("authorization") ?? "", ["Bearer"]);
  if (presented?.text === undefined) {
    throw refusal("registration_token_missing", {
      spec,
      challenge, // RFC 6750 §3.1: a request without a token gets no error code.
      ...present({ codeless: presented === undefined || undefined }),
    });
  }
  const entry = await findRegisteredClient(id, services);
  if (entry !== undefined && provesSecret(presented.text, entry.value.registration.accessTokenHash)) {
    exchange.note({ clientId: id });
    return { entry, accessToken: presented.text };
  }
  throw refusal("registration_token_wrong", {
    spec,
    challenge,
    expected: entry === undefined
      ? "a client that is registered: this one is deleted, or its time is over"
      : "the registration_access_token of the last response to this client: each update replaces it",
    received: "another token",
  });
}

/** Names that only the server sets. A client must not send them back (RFC 7592 §2.2). */
const serverNames = [
  "registration_access_token",
  "registration_client_uri",
  "client_secret_expires_at",
  "client_id_issued_at",
] as const;

/** RFC 7592 §2.2: the client repeats its id, and its secret if it sends one. */
function requireReplacement(body: JsonObject, { id, authentication }: Client): void {
  const { client_id: givenId, client_secret: secret } = body;
  const unwanted = serverNames.find((name) => body[name] !== undefined);
  if (unwanted !== undefined) {
    refuseMetadata({ place: unwanted, expected: "must be left out of an update" }, body);
  }
  if (givenId !== id) refuseMetadata({ place: "client_id", expected: `must be ${id}` }, body);
  const hash = authentication?.secretHash;
  if (secret === undefined || hash !== undefined && provesSecret(`${secret}`, hash)) return;
  refuseMetadata({ place: "client_secret", expected: "must be the current secret, or left out" }, body);
}

function noteOf(client: RegisteredClient): Readonly<Record<string, unknown>> {
  const { hadInitialToken } = client.registration;
  return { registration: { authentication: methodOf(client), hadInitialToken } };
}

function answerRegistered(
  { client, accessToken, secret }: Registered,
  { status, exchange }: { readonly status: 200 | 201; readonly exchange: Exchange },
  services: Services,
): Answer {
  const { settings } = services;
  const { id, registration: { issuedAt, hadInitialToken, metadata }, authentication } = client;
  // The end after an approval, even before one: a client that forgot its secret sooner would have to register again.
  const end = hadInitialToken ? undefined : issuedAt + approvedLifetime;
  const ends = [authentication?.secretExpiresAt, end].filter((time) => time !== undefined);
  // 0: the secret does not expire.
  const secretEnd = ends.length === 0 ? 0 : Math.min(...ends);
  return json({
    client_id: id,
    client_id_issued_at: issuedAt,
    ...present({ client_secret: secret }),
    ...present({ client_secret_expires_at: usesSecret(methodOf(client)) ? secretEnd : undefined }),
    registration_access_token: accessToken,
    registration_client_uri: `${baseUrlFor(exchange, settings)}${settings.paths.register}/${id}`,
    ...reportScope(metadata, { hasInitialToken: hadInitialToken }, services),
  }, { status });
}
