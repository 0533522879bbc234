/** Answering the client through the browser: the one verified place that an answer may go to, success or refusal. */

import type { Answer } from "../../http/message.ts";
import { type Client, clientRemedy } from "../clients/client.ts";
import { asOAuthError, fail, type OAuthError, wireText } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { ResponseMode } from "../feature.ts";
import { callbackUri, rememberLastClient } from "./own_flow.ts";
import type { Pair, Params } from "../params.ts";
import { isLoopbackUri, matchesRedirectUri, unfitForAnswers } from "../clients/redirect_uri.ts";
import { noteRefusal, refusalPage } from "../refuse.ts";
import { passSeam } from "../seams.ts";
import type { Services } from "../services.ts";

/** Made by `requireRedirectTarget` only: whoever holds one may send the browser there. */
export interface RedirectTarget {
  readonly client: Client;
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state?: string;
  /** The request forbids every page: `prompt=none`. */
  readonly isSilent: boolean;
  readonly verified: typeof verified;
}

declare const verified: unique symbol;

export type RedirectTargetReason =
  | "redirect_uri_missing"
  | "redirect_uri_unregistered"
  | "redirect_uri_none_registered"
  | "redirect_uri_required_by_openid"
  | "response_mode_unsupported";

/** Nothing that fails before this returns may be redirected (OAuth 2.1 §4.1.2.1). */
export function requireRedirectTarget(params: Params, client: Client, services: Services): RedirectTarget {
  const redirectUri = requireRedirectUri(params, client);
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

function requireRedirectUri(params: Params, client: Client): string {
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
      fail<RedirectTargetReason>("invalid_request", "This client has several redirect URIs: say which", {
        reason: "redirect_uri_missing",
        spec,
        expected: client.redirectUris.join(" "),
      });
    }
    if (params.get("scope")?.split(" ").includes("openid")) {
      fail<RedirectTargetReason>("invalid_request", "An OpenID request must name its redirect URI", {
        reason: "redirect_uri_required_by_openid",
        spec: "OpenID Connect Core §3.1.2.1",
        expected: only,
      });
    }
    // OAuth 2.1 §2.3.2: with one URI registered, the request may leave it out.
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
      expected: client.redirectUris.join(" "),
      received: requested,
      ...(client.origin === "first_use" && unfitForAnswers(requested) === undefined
        ? { remedy: clientRemedy(client, { redirect_uris: [...client.redirectUris, requested] }) }
        : {}),
    });
  }
  return requested;
}

function requireResponseMode(params: Params, { slots }: Services): ResponseMode {
  // Repeated, it is refused like any other repeated parameter, by redirect: then in the usual way.
  const name = params.isRepeated("response_mode") ? undefined : params.get("response_mode");
  const mode = slots.responseModes.get(name ?? "query");
  if (mode === undefined) {
    // OpenID Connect Core §3.1.2.6: nowhere to send it, so it stays here, with no OAuth parameters.
    fail<RedirectTargetReason>("invalid_request", "This response_mode is not supported", {
      reason: "response_mode_unsupported",
      codeless: true,
      spec: "OAuth 2.0 Multiple Response Types §2.1",
      expected: [...slots.responseModes.keys()].join(", "),
      received: name ?? "query",
    });
  }
  return mode;
}

/** OAuth 2.1 §4.1.2: the parameters, `state` as it came, and `iss` (RFC 9207) on success and on refusal. */
export async function answerClient(
  target: RedirectTarget,
  params: readonly Pair[],
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const state: readonly Pair[] = target.state === undefined ? [] : [["state", target.state]];
  const answer: readonly Pair[] = [...params, ...state, ["iss", services.settings.issuer]];
  const { redirectUri, responseMode } = target;
  const said = await passSeam(
    services.seams,
    "authorization_response",
    { redirectUri, mode: responseMode.name, params: answer },
    exchange,
  );
  const mode = services.slots.responseModes.get(said.mode) ?? responseMode;
  const made = await mode.respond({ ...target, redirectUri: said.redirectUri }, said.params, services);
  return said.redirectUri === callbackUri(services.settings)
    ? rememberLastClient(made, target.client, services)
    : made;
}

/** From here on the client hears of every refusal. Together with `server.ts` the only place that catches. */
export async function answeringClient(
  target: RedirectTarget,
  exchange: Exchange,
  services: Services,
  work: () => Answer | Promise<Answer>,
  /** Before the client hears of a refusal. Resolves to another answer where it must not. */
  keepRefusal: (error: OAuthError) => Promise<Answer | undefined>,
): Promise<Answer> {
  try {
    return await work();
  } catch (thrown) {
    const error = asOAuthError(thrown, exchange.id);
    if (!mayHear(error, target)) {
      return await refusalPage(error, exchange, services, { wouldHaveGoneTo: target.redirectUri });
    }
    const instead = await keepRefusal(error);
    if (instead !== undefined) return instead;
    noteRefusal(error, exchange);
    return await answerClient(target, errorParams(error), exchange, services);
  }
}

/**
 * No person has agreed yet to go where a proposed client wants its errors. One that asks silently waits for an answer in
 * a hidden iframe, which a page would never end (OpenID Connect Core §3.1.2.6), and on loopback it reaches no one else.
 */
function mayHear({ details }: OAuthError, { client, isSilent, redirectUri }: RedirectTarget): boolean {
  return !client.proposed || details.reason === "user_denied" || isSilent && isLoopbackUri(redirectUri);
}

function errorParams(error: OAuthError): readonly Pair[] {
  return [["error", error.error], ["error_description", wireText(error.message)]];
}
