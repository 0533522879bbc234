/** The credentials of the client of a walk, and the forms that it sends with them. */

import {
  type ClientIdentity,
  type ClientRequest,
  createClientForm,
  identify,
} from "../../client/client_request.ts";
import { type Client, methodOf, sendsSecret } from "../../oauth/contracts/client.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { OwnRequest } from "../../oauth/requests/call_self.ts";
import { present } from "../../../ground/values/present.ts";

export interface WalkCredentials extends ClientIdentity {
  /** The person typed the secret, so no page shows it. */
  readonly isTyped?: true;
}

const mask = "••••••••";

/** A secret that the person typed has priority. A client without a registered method sends it with HTTP Basic. */
export function chooseCredentials(
  clientId: string,
  client: Client | undefined,
  typedSecret: string | undefined,
): WalkCredentials {
  const registered = client?.authentication === undefined ? undefined : methodOf(client);
  const secret = typedSecret ?? client?.demoSecret;
  if (secret === undefined) return { clientId, method: "none" };
  const method = registered !== undefined && sendsSecret(registered) ? registered : "client_secret_basic";
  return { clientId, method, secret, ...present({ isTyped: typedSecret !== undefined || undefined }) };
}

export function createForm(url: string, params: readonly Pair[], credentials: WalkCredentials): OwnRequest {
  const write = (each: WalkCredentials) => createClientForm(url, params, identify(each));
  const sent = write(credentials);
  return { sent, shown: credentials.isTyped ? maskSecret(write({ ...credentials, secret: mask })) : sent };
}

/** Masks the Basic credentials as a whole, because base64 of a mask would look like a secret. */
function maskSecret(request: ClientRequest): ClientRequest {
  const headers = request.headers.map(([name, value]): Pair => [
    name,
    name === "authorization" ? `Basic ${mask}` : value,
  ]);
  return { ...request, headers };
}
