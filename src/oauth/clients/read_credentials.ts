/** Reads the credentials of a request, which must come by one method only (OAuth 2.1 §2.4). */

import { fail, type RefusalDetails } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { ClientAuthMethod, Credentials } from "../feature.ts";
import type { Params } from "../params.ts";
import type { Services } from "../services.ts";
import { publicClientMethod } from "./client.ts";

export type CredentialsReason =
  | "client_id_missing"
  | "two_auth_methods"
  | "client_id_differs"
  | "authorization_header_unreadable"
  | "assertion_unsupported";

export interface Presented {
  /** Absent: the client only names itself. */
  readonly method?: ClientAuthMethod;
  /** One at least, the usual one first. */
  readonly readings: readonly Credentials[];
}

export function readCredentials(exchange: Exchange, form: Params, services: Services): Presented {
  const found = [...services.slots.clientAuth.values()].flatMap((method) => {
    const readings = method.read(exchange, form);
    return readings.length === 0 ? [] : [{ method, readings }];
  });
  const unread = findUnread(found.map(({ method }) => method), exchange, form);
  const [first] = found;
  if (first === undefined) {
    requireNoAttempt(unread, services);
    return { readings: [{ clientId: requireClientId(form) }] };
  }
  const ways = [...found.map(({ method }) => method.name), ...unread];
  if (ways.length > 1) refuseSeveral(ways);
  return { method: first.method, readings: requireOneClient(first.readings, form.get("client_id")) };
}

/** The name that a client is registered with for what it presented. */
export function methodName({ method }: Presented): string {
  return method?.name ?? publicClientMethod;
}

/**
 * OAuth 2.1 §3.2.4: a failed Authorization header is answered with a challenge of its scheme. If no method has a scheme,
 * there is no challenge, and a status of 401 would require one (RFC 9110 §15.5.2).
 */
export function clientChallenge(
  { method }: Pick<Presented, "method">,
  { slots }: Services,
): Pick<RefusalDetails, "challenge" | "spec" | "status"> {
  const offered = method?.scheme ?? schemesOf(slots.clientAuth.values())[0];
  const spec = "OAuth 2.1 §3.2.4";
  return offered === undefined ? { spec, status: 400 } : { spec, challenge: { scheme: offered } };
}

function schemesOf(methods: Iterable<ClientAuthMethod>): readonly string[] {
  return [...methods].flatMap((method) => method.scheme ?? []);
}

type Unread = "client_assertion" | "an Authorization header";

/** Credentials that no method reads. They are a failed attempt, not the absence of one (OAuth 2.1 §3.2.4). */
function findUnread(
  readers: readonly ClientAuthMethod[],
  { request }: Exchange,
  form: Params,
): readonly Unread[] {
  const hasAssertion = (form.get("client_assertion") ?? form.get("client_assertion_type")) !== undefined;
  const hasHeader = request.header("authorization") !== undefined;
  return [
    ...(hasAssertion && !readers.some((method) => method.readsAssertion)
      ? ["client_assertion"] as const
      : []),
    ...(hasHeader && !readers.some((method) => method.scheme) ? ["an Authorization header"] as const : []),
  ];
}

function requireNoAttempt(unread: readonly Unread[], services: Services): void {
  const { clientAuth } = services.slots;
  if (unread.includes("client_assertion")) {
    fail<CredentialsReason>("invalid_client", "Clients cannot authenticate with an assertion here", {
      reason: "assertion_unsupported",
      ...clientChallenge({}, services),
      expected: [publicClientMethod, ...clientAuth.keys()].join(", "),
      received: "client_assertion",
    });
  }
  if (unread.includes("an Authorization header")) {
    fail<CredentialsReason>("invalid_client", "The Authorization header does not authenticate a client", {
      reason: "authorization_header_unreadable",
      ...clientChallenge({}, services),
      expected: schemesOf(clientAuth.values()).join(", "),
    });
  }
}

function refuseSeveral(ways: readonly string[]): never {
  fail<CredentialsReason>("invalid_request", "The client authenticates in two ways at once: use one", {
    reason: "two_auth_methods",
    spec: "OAuth 2.1 §2.4",
    received: ways.join(", "),
  });
}

function requireClientId(form: Params): string {
  return form.get("client_id") ??
    fail<CredentialsReason>("invalid_request", "The request does not say which client it is from", {
      reason: "client_id_missing",
      spec: "OAuth 2.1 §4.1.3",
      expected: "client_id",
    });
}

/** Only the readings that name the client of the form, where the form names one. */
function requireOneClient(
  readings: readonly Credentials[],
  named: string | undefined,
): readonly Credentials[] {
  const fitting = readings.filter(({ clientId }) => named === undefined || clientId === named);
  if (fitting.length > 0) return fitting;
  return fail<CredentialsReason>("invalid_request", "The request names two clients", {
    reason: "client_id_differs",
    spec: "OAuth 2.1 §2.4",
    expected: readings[0]!.clientId,
    received: named!,
  });
}
