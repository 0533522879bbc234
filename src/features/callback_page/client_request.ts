/** Creates the requests of a walk: a client's form with the client's credentials, and calls with an access token. */

import { type Client, methodOf, sendsSecret } from "../../oauth/clients/client.ts";
import { formatBasic } from "../../oauth/clients/format_basic.ts";
import type { Pair } from "../../http/form.ts";
import { bearer } from "../../oauth/tokens/sender.ts";
import type { ClientRequest } from "./call_server.ts";

/** How the client of a walk authenticates. */
export interface WalkCredentials {
  readonly clientId: string;
  /** `client_secret_basic`, `client_secret_post` or `none`. */
  readonly method: string;
  readonly secret?: string;
  /** The person typed the secret, so no page shows it. */
  readonly isTyped?: true;
}

/** What a page shows instead of a secret that the person typed. */
const mask = "••••••••";

const accept: Pair = ["accept", "application/json"];
const formType: Pair = ["content-type", "application/x-www-form-urlencoded"];

/**
 * Returns the client's credentials. A secret that the person typed has priority over the published secret of a demo
 * client. A client without a registered method sends the secret that the person typed with HTTP Basic.
 */
export function chooseCredentials(
  clientId: string,
  client: Client | undefined,
  typedSecret: string | undefined,
): WalkCredentials {
  const registered = client?.authentication === undefined ? undefined : methodOf(client);
  const secret = typedSecret ?? client?.demoSecret;
  if (secret === undefined) return { clientId, method: "none" };
  const method = registered !== undefined && sendsSecret(registered) ? registered : "client_secret_basic";
  return { clientId, method, secret, ...(typedSecret === undefined ? {} : { isTyped: true }) };
}

/** Creates a POST of the client. */
export function createClientForm(
  url: string,
  params: readonly Pair[],
  credentials: WalkCredentials,
): ClientRequest {
  const write = ({ clientId, method, secret = "" }: WalkCredentials) => {
    const { headers, form } = identify(clientId, method, secret);
    return {
      method: "POST",
      url,
      headers: [...headers, formType, accept],
      form: [...params, ...form],
    } as const;
  };
  const sent = write(credentials);
  return { sent, shown: credentials.isTyped ? maskSecret(write({ ...credentials, secret: mask })) : sent };
}

function identify(
  clientId: string,
  method: string,
  secret: string,
): { readonly headers: readonly Pair[]; readonly form: readonly Pair[] } {
  switch (method) {
    case "client_secret_basic":
      return { headers: [["authorization", formatBasic(clientId, secret)]], form: [] };
    case "client_secret_post":
      return { headers: [], form: [["client_id", clientId], ["client_secret", secret]] };
    default:
      return { headers: [], form: [["client_id", clientId]] };
  }
}

/** Masks the Basic credentials as a whole, because base64 of a mask would look like a secret. */
function maskSecret(request: ClientRequest["shown"]): ClientRequest["shown"] {
  const headers = request.headers.map(([name, value]): Pair => [
    name,
    name === "authorization" ? `Basic ${mask}` : value,
  ]);
  return { ...request, headers };
}

/** Creates a GET with an access token (RFC 6750 §2.1). */
export function createTokenCall(url: string, accessToken: string): ClientRequest {
  const authorization: Pair = ["authorization", `${bearer.tokenType} ${accessToken}`];
  const request = { method: "GET", url, headers: [authorization, accept] } as const;
  return { sent: request, shown: request };
}

/** Creates a GET that needs no credentials. */
export function createOpenCall(url: string): ClientRequest {
  const request = { method: "GET", url, headers: [accept] } as const;
  return { sent: request, shown: request };
}
