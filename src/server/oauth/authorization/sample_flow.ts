/** The sample flow of a client, which a link of this server starts, so that people can try the client. */

import type { Client } from "../contracts/client.ts";
import type { FlowBlocker } from "../contracts/pages.ts";
import { paths } from "../contracts/paths.ts";
import { callbackUri } from "../requests/server_urls.ts";
import type { Services } from "../contracts/feature.ts";
import type { Settings } from "../contracts/settings.ts";
import { findRequiredSources } from "./require_authorization_request.ts";
import { present } from "../../../ground/values/present.ts";

const signIn: readonly string[] = ["openid", "profile"];

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
  if (!hasCodeFlow(client)) return undefined;
  const ownCallback = callbackUri(settings);
  // A server may be created without the feature callback_page.
  const hasPage = slots.endpoints.some(({ path }) => path === paths.authorized);
  if (hasPage && client.redirectUris.includes(ownCallback)) return ownCallback;
  return client.redirectUris.find((uri) => uri !== ownCallback);
}

function hasCodeFlow({ grantTypes, responseTypes }: Client): boolean {
  return grantTypes.includes("authorization_code") && responseTypes.includes("code");
}

/** Says why no link can start a flow of a client that may send its requests by a link. */
export function findFlowBlocker(client: Client): FlowBlocker {
  if (client.grantTypes.some((each) => each.endsWith(":device_code"))) return "device";
  return hasCodeFlow(client) ? "no_redirect_uri" : "no_code_grant";
}

/** Returns the client of a link without client_id. A client whose flow ends on this server's page comes first. */
export function findFirstClient(services: Services): Client | undefined {
  const { settings } = services;
  const startable = [...settings.clients.values()].filter((client) =>
    findFlowEnd(client, services) !== undefined
  );
  return startable.find((client) => findFlowEnd(client, services) === callbackUri(settings)) ?? startable[0];
}

/** Returns the scope of a sample flow: all that the client may request, or the sign-in and all scopes of the configuration. */
export function listSampleScope(
  { scope }: Client,
  { settings: { scopes }, slots }: Services,
): readonly string[] {
  if (scope !== undefined) return scope;
  if (scopes.size === 0) return [...signIn, "read"];
  return [...new Set([...signIn.filter((name) => slots.scopes.includes(name)), ...scopes.keys()])];
}
