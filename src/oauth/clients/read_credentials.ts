/** What a request shows to say which client it is from: one method, in every way that it can be read (OAuth 2.1 §2.4). */

import { fail, type RefusalDetails } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { ClientAuthMethod, Credentials } from "../feature.ts";
import type { Params } from "../params.ts";
import type { Services } from "../services.ts";
import { type Client, publicClientMethod } from "./client.ts";

export type CredentialsReason =
  | "client_id_missing"
  | "two_auth_methods"
  | "client_id_differs"
  | "authorization_header_unreadable"
  | "assertion_unsupported";

export interface Presented extends Credentials {
  readonly method: string;
  /** The scheme of the Authorization header that carried it. */
  readonly scheme?: string;
  insists?(client: Client): boolean;
}

/**
 * OAuth 2.1 §3.2.4: a client that came with an Authorization header is answered with a challenge of its scheme. Where
 * no scheme is offered there is nothing to challenge with, and the status cannot be 401 (RFC 9110 §15.5.2).
 */
export function clientChallenge(
  { scheme }: { readonly scheme?: string },
  { slots }: Services,
): Pick<RefusalDetails, "challenge" | "spec" | "status"> {
  const offered = scheme ?? schemesOf(slots.clientAuth.values())[0];
  const spec = "OAuth 2.1 §3.2.4";
  return offered === undefined ? { spec, status: 400 } : { spec, challenge: { scheme: offered } };
}

/** All readings of what came, the usual one first. */
export function readCredentials(exchange: Exchange, form: Params, services: Services): readonly Presented[] {
  const { slots } = services;
  const found: { readonly method: ClientAuthMethod; readonly credentials: Credentials }[] = [];
  for (const method of slots.clientAuth.values()) {
    const credentials = method.read(exchange, form);
    if (credentials !== undefined) found.push({ method, credentials });
  }
  const [first, second] = found;
  const unread = isUnreadAssertion(form, services);
  const header = exchange.request.header("authorization");
  // One that no method reads is an attempt, too.
  const unreadHeader = header !== undefined && found.every(({ method }) => method.scheme === undefined);
  if (second !== undefined || first !== undefined && (unread || unreadHeader)) {
    const names = found.map(({ method }) => method.name);
    fail<CredentialsReason>("invalid_request", "The client authenticates in two ways at once: use one", {
      reason: "two_auth_methods",
      spec: "OAuth 2.1 §2.4",
      received: [
        ...names,
        ...(unread ? ["client_assertion"] : []),
        ...(unreadHeader ? ["an Authorization header"] : []),
      ].join(", "),
    });
  }
  if (unread) {
    fail<CredentialsReason>("invalid_client", "Clients cannot authenticate with an assertion here", {
      reason: "assertion_unsupported",
      ...clientChallenge({}, services),
      expected: [publicClientMethod, ...slots.clientAuth.keys()].join(", "),
      received: "client_assertion",
    });
  }
  const clientId = form.get("client_id");
  if (first === undefined) {
    // A header that no method reads is a failed attempt, not the absence of one.
    if (header !== undefined) {
      fail<CredentialsReason>(
        "invalid_client",
        "The Authorization header is not one that authenticates a client",
        {
          reason: "authorization_header_unreadable",
          ...clientChallenge({}, services),
          expected: schemesOf(slots.clientAuth.values()).join(", "),
        },
      );
    }
    if (clientId === undefined) {
      fail<CredentialsReason>("invalid_request", "The request does not say which client it is from", {
        reason: "client_id_missing",
        spec: "OAuth 2.1 §4.1.3",
        expected: "client_id",
      });
    }
    return [{ clientId, method: publicClientMethod }];
  }
  const { method, credentials } = first;
  const readings = listReadings(credentials).filter((each) => (clientId ?? each.clientId) === each.clientId);
  if (readings.length === 0) {
    fail<CredentialsReason>("invalid_request", "The request names two clients", {
      reason: "client_id_differs",
      spec: "OAuth 2.1 §2.4",
      expected: credentials.clientId,
      received: clientId!,
    });
  }
  const { name, scheme, insists } = method;
  return readings.map((each) => ({
    ...each,
    method: name,
    ...(scheme === undefined ? {} : { scheme }),
    ...(insists === undefined ? {} : { insists }),
  }));
}

function listReadings(credentials: Credentials | undefined): readonly Credentials[] {
  return credentials === undefined ? [] : [credentials, ...listReadings(credentials.otherwise)];
}

/** An assertion that no method here reads is a failed attempt, not a missing one (OAuth 2.1 §3.2.4). */
function isUnreadAssertion(form: Params, { slots }: Services): boolean {
  return !slots.clientAuth.has("private_key_jwt") &&
    (form.get("client_assertion") ?? form.get("client_assertion_type")) !== undefined;
}

function schemesOf(methods: Iterable<ClientAuthMethod>): readonly string[] {
  return [...methods].flatMap((method) => method.scheme ?? []);
}
