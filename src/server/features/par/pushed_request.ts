/** Stores pushed authorization requests, and finds them by their request_uri (RFC 9126). */

import type { Pair } from "../../../ground/http/form.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { ResolvedRequest } from "../../oauth/contracts/authorization_request.ts";
import {
  requireAuthorizationRequest,
  requireShortForm,
} from "../../oauth/authorization/require_authorization_request.ts";
import { requireRedirectTarget } from "../../oauth/authorization/require_redirect_target.ts";
import { resolveRequest } from "../../oauth/authorization/resolve_request.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { noteAccess } from "../../oauth/clients/metadata/scope.ts";
import { credentialParams } from "../../oauth/clients/authentication/read_credentials.ts";
import { describeForeignClock, type Timed, timeFor } from "../../oauth/options/clock_skew.ts";
import {
  createId,
  createSecret,
  findByCredential,
  formatCredential,
  hashSecret,
} from "../../oauth/secrets/credential.ts";
import { type AddedErrorCode, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import {
  createParams,
  listNames,
  type Params,
  readForm,
  requireUnrepeatedForm,
} from "../../oauth/contracts/params.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { grants } from "../../oauth/contracts/grant.ts";
import { formatDelay, formatDuration } from "../../../ground/schema/duration.ts";
import type { Kind } from "../../store/store.ts";
import { pushedRequestLifetime } from "./par_settings.ts";
import { bindToSender, identifyPushingClient } from "./pushing_client.ts";
import {
  createPushLimits,
  type PushableRequest,
  type PushLimits,
  requireRoom,
  requireUnderLimit,
} from "./push_limits.ts";
import type { WaitingRequests } from "./waiting_requests.ts";

/** RFC 9101 §7: the code for a request_uri that cannot be used. */
const invalidRequestUri: AddedErrorCode = { code: "invalid_request_uri", status: 400 };

const refusal = refusals({ error: invalidRequestUri }, {
  reference_pushed: {
    error: "invalid_request",
    spec: "RFC 9126 §2.1",
    sentence: "A request_uri cannot be pushed: push the parameters themselves",
    change: "Push the parameters themselves, without request_uri.",
  },
  parameters_beside_request: {
    error: "invalid_request",
    spec: "RFC 9126 §3",
    sentence: "With {carrier}, all other parameters must be inside of it",
    expected: "{carrier} and the credentials of the client",
    change: "Move all other parameters into the request object.",
  },
  pushed_request_unknown: {
    spec: "RFC 9126 §2.2",
    sentence: "This server does not know this request_uri: start again from the application",
    expected:
      "a request_uri of this server that is not older than lifetimes.pushedRequest. A restart with a memory store forgets all of them",
    change: "Push the request again, and use the request_uri of the new response.",
  },
  pushed_request_used: {
    spec: "RFC 9126 §4",
    sentence: "This pushed request has already been answered: start again from the application",
    expected: "a new request_uri for each authorization request",
    change: "Push a new request for each authorization.",
  },
  pushed_request_expired: {
    spec: "RFC 9126 §2.2",
    sentence: "This request_uri has expired: start again from the application",
    expected: "a first look within lifetimes.pushedRequest",
    change: "Open the authorization URL soon after the push: push again, and use the new request_uri.",
  },
});

export const refused: RefusalRows = refusal.rows;

export const pushedSource = { name: "pushed request", param: "request_uri" } as const;

const prefix = "urn:ietf:params:oauth:request_uri:";

/** A stored request. Its id is the id of the future grant. */
interface PushedRequest extends Pick<ResolvedRequest, "arrivedBy">, Timed {
  readonly clientId: string;
  readonly secretHash: string;
  readonly params: readonly Pair[];
  readonly expiresAt: number;
}

const pushedRequests: Kind<PushedRequest> = { name: "pushed_request" };

// In seconds. The record outlives the request, so that a late browser learns that the request has expired.
const keptAfterwards = 300;

export function createPushHandler(
  waiting: WaitingRequests,
): (exchange: Exchange, services: Services) => Promise<Answer> {
  let limits: PushLimits | undefined;
  return (exchange, services) => {
    const keptFor = settingOf(services.settings, pushedRequestLifetime) + keptAfterwards;
    return push(exchange, services, limits ??= createPushLimits({ keptFor, waiting }, services));
  };
}

async function push(exchange: Exchange, services: Services, limits: PushLimits): Promise<Answer> {
  // parse
  const form = await readForm(exchange);
  requireShortForm(exchange);
  requireUnrepeatedForm(form);
  requireNoReference(form);
  // identify
  const pushing = await identifyPushingClient(exchange, form, services);
  const { client } = pushing;
  requireUnderLimit(pushing, exchange, limits);
  // validate
  const unbound = await resolvePushed(form, client, exchange, services);
  const resolved = {
    grantId: createId(services.random),
    ...unbound,
    params: await bindToSender(unbound.params, pushing, exchange, services),
  };
  const target = requireRedirectTarget(resolved.params, client, exchange, services);
  const request = await requireAuthorizationRequest(resolved, target, exchange, services);
  // act
  await requireRoom(resolved, pushing, exchange, limits, services);
  const reference = await store(resolved, client, limits, services);
  exchange.note({ flow: resolved.grantId, pkce: request.challenge === undefined ? "none" : "S256" });
  noteAccess(request, exchange, services);
  // respond
  const expires_in = settingOf(services.settings, pushedRequestLifetime);
  return json({ request_uri: prefix + reference, expires_in }, { status: 201 });
}

function requireNoReference(form: Params): void {
  if (form.get(pushedSource.param) === undefined) return;
  throw refusal("reference_pushed", { received: pushedSource.param });
}

/** Returns the parameters of the request, without the credentials. A signed object in the form replaces them. */
async function resolvePushed(
  form: Params,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<ResolvedRequest> {
  const pairs = form.pairs.filter(([each]) => !credentialParams.has(each));
  const carrier = services.slots.requestSources.find((source) => form.get(source.param) !== undefined);
  if (carrier !== undefined) requireNothingBeside(carrier.param, pairs);
  // RFC 9126 §2.1: a client that names itself only by its credentials need not send client_id.
  const params = createParams([["client_id", client.id], ...pairs]);
  const { arrivedBy, ...resolved } = await resolveRequest(params, exchange, services);
  return { ...resolved, arrivedBy: [...arrivedBy, pushedSource.name] };
}

function requireNothingBeside(carrier: string, pairs: readonly Pair[]): void {
  const others = pairs.filter(([each, value]) => each !== carrier && value !== "");
  if (others.length === 0) return;
  throw refusal("parameters_beside_request", { carrier, received: listNames(others) });
}

async function store(
  { params, arrivedBy, grantId: id }: PushableRequest,
  client: Client,
  { waiting }: PushLimits,
  { store, settings, now, clock, random }: Services,
): Promise<string> {
  const secret = createSecret(random);
  const expiresAt = Math.floor(now()) + settingOf(settings, pushedRequestLifetime);
  const request: PushedRequest = {
    clientId: client.id,
    secretHash: hashSecret(secret),
    params: params.pairs,
    arrivedBy,
    expiresAt,
    clock,
  };
  try {
    await store.put(pushedRequests, id, request, { expiresAt: expiresAt + keptAfterwards, now: now() });
  } catch (error) {
    // The client gets no reference, so the request does not wait.
    waiting.remove(id);
    throw error;
  }
  return formatCredential({ id, secret });
}

/** Finds the pushed request. Opening it does not use it up, because a person may reload the page (RFC 9126 §4). */
export async function resolvePushedRequest(
  value: string,
  outer: Params,
  exchange: Exchange,
  services: Services,
): Promise<ResolvedRequest | undefined> {
  if (!value.startsWith(prefix)) return undefined;
  const lifetime = settingOf(services.settings, pushedRequestLifetime);
  const found = await findByCredential(value.slice(prefix.length), pushedRequests, services);
  if (found === undefined) {
    throw refusal("pushed_request_unknown", {
      expected: `a request_uri of this server that is at most ${lifetime} seconds old; ` +
        "a restart with a memory store forgets all of them",
    });
  }
  const { id, entry: { value: request } } = found;
  const { now, store } = services;
  exchange.note({ flow: id });
  // Another client is refused later, and learns nothing about the request.
  const isOwn = outer.get("client_id") === request.clientId;
  if (isOwn && await store.get(grants, id, now()) !== undefined) throw refusal("pushed_request_used");
  const late = timeFor(request, services) - request.expiresAt;
  if (isOwn && late >= 0) {
    throw refusal("pushed_request_expired", {
      expected: `within ${formatDuration(lifetime)}`,
      received: `${formatDelay(late)} too late${describeForeignClock(request, services)}`,
    });
  }
  return { params: createParams(request.params), arrivedBy: request.arrivedBy, grantId: id };
}
