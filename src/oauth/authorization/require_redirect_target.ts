/** Verifies the redirect URI and the response mode of an authorization request (OAuth 2.1 §4.1.2.1). */

import type { Client } from "../clients/client.ts";
import { clientRemedy, type Remedy } from "../clients/client_remedy.ts";
import { acceptsUnknownClients } from "../clients/client_sources.ts";
import { configuredClients } from "../clients/configured_clients.ts";
import { isLocalRedirectUri, matchesRedirectUri, unfitForAnswers } from "../clients/redirect_uri.ts";
import { fail } from "../error.ts";
import { describeMissing, type Params } from "../params.ts";
import type { Services } from "../services.ts";
import type { RedirectTarget } from "./redirect_target.ts";

export type RedirectTargetReason =
  | "redirect_uri_missing"
  | "redirect_uri_unregistered"
  | "redirect_uri_none_registered"
  | "redirect_uri_required_by_openid"
  | "response_mode_unsupported";

/** Returns the verified target. Errors before that must not be redirected (OAuth 2.1 §4.1.2.1). */
export function requireRedirectTarget(params: Params, client: Client, services: Services): RedirectTarget {
  const redirectUri = requireRedirectUri(params, client, services);
  const responseMode = requireResponseMode(params, services);
  const state = params.isRepeated("state") ? undefined : params.get("state");
  return {
    client,
    redirectUri,
    responseMode,
    ...(state === undefined ? {} : { state }),
    isSilent: !params.isRepeated("prompt") && params.get("prompt") === "none",
  } as RedirectTarget;
}

function requireRedirectUri(params: Params, client: Client, services: Services): string {
  const spec = "OAuth 2.1 §4.1.2.1";
  const requested = params.get("redirect_uri");
  const [only, ...others] = client.redirectUris;
  if (only === undefined) {
    fail<RedirectTargetReason>("invalid_request", "This client has no redirect URI registered", {
      reason: "redirect_uri_none_registered",
      spec,
    });
  }
  if (requested === undefined) {
    if (others.length > 0) {
      fail<RedirectTargetReason>(
        "invalid_request",
        "This client has several redirect URIs: add redirect_uri",
        {
          reason: "redirect_uri_missing",
          spec,
          expected: client.redirectUris.join(" "),
          received: describeMissing("redirect_uri", params),
        },
      );
    }
    if (params.get("scope")?.split(" ").includes("openid")) {
      fail<RedirectTargetReason>(
        "invalid_request",
        "An OpenID request must have the parameter redirect_uri",
        {
          reason: "redirect_uri_required_by_openid",
          spec: "OpenID Connect Core §3.1.2.1",
          expected: `redirect_uri=${only}`,
          received: describeMissing("redirect_uri", params),
        },
      );
    }
    // OAuth 2.1 §2.3.2: a request may omit redirect_uri if the client has registered only one.
    if (client.oauthVersion === "2.1") return only;
    fail<RedirectTargetReason>("invalid_request", "The parameter redirect_uri is missing", {
      reason: "redirect_uri_missing",
      expected: `${only}, or a client with oauth_version 2.1`,
    });
  }
  if (!client.redirectUris.some((registered) => matchesRedirectUri(registered, requested))) {
    fail<RedirectTargetReason>("invalid_request", "This redirect URI is not registered for the client", {
      reason: "redirect_uri_unregistered",
      spec,
      expected: client.redirectUris.join(" ") + describeFirstUse(requested, client, services),
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
  if (unfitForAnswers(requested, { allowsPrivateHttp: true }) !== undefined) return {};
  const needsPrivateHttp = unfitForAnswers(requested, client) !== undefined;
  return clientRemedy(client, {
    redirect_uris: [...client.redirectUris, requested],
    ...(needsPrivateHttp ? { allow_private_http: true } : {}),
  }, services);
}

function requireResponseMode(params: Params, { slots }: Services): string {
  // A repeated response_mode is refused later, with an error response in the default mode.
  const requested = params.isRepeated("response_mode") ? undefined : params.get("response_mode");
  const name = requested ?? "query";
  if (!slots.responseModes.has(name)) {
    // OpenID Connect Core §3.1.2.6: without a response mode, no error response can be sent, so a page shows the error.
    fail<RedirectTargetReason>("invalid_request", "This response_mode is not supported", {
      reason: "response_mode_unsupported",
      codeless: "on_page",
      spec: "OAuth 2.0 Multiple Response Types §2.1",
      expected: [...slots.responseModes.keys()].join(", "),
      received: name,
    });
  }
  return name;
}
