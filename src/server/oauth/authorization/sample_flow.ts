/** Where people try a client: the sample flows that a link of this server starts, and the address where the client does. */

import { fromBase64url, toBase64url } from "../../crypto/bytes.ts";
import { type Answer, readCookies, withCookie } from "../../http/message.ts";
import type { Client } from "../clients/client.ts";
import { memberOf } from "../feature_values.ts";
import { findClient } from "../clients/find_client.ts";
import { paths } from "../paths.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";
import { findRequiredSources } from "./require_authorization_request.ts";
import { present } from "../../values/present.ts";
import { text } from "../../schema/schema.ts";
import type { ClientMember } from "../feature.ts";
import { checkHttps } from "../clients/redirect_uri.ts";

const sampleScope: readonly string[] = ["openid", "profile", "read"];

export function callbackUri({ baseUrl }: Settings): string {
  return baseUrl + paths.authorized;
}

export function startUrlOf({ id }: Client, { basePath }: Settings, resource?: string): string {
  const query = { client_id: id, ...present({ resource }) };
  return `${basePath}${paths.start}?${new URLSearchParams(query)}`;
}

/**
 * Returns this server's callback page if the client has registered it, otherwise a URI of the client. Returns `undefined`
 * if no link can start a flow, because the client has no code flow, or must push or sign its requests.
 */
export function findFlowEnd(client: Client, services: Services): string | undefined {
  const { settings, slots } = services;
  if (findRequiredSources(client, services).length > 0) return undefined;
  if (!client.grantTypes.includes("authorization_code") || !client.responseTypes.includes("code")) {
    return undefined;
  }
  const ownCallback = callbackUri(settings);
  // A server may be created without the feature callback_page.
  const hasPage = slots.endpoints.some(({ path }) => path === paths.authorized);
  if (hasPage && client.redirectUris.includes(ownCallback)) return ownCallback;
  return client.redirectUris.find((uri) => uri !== ownCallback);
}

/** Returns the client of a link without client_id. A client whose flow ends on this server's page comes first. */
export function findFirstClient(services: Services): Client | undefined {
  const { settings } = services;
  const startable = [...settings.clients.values()].filter((client) =>
    findFlowEnd(client, services) !== undefined
  );
  return startable.find((client) => findFlowEnd(client, services) === callbackUri(settings)) ?? startable[0];
}

/** Returns the scope of a sample flow: all that the client may request, if that is known. */
export function listSampleScope({ scope }: Client, { scopes }: Settings): readonly string[] {
  return scope ?? (scopes.size === 0 ? sampleScope : [...scopes.keys()]);
}

const lastClient = "client";

/** An error response does not name its client, so the callback page needs this cookie to offer a new flow of the client. */
export function rememberLastClient(answer: Answer, client: Client, { cookies }: Services): Answer {
  return withCookie(answer, cookies.set(lastClient, toBase64url(new TextEncoder().encode(client.id))));
}

export async function findLastClient(exchange: Exchange, services: Services): Promise<Client | undefined> {
  const [value] = readCookies(exchange.request, services.cookies.name(lastClient));
  return value === undefined
    ? undefined
    : await findClient(new TextDecoder().decode(fromBase64url(value)), services);
}

/** The address at which a client begins a sign-in that another party asks for (OpenID Connect Core §4). */
export const initiateLoginMember: ClientMember<string> = {
  name: "initiate_login_uri",
  schema: { ...text, examples: ["https://app.example/login"] },
  // OpenID Connect Dynamic Client Registration §2.
  check: (uri) => checkHttps(initiateLoginMember.name, uri),
};

export function findInitiateLogin(
  client: Client,
  { issuer }: Settings,
): { readonly uri: string; readonly url: string } | undefined {
  const uri = memberOf(client, initiateLoginMember);
  if (uri === undefined) return undefined;
  return { uri, url: `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams({ iss: issuer })}` };
}
