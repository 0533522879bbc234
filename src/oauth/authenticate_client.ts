/** Who asks at the endpoints that clients call: one method, the registered one, and every secret checked (OAuth 2.1 §2.4). */

import { sha256 } from "../crypto/bytes.ts";
import {
  type Client,
  type ClientAuthentication,
  clientRemedy,
  findClient,
  publicClientMethod,
} from "./client.ts";
import { fail, type RefusalDetails } from "./error.ts";
import type { Exchange } from "./exchange.ts";
import type { ClientAuthMethod, Credentials } from "./feature.ts";
import { hashSecret, provesSecret } from "./credential.ts";
import type { Params } from "./params.ts";
import type { Services } from "./services.ts";
import { countFailure, requireUnthrottled } from "./throttle.ts";

/** Made by `authenticateClient` only. */
export interface AuthenticatedClient {
  readonly client: Client;
  readonly method: string;
  /**
   * A first-use client is taken as it comes until its first redemption says how it authenticates. `false`: it has
   * been said meanwhile, so what passed before must be authenticated again.
   */
  isCurrent(): Promise<boolean>;
  /** Called when everything else has passed: says it. `false` as above. */
  settle(): Promise<boolean>;
  readonly authenticated: typeof authenticated;
}

declare const authenticated: unique symbol;

export type ClientAuthReason =
  | "client_id_missing"
  | "two_auth_methods"
  | "client_id_differs"
  | "authorization_header_unreadable"
  | "client_unknown"
  | "secret_missing"
  | "secret_wrong"
  | "method_not_registered"
  | "public_client_sent_secret";

export async function authenticateClient(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<AuthenticatedClient> {
  const presented = readCredentials(exchange, form, services);
  exchange.note({ clientId: presented.clientId, clientAuth: presented.method });
  const client = await findClient(presented.clientId, services);
  const held = client?.authentication;
  if (client !== undefined && held === undefined) return settleLater(client, presented, services);
  if (presented.secret !== undefined) await requireSecret(presented, held, client, exchange, services);
  if (client === undefined) {
    fail<ClientAuthReason>("invalid_client", failedAuthentication, {
      reason: "client_unknown",
      ...challenge(presented),
      received: presented.clientId,
    });
  }
  requireRegisteredMethod(presented, client);
  return { client, method: presented.method, isCurrent: always, settle: always } as AuthenticatedClient;
}

interface Presented {
  readonly clientId: string;
  readonly method: string;
  /** The scheme of the Authorization header that carried it. */
  readonly scheme?: string;
  readonly secret?: string;
}

// One sentence for an unknown client and for a wrong secret: which of the two it was is nobody's business (B23).
const failedAuthentication = "Client authentication failed";

/** OAuth 2.1 §3.2.4: who came with an Authorization header is answered with a challenge of its scheme. */
function challenge({ scheme }: { readonly scheme?: string }): Pick<RefusalDetails, "headers" | "spec"> {
  return {
    spec: "OAuth 2.1 §3.2.4",
    headers: { "www-authenticate": `${scheme ?? "Basic"} realm="postern"` },
  };
}

function readCredentials(exchange: Exchange, form: Params, { slots }: Services): Presented {
  const found: { readonly method: ClientAuthMethod; readonly credentials: Credentials }[] = [];
  for (const method of slots.clientAuth.values()) {
    const credentials = method.read(exchange, form);
    if (credentials !== undefined) found.push({ method, credentials });
  }
  const [first, second] = found;
  if (second !== undefined) {
    fail<ClientAuthReason>("invalid_request", "The client authenticates in two ways at once: use one", {
      reason: "two_auth_methods",
      spec: "OAuth 2.1 §2.4",
      received: found.map(({ method }) => method.name).join(", "),
    });
  }
  const clientId = form.get("client_id");
  if (first === undefined) {
    // A header that no method reads is a failed attempt, not the absence of one.
    if (exchange.request.headers.has("authorization")) {
      fail<ClientAuthReason>(
        "invalid_client",
        "The Authorization header is not one that authenticates a client",
        {
          reason: "authorization_header_unreadable",
          ...challenge({}),
          expected: schemes(slots.clientAuth.values()),
        },
      );
    }
    if (clientId === undefined) {
      fail<ClientAuthReason>("invalid_request", "The request does not say which client it is from", {
        reason: "client_id_missing",
        spec: "OAuth 2.1 §4.1.3",
        expected: "client_id",
      });
    }
    return { clientId, method: publicClientMethod };
  }
  const { method, credentials } = first;
  if (clientId !== undefined && clientId !== credentials.clientId) {
    fail<ClientAuthReason>("invalid_request", "The request names two clients", {
      reason: "client_id_differs",
      spec: "OAuth 2.1 §2.4",
      expected: credentials.clientId,
      received: clientId,
    });
  }
  return {
    ...credentials,
    method: method.name,
    ...(method.scheme === undefined ? {} : { scheme: method.scheme }),
  };
}

function schemes(methods: Iterable<ClientAuthMethod>): string {
  return [...methods].flatMap((method) => method.scheme ?? []).join(", ");
}

// Compared where there is no secret to compare with, so that the refusal takes as long.
const nobodysHash = hashSecret("nobody");

async function requireSecret(
  presented: Presented,
  held: ClientAuthentication | undefined,
  client: Client | undefined,
  exchange: Exchange,
  services: Services,
): Promise<void> {
  const account = { purpose: "client_secret", account: presented.clientId, peer: exchange.peer };
  await requireUnthrottled(account, services);
  if (provesSecret(presented.secret ?? "", held?.secretHash ?? nobodysHash)) return;
  await countFailure(account, services);
  const reason = client === undefined
    ? "client_unknown"
    : held?.secretHash === undefined
    ? "public_client_sent_secret"
    : "secret_wrong";
  fail<ClientAuthReason>("invalid_client", failedAuthentication, { reason, ...challenge(presented) });
}

/** OpenID Connect Core §9: only the registered method is good, however right the secret. */
function requireRegisteredMethod(presented: Presented, client: Client): void {
  const registered = client.authentication!.method;
  if (presented.method === registered) return;
  const reason = presented.secret === undefined ? "secret_missing" : "method_not_registered";
  fail<ClientAuthReason>("invalid_client", `This client must authenticate with ${registered}`, {
    reason,
    ...challenge(presented),
    expected: registered,
    received: presented.method,
    ...(client.origin === "first_use"
      ? { remedy: clientRemedy(client, { token_endpoint_auth_method: presented.method }) }
      : {}),
  });
}

const always = () => Promise.resolve(true);

function settleLater(client: Client, presented: Presented, services: Services): AuthenticatedClient {
  const authentication: ClientAuthentication = {
    method: presented.method,
    ...(presented.secret === undefined ? {} : { secretHash: sha256(presented.secret) }),
  };
  return {
    client,
    method: presented.method,
    async isCurrent() {
      return (await findClient(client.id, services))?.authentication === undefined;
    },
    async settle() {
      const source = services.slots.clientSources.find((each) => each.settle !== undefined);
      return await source?.settle?.(client, authentication, services) ?? true;
    },
  } as AuthenticatedClient;
}
