/** Sends forms as a client of a running server, and reads the responses. */

import { randomBytes } from "node:crypto";
import type { ClientReply, DpopKey } from "../../../server/client/dpop_key.ts";
import { type ClientForm, sendAsClient } from "../../../server/client/client_request.ts";
import { formatParams } from "../../../ground/http/form.ts";
import type { Members } from "../../../ground/values/members.ts";
import { visible } from "../../../ground/values/visible.ts";
import { type JsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import { type CommandError, failed } from "../terminal/command_error.ts";
import { sendRequest } from "./send_request.ts";

export const secretVariable = "POSTERN_CLIENT_SECRET";

export interface SendingClient {
  readonly issuer: string;
  readonly client: {
    readonly id: string;
    readonly secret?: string;
    /** The registered authentication method; `none` for a public client. */
    readonly method: string;
  };
}

export function createId(): string {
  return randomBytes(16).toString("base64url");
}

interface Reply extends ClientReply {
  readonly members: JsonObject;
}

export async function sendForm(
  { client: { id: clientId, method, secret }, issuer }: SendingClient,
  form: Omit<ClientForm, "identity">,
): Promise<JsonObject> {
  const terms = { issuer, now: Date.now() / 1000, createId };
  const { members } = await sendAsClient(
    { ...form, identity: { clientId, method, secret } },
    terms,
    async ({ url, method, headers, form = [] }): Promise<Reply> => {
      const response = await sendRequest(url, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        body: formatParams(form),
      });
      const body = await response.text().catch(() => "");
      return {
        status: response.status,
        body,
        members: parseJsonObject(body) ?? {},
        nonce: response.headers.get("dpop-nonce") ?? undefined,
      };
    },
  );
  return members;
}

export function readAccessToken(
  { access_token: accessToken, ...members }: Members,
  dpop: DpopKey | undefined,
): string {
  if (typeof accessToken !== "string") throw refused(members);
  // RFC 6750 §2.1. A line break would begin another header for the caller's curl.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) throw failed("the access token is not printable ASCII");
  if (dpop !== undefined && members["token_type"] !== "DPoP") {
    throw failed(`the server issued a token of type ${quote(members["token_type"])}, and not DPoP`);
  }
  return accessToken;
}

/** Creates the error of a response that has none of the values that a success has. */
export function refused({ error, error_description: description }: Members): CommandError {
  const parts = [error, description].filter((each) => typeof each === "string").map((each) => visible(each));
  const advice = adviceOf.get(error);
  const reason = parts.join(": ") || "it gave no reason";
  return failed(`the server refused: ${reason}${advice === undefined ? "" : ` (${advice})`}`);
}

const adviceOf: ReadonlyMap<unknown, string> = new Map([
  ["invalid_scope", "choose the scope with --scope, or give the server's configuration with --config FILE"],
  ["invalid_target", "choose the API with --resource"],
  ["invalid_dpop_proof", "this client needs a bound token: give the address of the API with --dpop"],
  [
    "invalid_client",
    `set the environment variable ${secretVariable} to the client's secret, or give the server's configuration ` +
    "with --config FILE",
  ],
]);

export function quote(value: unknown): string {
  return visible(JSON.stringify(value) ?? "none");
}
