/** Where the answer of an authorization request goes: identifies the client, then verifies the target (OAuth 2.1 §4.1.2.1). */

import type { Client } from "../contracts/client.ts";
import { memberRemedy, type Remedy } from "../clients/records/client_remedy.ts";
import {
  acceptsUnknownClients,
  configuredClients,
  findCandidate,
  findClient,
} from "../clients/records/find_client.ts";
import { adviseScheme } from "../clients/metadata/application_scheme.ts";
import { isLocalRedirectUri, matchesRedirectUri, unfitForAnswers } from "../clients/metadata/redirect_uri.ts";
import { noteUnknownClient, refuseUnknownClient } from "../clients/records/unknown_client.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { memberOf } from "../contracts/feature_values.ts";
import { describeMissing, type Params, requireUnrepeated } from "../contracts/params.ts";
import { type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Services } from "../contracts/feature.ts";
import type { RedirectTarget } from "../contracts/authorization_request.ts";
import { present } from "../../../ground/values/present.ts";

const refusal = refusals({ error: "invalid_request" }, {
  client_id_missing: {
    spec: "OAuth 2.1 §4.1.1",
    sentence: "The request does not name its client",
    expected: "client_id",
    change: "Add the client_id to the parameters: an authorization request names its client there.",
  },
  redirect_uri_none_registered: {
    spec: "OAuth 2.1 §4.1.2.1",
    sentence: "This client has no redirect URI registered",
    change: "Add redirect_uris to the configuration of this client.",
  },
  redirect_uri_missing: {
    spec: "OAuth 2.1 §4.1.2.1",
    sentence: "This client has several redirect URIs: add redirect_uri",
    expected: "one of them",
    change: "Add the redirect_uri of the authorization request.",
  },
  redirect_uri_required_by_openid: {
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "An OpenID request must have the parameter redirect_uri",
    expected: "the client's registered redirect URI",
    change: "Add the redirect_uri, because a request with the scope openid must have it.",
  },
  redirect_uri_left_out: {
    reason: "redirect_uri_missing",
    sentence: "The parameter redirect_uri is missing",
    expected: "{only}, or a client with oauth_version 2.1",
    change: "Add the redirect_uri of the authorization request.",
  },
  redirect_uri_unregistered: {
    spec: "OAuth 2.1 §4.1.2.1",
    sentence: "This redirect URI is not registered for the client",
    expected:
      "one of the client's registered redirect URIs. If first use is on, a client that is not configured can have a redirect URI on this machine",
    change:
      "Send a registered redirect_uri, character by character, or add this one to the redirect_uris of the client.",
  },
  response_mode_required: {
    spec: "FAPI 2.0 Message Signing §5.4.1",
    sentence: "This client must use another response_mode",
    expected: "one of the modes that the client is required to use",
    change: "Set response_mode to one of the expected modes.",
  },
  response_mode_unsupported: {
    spec: "OAuth 2.0 Multiple Response Types §2.1",
    sentence: "This response_mode is not supported",
    expected: "a response mode that the server supports",
    change: "Use a response_mode that the discovery document lists, or leave it out.",
  },
});

export const refused: RefusalRows = refusal.rows;

/**
 * Finds the client of an authorization request. An unknown id may give a candidate, which its source stores only if a
 * person approves the request.
 */
export async function identifyClient(
  params: Params,
  exchange: Exchange,
  services: Services,
): Promise<Client> {
  // These two decide where the answer goes, so the server must not choose between two values.
  requireUnrepeated(params, (name) => name === "client_id" || name === "redirect_uri");
  const id = params.get("client_id");
  if (id === undefined) {
    throw refusal("client_id_missing", { received: describeMissing("client_id", params) });
  }
  const redirectUri = params.get("redirect_uri");
  const client = await findClient(id, services, exchange);
  if (client === undefined) return requireCandidate(id, redirectUri, exchange, services);
  exchange.note({ clientId: client.id });
  return learnsRedirectUri(client, services) ? findCandidate(id, redirectUri, services) ?? client : client;
}

/** Whether a device login made the client known, so that its next login gives it its redirect URI. */
export function learnsRedirectUri(
  { unregistered, redirectUris }: Client,
  { settings }: Pick<Services, "settings">,
): boolean {
  return settings.learnsGrants !== undefined && unregistered === true && redirectUris.length === 0;
}

function requireCandidate(
  id: string,
  redirectUri: string | undefined,
  exchange: Exchange,
  services: Services,
): Client {
  const notedId = noteUnknownClient(id, exchange, services);
  const candidate = findCandidate(id, redirectUri, services);
  if (candidate === undefined) return refuseUnknownClient({ id, notedId, redirectUri }, services);
  exchange.note({ clientId: notedId, clientIsUnknown: false });
  return candidate;
}

/** Returns the verified target. Errors before that must not be redirected (OAuth 2.1 §4.1.2.1). */
export function requireRedirectTarget(
  params: Params,
  client: Client,
  exchange: Exchange,
  services: Services,
): RedirectTarget {
  const redirectUri = requireRedirectUri(params, client, services);
  adviseScheme(redirectUri, exchange);
  const responseMode = requireResponseMode(params, client, redirectUri, services);
  const state = params.isRepeated("state") ? undefined : params.get("state");
  return {
    client,
    redirectUri,
    responseMode,
    ...present({ state }),
    isSilent: !params.isRepeated("prompt") && params.get("prompt") === "none",
  } as RedirectTarget;
}

function requireRedirectUri(params: Params, client: Client, services: Services): string {
  const requested = params.get("redirect_uri");
  const { redirectUris } = client;
  const [only] = redirectUris;
  if (only === undefined) throw refusal("redirect_uri_none_registered");
  if (requested === undefined) {
    if (redirectUris.length > 1) {
      throw refusal("redirect_uri_missing", {
        expected: redirectUris.join(" or "),
        redirectUris,
        received: describeMissing("redirect_uri", params),
      });
    }
    if (params.get("scope")?.split(" ").includes("openid")) {
      throw refusal("redirect_uri_required_by_openid", {
        expected: `redirect_uri=${only}`,
        received: describeMissing("redirect_uri", params),
      });
    }
    // OAuth 2.1 §2.3.2: a request may omit redirect_uri if the client has registered only one.
    if (client.oauthVersion === "2.1" || services.settings.presumesRedirectUri) return only;
    throw refusal("redirect_uri_left_out", { only });
  }
  if (!redirectUris.some((registered) => matchesRedirectUri(registered, requested))) {
    throw refusal("redirect_uri_unregistered", {
      expected: redirectUris.join(" or ") + describeFirstUse(requested, client, services),
      redirectUris,
      received: requested,
      ...suggestRedirectUri(requested, client, services),
    });
  }
  return requested;
}

/** A client keeps its redirect URIs, but first use may accept the URI with another client_id. */
function describeFirstUse(
  requested: string,
  { source, unregistered }: Client,
  { settings, slots }: Services,
): string {
  const isFit = acceptsUnknownClients(slots) && isLocalRedirectUri(requested, settings);
  if (unregistered) {
    return " (the first use of this client_id fixed it)" +
      (isFit ? ". Use another client_id for this redirect_uri" : "") +
      ". A server with a memory store forgets this client at a restart";
  }
  return source === configuredClients.name && isFit
    ? ", or this redirect_uri with a client_id that is not configured (first use)"
    : "";
}

function suggestRedirectUri(requested: string, client: Client, services: Services): Remedy {
  const isFit = (allowsPrivateHttp: boolean) =>
    unfitForAnswers(requested, { allowsPrivateHttp, apps: "all" }) === undefined;
  if (client.isDemo || !isFit(true)) return {};
  const needsPrivateHttp = !isFit(client.allowsPrivateHttp ?? false);
  return memberRemedy(client, {
    redirect_uris: [...client.redirectUris, requested],
    ...present({ allow_private_http: needsPrivateHttp || undefined }),
  }, services);
}

function requireResponseMode(
  params: Params,
  client: Client,
  redirectUri: string,
  { slots }: Services,
): string {
  // A repeated response_mode is refused later, with an error response in the default mode.
  const requested = params.isRepeated("response_mode") ? undefined : params.get("response_mode");
  const name = requested ?? "query";
  const mode = slots.responseModes.get(name);
  if (mode === undefined || mode.reaches?.(redirectUri) === false) {
    // OpenID Connect Core §3.1.2.6: without a response mode, no error response can be sent, so a page shows the error.
    throw refusal("response_mode_unsupported", {
      codeless: "on_page",
      expected: [...slots.responseModes.values()].filter(({ reaches }) => reaches?.(redirectUri) ?? true)
        .map(({ name }) => name).join(", "),
      received: name,
    });
  }
  const required = [...slots.responseModes.values()].filter(({ requiredBy }) =>
    requiredBy !== undefined && memberOf(client, requiredBy) === true
  );
  if (required.length > 0 && !required.some((mode) => mode.name === name)) {
    throw refusal("response_mode_required", {
      expected: required.map((mode) => mode.name).join(", "),
      received: requested ?? describeMissing("response_mode", params),
    });
  }
  return name;
}
