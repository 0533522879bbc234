/** Reads the client's credentials from a request, which may use one method only (OAuth 2.1 §2.4). */

import { parseAuthorization } from "../../../../ground/http/authorization.ts";
import { decodeText } from "../../../../ground/values/octets.ts";
import { fail, type RefusalDetails, type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import type { ClientAuthMethod, Credentials, Services } from "../../contracts/feature.ts";
import type { Params } from "../../contracts/params.ts";
import type { Settings } from "../../contracts/settings.ts";
import { type Client, publicClientMethod } from "../../contracts/client.ts";
import { clientAuthMethods } from "../metadata/client_auth_methods.ts";
import { readUnverified, readUnverifiedHeader } from "../../../../ground/crypto/jwt.ts";
import { checkAssertion } from "./check_assertion.ts";
import type { AssertionKeys } from "./client_assertion.ts";

const refusal = refusals({ error: "invalid_client", spec: "OAuth 2.1 §3.2.4" }, {
  auth_method_refused: {
    sentence: "This server does not accept the method {method}",
    expected: "a method that the server accepts",
    change: "Authenticate by a method that the discovery document lists.",
  },
  assertion_unsupported: {
    sentence: "This server does not accept client assertions",
    expected: "another method of client authentication",
    change: "Authenticate by a method that the discovery document lists.",
  },
  authorization_header_unreadable: {
    sentence: "The server cannot read client credentials from the Authorization header",
    expected: "a scheme of the server's methods",
    change: "Send Authorization: Basic with base64(client_id:client_secret).",
  },
  two_auth_methods: {
    error: "invalid_request",
    spec: "OAuth 2.1 §2.4",
    sentence: "The request uses more than one client authentication method: use one",
    change:
      "Authenticate by one method only: remove the Authorization header, or client_secret and client_assertion from the form.",
  },
  secret_sent_twice: {
    reason: "two_auth_methods",
    error: "invalid_request",
    spec: "OAuth 2.1 §2.4",
    sentence: "The request uses more than one client authentication method: use one",
    change:
      "Remove client_secret from the form, because the Authorization header has the secret already. Many libraries add one of the two by themselves. With requests-oauthlib, remove auth or include_client_id=True from fetch_token(). With passport-oauth2, remove Authorization from customHeaders. With curl, remove -u, or client_secret from -d.",
  },
  client_id_missing: {
    error: "invalid_request",
    spec: "OAuth 2.1 §4.1.3",
    sentence: "The request does not name its client",
    expected: "client_id",
    change: "Add the client_id, or authenticate the client in the Authorization header.",
  },
  client_id_differs: {
    error: "invalid_request",
    spec: "OAuth 2.1 §2.4",
    sentence: "The request names two clients",
    expected: "one client_id",
    change: "Name the same client everywhere in the request.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The parameters that identify or authenticate a client, with any method. */
export const credentialParams: ReadonlySet<string> = new Set([
  "client_id",
  "client_secret",
  "client_assertion",
  "client_assertion_type",
]);

export interface Presented {
  /** Absent: the request has only a client_id. */
  readonly method?: ClientAuthMethod;
  /** At least one. The standard reading comes first. */
  readonly readings: readonly Credentials[];
}

/** One reading of the credentials, with the client that it names. */
export interface Attempt {
  readonly credentials: Credentials;
  readonly client: Client | undefined;
  readonly hasRightSecret: boolean;
}

interface Read extends Presented {
  readonly method: ClientAuthMethod;
}

export function readCredentials(exchange: Exchange, form: Params, services: Services): Presented {
  const { slots, settings } = services;
  const idAlone = settings.readsIdAlone ? readIdAlone(exchange) : undefined;
  if (idAlone !== undefined) return { readings: [{ clientId: idAlone }] };
  const all = readWith(slots.clientAuth.values(), exchange, form, settings);
  const found = settings.readsSecretTwice ? withoutRepeated(all) : all;
  if (found.length === 0) requireNoRefused(exchange, form, services);
  const unread = findUnread(all, exchange, form, settings);
  const [first] = found;
  if (first === undefined) {
    requireNoAttempt(unread, services);
    return { readings: [{ clientId: form.get("client_id") ?? fail(refusal("client_id_missing")) }] };
  }
  if (found.length + unread.length > 1) {
    const ways = [...found.map(({ method }) => method.name), ...unread];
    const received = ways.join(", ");
    const isTwice = received === "client_secret_basic, client_secret_post";
    throw refusal(isTwice ? "secret_sent_twice" : "two_auth_methods", { received });
  }
  return { method: first.method, readings: requireOneClient(first.readings, form.get("client_id")) };
}

/** An Authorization header counts, unless it has one of `otherSchemes`, which are not for clients. */
export function hasCredentials(
  { request }: Exchange,
  form: Params,
  otherSchemes: readonly string[] = [],
): boolean {
  const named = ["client_id", "client_assertion"].some((name) => form.get(name) !== undefined);
  const header = request.header("authorization");
  return named || header !== undefined && parseAuthorization(header, otherSchemes) === undefined;
}

/** Returns what Basic credentials without a colon are. */
function readIdAlone({ request }: Exchange): string | undefined {
  const [, encoded = ""] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(request.header("authorization") ?? "") ??
    [];
  const id = decodeText(encoded, "base64");
  return id === "" || id.includes(":") ? undefined : id;
}

function readWith(
  methods: Iterable<ClientAuthMethod>,
  exchange: Exchange,
  form: Params,
  settings: Settings,
): readonly Read[] {
  const found: Read[] = [];
  for (const method of methods) {
    const readings = method.read(exchange, form, settings);
    if (readings.length > 0) found.push({ method, readings });
  }
  return found;
}

/** Leaves out a method if the next one has the same id and secret. Of Basic and the form, the form counts. */
function withoutRepeated(found: readonly Read[]): readonly Read[] {
  return found.filter(({ readings }, index) => {
    const later = found[index + 1]?.readings ?? [];
    return !later.some(({ clientId, secret }) =>
      secret !== undefined && readings.some((each) => each.clientId === clientId && each.secret === secret)
    );
  });
}

/** Refuses a request with a method that the configuration forbids, or without any if `none` is forbidden. */
function requireNoRefused(exchange: Exchange, form: Params, services: Services): void {
  const { slots, settings } = services;
  const [refused] = readWith(slots.refusedClientAuth, exchange, form, settings);
  if (refused !== undefined) refuseMethodOf(refused.method.name, services);
  // Only the client tells whether the connection authenticates it.
  const mayProveConnection = [...slots.clientAuth.values()].some(({ proveConnection }) => proveConnection);
  if (!mayProveConnection) requirePublicAccepted(services);
}

export function requirePublicAccepted(services: Services): void {
  if (!services.slots.acceptsPublicClients) refuseMethodOf(publicClientMethod, services);
}

function refuseMethodOf(method: string, services: Services): never {
  throw refusal("auth_method_refused", {
    method,
    ...clientChallenge({}, services),
    expected: clientAuthMethods(services.slots).join(", "),
    received: method,
  });
}

/** Returns the value of token_endpoint_auth_method that the request needs; `none` without credentials. */
export function methodName({ method }: Presented): string {
  return method?.name ?? publicClientMethod;
}

/**
 * Returns a challenge with the scheme of the request, or else of the server's first method (OAuth 2.1 §3.2.4). If no
 * method has a scheme, the status is 400, because 401 requires a challenge (RFC 9110 §15.5.2).
 */
export function clientChallenge(
  { method }: Pick<Presented, "method">,
  { slots }: Services,
): Pick<RefusalDetails, "challenge" | "status"> {
  const offered = method?.scheme ?? schemesOf(slots.clientAuth.values())[0];
  return offered === undefined ? { status: 400 } : { challenge: { scheme: offered } };
}

function schemesOf(methods: Iterable<ClientAuthMethod>): readonly string[] {
  return [...methods].flatMap((method) => method.scheme ?? []);
}

type Unread = "client_assertion" | "an Authorization header";

/** Returns the credentials that no method can read. They count as a failed attempt (OAuth 2.1 §3.2.4). */
function findUnread(
  found: readonly Read[],
  { request }: Exchange,
  form: Params,
  { ignoresBearer }: Pick<Settings, "ignoresBearer">,
): readonly Unread[] {
  const unread: Unread[] = [];
  const hasAssertion = (form.get("client_assertion") ?? form.get("client_assertion_type")) !== undefined;
  const header = request.header("authorization");
  const isIgnored = ignoresBearer !== undefined && form.get(ignoresBearer) !== undefined &&
    parseAuthorization(header ?? "", ["Bearer"])?.text !== undefined;
  if (hasAssertion && !found.some(({ method }) => method.assertionAlgorithms)) {
    unread.push("client_assertion");
  }
  if (header !== undefined && !isIgnored && !found.some(({ method }) => method.scheme)) {
    unread.push("an Authorization header");
  }
  return unread;
}

function requireNoAttempt(unread: readonly Unread[], services: Services): void {
  const { clientAuth } = services.slots;
  if (unread.includes("client_assertion")) {
    throw refusal("assertion_unsupported", {
      ...clientChallenge({}, services),
      expected: clientAuthMethods(services.slots).join(", "),
      received: "client_assertion",
    });
  }
  if (unread.includes("an Authorization header")) {
    throw refusal("authorization_header_unreadable", {
      ...clientChallenge({}, services),
      expected: schemesOf(clientAuth.values()).join(", "),
    });
  }
}

/** Returns the readings whose client is the client_id of the form. Without a client_id, returns all readings. */
function requireOneClient(
  readings: readonly Credentials[],
  formClientId: string | undefined,
): readonly Credentials[] {
  if (formClientId === undefined) return readings;
  const fitting = readings.filter(({ clientId }) => clientId === formClientId);
  if (fitting.length > 0) return fitting;
  throw refusal("client_id_differs", { expected: readings[0]!.clientId, received: formClientId });
}

/** Reads the client id from an assertion (RFC 7521 §4.2, RFC 7523 §3). `prove` checks the assertion later. */
export function createAssertionReader(
  keys: AssertionKeys,
): (exchange: Exchange, form: Params) => readonly Credentials[] {
  return (exchange, form) => {
    const assertion = form.get("client_assertion") ?? "";
    const type = form.get("client_assertion_type");
    if (assertion === "" && type === undefined) return [];
    if (!keys.isFor(readUnverifiedHeader(assertion)?.alg)) return [];
    const subject = readUnverified(assertion)?.["sub"];
    return [{
      clientId: typeof subject === "string" ? subject : form.get("client_id") ?? "",
      prove: (client, services) => checkAssertion({ assertion, type }, client, keys, exchange, services),
    }];
  };
}
