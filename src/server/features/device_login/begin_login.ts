/** Begins a device login: gives the client a device code, and the person a user code (RFC 8628 §3.1, §3.2). */

import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { requireSector } from "../../oauth/clients/metadata/sector.ts";
import { type Client, publicClientMethod } from "../../oauth/contracts/client.ts";
import { memberRemedy } from "../../oauth/clients/records/client_remedy.ts";
import { findForeignOrigin } from "../../oauth/clients/reach/foreign_origin.ts";
import { noteAccess } from "../../oauth/clients/metadata/scope.ts";
import { type AuthenticatedClient, isUnproven } from "../../oauth/contracts/authenticated_client.ts";
import { keepWaiting, mostWaitingTime } from "../../oauth/clients/records/waiting_clients.ts";
import {
  requireAccess,
  requireShortForm,
  requireSupportedParams,
} from "../../oauth/authorization/require_authorization_request.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import { type Params, readForm, requireUnrepeatedForm } from "../../oauth/contracts/params.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { createPeerLimit, type PeerLimit } from "../../oauth/people/peer_limit.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { perServer } from "../../oauth/contracts/per_server.ts";
import { describeConfirmation, proveSender, provesKey } from "../../oauth/tokens/prove_sender.ts";
import type { Confirmation } from "../../oauth/contracts/sender.ts";
import { present } from "../../../ground/values/present.ts";
import { deviceCodeLifetime, deviceGrantType } from "./device_settings.ts";
import { storeRequest } from "./device_request.ts";
import { firstInterval } from "./poll_interval.ts";
import { formatUserCode } from "./user_code.ts";
import { isFromThisMachineOrProcess } from "../../../ground/http/request_origin.ts";
import { authenticateClient } from "../../oauth/clients/authentication/authenticate_client.ts";
import { findNamedClient, findPollingCandidate } from "../../oauth/clients/records/find_client.ts";
import { readCredentials } from "../../oauth/clients/authentication/read_credentials.ts";

const refusal = refusals({
  device_login_from_foreign_origin: {
    error: "access_denied",
    status: 403,
    spec: "RFC 8628 §5.4",
    sentence: "A foreign web page may not begin a device login",
    expected: "a request without Origin, or from a page of this host or of this machine",
    change: "Begin the device login from a program.",
  },
  device_login_not_for_client: {
    error: "unauthorized_client",
    spec: "RFC 8628 §3.1",
    sentence: "This client may not begin a device login",
    expected: "a client whose grant_types name the device code",
    change: "Add urn:ietf:params:oauth:grant-type:device_code to grant_types of this client.",
  },
  device_prompt_none: {
    error: "invalid_request",
    spec: "RFC 8628 §3.3",
    sentence: "A device login always shows pages, and prompt=none forbids them",
    expected: "another prompt, or none at all",
    change: "Leave prompt=none out.",
  },
  device_key_differs: {
    error: "invalid_request",
    spec: "RFC 9449 §10",
    sentence: "The request proves another key than it names",
    expected: "{named}",
    change: "Sign the proof with the key that the request names, or do not name a key.",
  },
  too_many_device_logins: {
    error: "temporarily_unavailable",
    status: 429,
    sentence: "Too many device logins from one address: wait {seconds} s",
    expected: "at most 300 a minute from one address, without a secret or a key",
    change: "Wait as long as the refusal says, or authenticate the client.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The limit for clients that any program can be, because the server stores each login for some minutes. */
const mostUnprovenLogins = 300;

export function createBeginHandler(): (exchange: Exchange, services: Services) => Promise<Answer> {
  const limitOf = perServer(({ now }) => createPeerLimit(now, mostUnprovenLogins));
  return (exchange, services) => beginLogin(exchange, services, limitOf(services));
}

async function beginLogin(exchange: Exchange, services: Services, limit: PeerLimit): Promise<Answer> {
  // parse
  const form = await readForm(exchange);
  requireShortForm(exchange);
  requireUnrepeatedForm(form);
  requireLocalPage(exchange, services);
  // identify
  const beginning = await identifyClient(exchange, form, services);
  requireUnderLimit(beginning, exchange, limit);
  requireDeviceClient(beginning.client, services);
  // validate
  requireSupportedParams(form, services);
  const access = await requireAccess(form, beginning.client, services);
  requirePages(access.prompt);
  await requireSector(beginning.client, exchange, services);
  const confirmation = await findKey(access.confirmation, beginning, exchange, services);
  // act
  if (beginning.isUnknown) await keepWaiting(beginning.client, services);
  const lifetime = lifetimeOf(beginning, services);
  const params = chooseParams(form, services);
  const defaultScope = form.get("scope") === undefined ? access.scope : undefined;
  const request = {
    ...{ clientId: beginning.client.id, params, lifetime },
    ...present({ confirmation, defaultScope }),
  };
  const { id, deviceCode, userCode } = await storeRequest(request, services);
  exchange.note({ flow: id });
  noteAccess(access, exchange, services);
  // respond
  const shown = formatUserCode(userCode);
  const page = services.slots.endpoints.find(({ path }) => path === paths.device);
  const address = page?.url ?? services.settings.baseUrl + paths.device;
  return json({
    device_code: deviceCode,
    user_code: shown,
    verification_uri: address,
    verification_uri_complete: `${address}?user_code=${shown}`,
    expires_in: lifetime,
    interval: firstInterval,
  });
}

/** A page of another site must not begin a login whose code it then shows to the person. */
function requireLocalPage(exchange: Exchange, services: Services): void {
  const origin = findForeignOrigin(exchange, services);
  if (origin === undefined) return;
  throw refusal("device_login_from_foreign_origin", { received: `Origin: ${origin}` });
}

function requireUnderLimit(client: BeginningClient, { request }: Exchange, limit: PeerLimit): void {
  const seconds = isUnproven(client) ? limit.count(request.peer) : 0;
  if (seconds === 0) return;
  throw refusal("too_many_device_logins", { seconds, headers: { "retry-after": String(seconds) } });
}

/** RFC 10027: a client has the grant only if its metadata names it. */
function requireDeviceClient(client: Client, services: Services): void {
  const { grantTypes } = client;
  if (grantTypes.includes(deviceGrantType)) return;
  throw refusal("device_login_not_for_client", {
    expected: `${deviceGrantType} among the grant_types of the client`,
    received: grantTypes.join(", ") || "no grant type at all",
    ...memberRemedy(client, { grant_types: [...grantTypes, deviceGrantType] }, services),
  });
}

function requirePages(prompt: readonly string[] = []): void {
  if (prompt.includes("none")) throw refusal("device_prompt_none", { received: "prompt=none" });
}

/** Returns the key that the device code is bound to: the one that the request proves or names (RFC 9449 §10). */
async function findKey(
  named: Confirmation | undefined,
  client: BeginningClient,
  exchange: Exchange,
  services: Services,
): Promise<Confirmation | undefined> {
  const sender = await proveSender(exchange, client, services);
  const { confirmation: proved } = sender;
  if (named === undefined || proved === undefined || provesKey(sender, named)) return proved ?? named;
  throw refusal("device_key_differs", {
    named: describeConfirmation(named),
    received: describeConfirmation(proved),
  });
}

function lifetimeOf({ isUnknown }: BeginningClient, { settings }: Services): number {
  const lifetime = settingOf(settings, deviceCodeLifetime);
  return isUnknown ? Math.min(lifetime, mostWaitingTime) : lifetime;
}

/** Returns the parameters that the server reads again when the person answers. */
function chooseParams({ pairs }: Params, { slots }: Services): Params["pairs"] {
  const isRead = (name: string) =>
    ["scope", "resource", "login_hint"].includes(name) || slots.requestParams.has(name);
  return pairs.filter(([name]) => isRead(name));
}

interface BeginningClient extends Pick<AuthenticatedClient, "client" | "method"> {
  /** No person has approved the client, which becomes known by this login (first use). */
  readonly isUnknown: boolean;
}

/** Finds the client, which authenticates as at the token endpoint (RFC 8628 §3.1). */
async function identifyClient(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<BeginningClient> {
  const candidate = await findCandidate(exchange, form, services);
  if (candidate === undefined) {
    return { ...await authenticateClient(exchange, form, services), isUnknown: false };
  }
  exchange.note({ clientId: candidate.id });
  // The first redemption decides how the client authenticates, so a secret proves nothing now.
  return { client: candidate, method: publicClientMethod, isUnknown: true };
}

/** Returns the client that an unknown id becomes if a person approves the login. Only programs of this machine can. */
async function findCandidate(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<Client | undefined> {
  const { readings } = readCredentials(exchange, form, services);
  const [{ clientId, prove }] = readings as [typeof readings[number]];
  if (prove !== undefined || !isFromThisMachineOrProcess(exchange.request)) return undefined;
  for (const reading of readings) {
    const client = await findNamedClient(reading, exchange, services);
    // A client that polls for another login of the same id is still unknown.
    if (client !== undefined && !(client.unregistered && client.approvedBy === undefined)) return undefined;
  }
  return await findPollingCandidate(clientId, deviceGrantType, services);
}
