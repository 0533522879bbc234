/** The client of the last answer, in a cookie, because an error response does not name its client. */

import { fromBase64url, toBase64url } from "../../../ground/crypto/bytes.ts";
import { type Answer, readCookies, withCookie } from "../../../ground/http/message.ts";
import type { Client } from "../contracts/client.ts";
import { findClient } from "../clients/records/find_client.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";

const lastClient = "client";

export function rememberLastClient(answer: Answer, client: Client, { cookies }: Services): Answer {
  return withCookie(answer, cookies.set(lastClient, toBase64url(new TextEncoder().encode(client.id))));
}

export async function findLastClient(exchange: Exchange, services: Services): Promise<Client | undefined> {
  const [value] = readCookies(exchange.request, services.cookies.name(lastClient));
  return value === undefined
    ? undefined
    : await findClient(new TextDecoder().decode(fromBase64url(value)), services);
}
