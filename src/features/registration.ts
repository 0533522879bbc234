/**
 * Clients register themselves, and read, update and delete their registration (RFC 7591, RFC 7592, OpenID Connect Dynamic
 * Client Registration 1.0).
 */

import { parseAuthorization } from "../http/authorization.ts";
import type { Answer } from "../http/message.ts";
import { empty } from "../http/respond.ts";
import type { JsonObject } from "../schema/json_object.ts";
import type { Entry } from "../store/store.ts";
import { type Client, methodOf } from "../oauth/clients/client.ts";
import { listClients, storedClients } from "../oauth/clients/stored_client.ts";
import { usualPaths } from "../oauth/endpoints/paths.ts";
import { fail } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { ClientSource, Feature } from "../oauth/feature.ts";
import { applicationTypeMember } from "../oauth/registration/application_type.ts";
import { answerRegistered } from "../oauth/registration/describe_registered.ts";
import {
  endRegistration,
  openRegistration,
  updateRegistration,
} from "../oauth/registration/open_registration.ts";
import { readClientMetadata, readRegistrationBody } from "../oauth/registration/read_metadata.ts";
import { refuseMetadata } from "../oauth/registration/refuse_metadata.ts";
import {
  isRegisteredId,
  loadRegisteredClient,
  type RegisteredClient,
  registrationSource,
} from "../oauth/registration/registered_client.ts";
import { requireRegistrant } from "../oauth/registration/require_registrant.ts";
import type { Services } from "../oauth/services.ts";
import { provesSecret } from "../oauth/tokens/credential.ts";

export type RegistrationReason =
  | "registration_token_missing"
  | "registration_token_wrong"
  | "registration_ended";

export function registration(): Feature<"register"> {
  const managed = {
    path: `${usualPaths.register}/{client_id}`,
    name: "register",
    refusal: "json",
    cors: true,
  } as const;
  return {
    name: "registration",
    spec: "RFC 7591, RFC 7592",
    endpoints: [
      {
        method: "POST",
        path: usualPaths.register,
        name: "register",
        metadataName: "registration_endpoint",
        refusal: "json",
        cors: true,
        handle: register,
      },
      { ...managed, method: "GET", handle: showRegistration },
      { ...managed, method: "PUT", handle: replaceRegistration },
      { ...managed, method: "DELETE", handle: deleteRegistration },
    ],
    clientSources: [source],
    clientMembers: [applicationTypeMember],
  };
}

const source: ClientSource = {
  name: registrationSource,
  expects: ({ baseUrl, paths }) => `a client that registered at ${baseUrl}${paths.register}`,
  owns: isRegisteredId,
  find: async (id, services) => (await loadRegisteredClient(id, services))?.value,
  list: (services) => listClients(registrationSource, services),
  keep: recordApproval,
};

/** Registers a client (RFC 7591 §3). */
async function register(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const body = await readRegistrationBody(exchange);
  // identify
  const registrant = await requireRegistrant(exchange, services);
  // validate
  const metadata = await readClientMetadata(body, registrant, services);
  // act
  const registered = await openRegistration(metadata, registrant, exchange, services);
  exchange.note({ clientId: registered.client.id, more: noteOf(registered.client) });
  // respond
  return answerRegistered(registered, { status: 201 }, services);
}

/** Shows the registration (RFC 7592 §2.1). The token stays the same, because GET changes nothing (RFC 9110 §9.2.1). */
async function showRegistration(exchange: Exchange, services: Services, id: string): Promise<Answer> {
  const { accessToken, entry: { value: client, expiresAt } } = await requireOwner(exchange, id, services);
  return answerRegistered({ client, expiresAt, accessToken }, { status: 200 }, services);
}

/** Replaces the whole metadata (RFC 7592 §2.2). */
async function replaceRegistration(exchange: Exchange, services: Services, id: string): Promise<Answer> {
  // parse
  const body = await readRegistrationBody(exchange);
  while (true) {
    // identify
    const { entry } = await requireOwner(exchange, id, services);
    // validate
    requireReplacement(body, entry.value);
    const registrant = { hasInitialToken: entry.value.registration.hadInitialToken };
    const metadata = await readClientMetadata(body, registrant, services);
    // act
    const registered = await updateRegistration(entry, metadata, exchange, services);
    // Another request has changed the client, and maybe its token.
    if (registered === undefined) continue;
    exchange.note({ more: noteOf(registered.client) });
    // respond
    return answerRegistered(registered, { status: 200 }, services);
  }
}

/** Deletes the client, and so ends its tokens (RFC 7592 §2.3). */
async function deleteRegistration(exchange: Exchange, services: Services, id: string): Promise<Answer> {
  while (true) {
    const { entry } = await requireOwner(exchange, id, services);
    if (await endRegistration(entry, services)) return empty(204);
  }
}

interface Owned {
  readonly entry: Entry<RegisteredClient>;
  /** The registration access token of the request. */
  readonly accessToken: string;
}

/** Requires the registration access token of this client. A deleted client is refused in the same way (RFC 7592 §2). */
async function requireOwner(exchange: Exchange, id: string, services: Services): Promise<Owned> {
  const spec = "RFC 7592 §2";
  const challenge = { scheme: "Bearer" };
  const presented = parseAuthorization(exchange.request.header("authorization") ?? "", ["Bearer"]);
  if (presented?.text === undefined) {
    fail<RegistrationReason>("invalid_token", "The request has no registration access token", {
      reason: "registration_token_missing",
      ...{ spec, challenge },
      // RFC 6750 §3.1: a request without a token gets no error code.
      ...(presented === undefined ? { codeless: true } : {}),
      expected: "Authorization: Bearer, with the registration_access_token of this client",
    });
  }
  const entry = await loadRegisteredClient(id, services);
  if (entry !== undefined && provesSecret(presented.text, entry.value.registration.accessTokenHash)) {
    exchange.note({ clientId: id });
    return { entry, accessToken: presented.text };
  }
  return fail<RegistrationReason>("invalid_token", "The registration access token is not valid", {
    reason: "registration_token_wrong",
    ...{ spec, challenge },
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

/** Records that a person has approved the client, so that it receives error responses from now on. */
async function recordApproval(client: Client, services: Services): Promise<Client> {
  const { store, now } = services;
  while (true) {
    const entry = await loadRegisteredClient(client.id, services);
    if (entry === undefined) {
      fail<RegistrationReason>("invalid_request", "The registration of this client has ended", {
        reason: "registration_ended",
        expected: "a client that registers again",
        received: client.id,
      });
    }
    const { value, version, expiresAt } = entry;
    if (value.approvedBy !== undefined) return value;
    const approved = { ...value, approvedBy: "person" } as const;
    const terms = { expiresAt, now: now(), if: version };
    if (await store.put(storedClients, client.id, approved, terms) !== undefined) return approved;
  }
}

function noteOf(client: RegisteredClient): Readonly<Record<string, unknown>> {
  const { hadInitialToken } = client.registration;
  return { registration: { authentication: methodOf(client), hadInitialToken } };
}
