/** Runs a whole flow with PKCE. The test kit plays the client, the browser and the person. */

import { authorizationParams, codeParams } from "../../../server/client/flow.ts";
import { randomText } from "../../../ground/crypto/bytes.ts";
import { sha256 } from "../../../ground/crypto/platform.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import type { AuthorizationDetail } from "../../../server/features/options.ts";
import { present } from "../../../ground/values/present.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import { formatParams } from "../../../ground/http/form.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import {
  findClientForPeople,
  noSuitableClient,
  requireClient,
  toList,
  usualScope,
} from "../terms/configured.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { createBrowser } from "./browser.ts";
import { requireCode } from "./callback.ts";
import { carryRequest } from "./carry_request.ts";
import { type DpopTerm, openClientKey, thumbprintOf } from "./dpop_client.ts";
import { type PersonTerms, readDecision } from "./person_terms.ts";
import { requestAsClient } from "./request_as_client.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { readTokens, type Tokens } from "./token_response.ts";
import { visit } from "./visit.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";

/** The response modes in which `login` gets its code. */
export type LoginResponseMode = "query" | "fragment" | "jwt" | "query.jwt" | "fragment.jwt";

/** Options of `login`. */
export interface LoginTerms extends PersonTerms {
  /** The client id. Default: the first client that people can sign in to, or that may be a device. */
  readonly client?: string;
  /** Where the authorization response goes. Default: the first redirect URI of the client. */
  readonly redirectUri?: string;
  /**
   * The scopes to request: names separated by single spaces, or a list of names. Default: the `scope` of the client, or
   * `openid profile email offline_access`.
   */
  readonly scope?: string | readonly string[];
  /** The resource (API) that the token is for, or a list of resources. */
  readonly resource?: string | readonly string[];
  /** What the client wants to do in detail (RFC 9396): objects of the configured types. */
  readonly authorizationDetails?: readonly AuthorizationDetail[];
  /** The parameter `prompt` of the authorization request, such as `none` or `login`. */
  readonly prompt?: string;
  /** The value of the claim `nonce` in the ID token. */
  readonly nonce?: string;
  /**
   * How the authorization response comes: `jwt`, `query.jwt` and `fragment.jwt` are signed JWTs, whose signature, issuer,
   * audience and time the test kit checks (JARM). Default: `query`.
   */
  readonly responseMode?: LoginResponseMode;
  /** `true`: the client pushes its request (RFC 9126). Default: only if the server or the client requires it. */
  readonly pushed?: boolean;
  /** `true`: the client signs its request with `clientKey` (RFC 9101). Default: only if the server or the client requires it. */
  readonly signed?: boolean;
  /** The private JWK of a client that authenticates with `private_key_jwt`, or signs its requests. */
  readonly clientKey?: Jwk;
  /**
   * The private JWK of a client whose authorization responses or ID tokens are encrypted (JARM §2.2, OpenID Connect Core
   * §10.2).
   */
  readonly decryptionKey?: Jwk;
  /**
   * `true`: the client binds its tokens to a new key by DPoP. A private JWK is the key. Default: `true` for a client
   * with `dpop_bound_access_tokens`, and otherwise bearer tokens.
   */
  readonly dpop?: DpopTerm;
  /**
   * `true`: the client is a device, which shows a code that the person types into a page (RFC 8628). Default: a code flow
   * with PKCE.
   */
  readonly device?: boolean;
  /** More parameters of the authorization request, such as `login_hint`. They replace parameters that `login` sets, and `undefined` is ignored. */
  readonly params?: Readonly<Record<string, string | undefined>>;
}

export async function login(
  username: string | undefined,
  terms: LoginTerms,
  running: RunningTenant,
): Promise<Tokens> {
  const doing = "log in";
  running.requireOpen();
  requireTerms(doing, terms, types.LoginTerms);
  const { clientKey, decryptionKey, browser = createBrowser() } = terms;
  const client = effectiveClient(await requireLoginClient(terms, running), running.services);
  const redirectUri = terms.redirectUri ?? client.redirect_uris![0]!;
  const { random, settings: { baseUrl, paths } } = running.services;
  const codeVerifier = randomText(random, 32);
  const dpop = await openClientKey(doing, terms.dpop, client, running);
  const resources = toList(terms.resource);
  const params = authorizationParams({
    clientId: client.client_id,
    redirectUri,
    challenge: sha256(codeVerifier),
    resources,
    scope: toList(terms.scope ?? client.scope ?? usualScope).join(" "),
    state: randomText(random, 16),
    thumbprint: dpop && thumbprintOf(dpop),
    more: {
      response_mode: terms.responseMode ?? (client.require_signed_response === true ? "jwt" : undefined),
      ...otherParams(terms),
    },
  });
  const query = formatParams(await carryRequest(doing, params, terms, { client, dpop }, running));
  const decision = readDecision(username, terms, running);
  const visited = await visit(browser, { url: `${baseUrl}${paths.authorize}?${query}`, decision }, running);
  const responseMode = params.find(([name]) => name === "response_mode")?.[1];
  const reader = { clientId: client.client_id, decryptionKey, responseMode };
  const code = await requireCode(doing, visited, reader, running);
  requireSamePerson(username, visited.facts?.subject, running);
  const form = codeParams({ code, redirectUri, codeVerifier, resources });
  const request = { endpoint: "token", client, clientKey, dpop, form } as const;
  const tokens = await readTokens(doing, await requestAsClient(request, running), decryptionKey);
  running.recipients.set(tokens, { client, clientKey, decryptionKey, dpop, browser });
  return tokens;
}

export function otherParams(
  { authorizationDetails: details, prompt, nonce, params }: LoginTerms,
): Readonly<Record<string, string | undefined>> {
  const authorization_details = details && JSON.stringify(details);
  return { ...present({ authorization_details }), prompt, nonce, ...params };
}

/** Another person may be signed in at the browser with `prompt=none`. */
function requireSamePerson(
  username: string | undefined,
  subject: string | undefined,
  { services: { settings: { people } } }: RunningTenant,
): void {
  const person = subject === undefined ? undefined : people.findBySubject(subject);
  if (username === undefined || person === undefined || person.username === username) return;
  throw new TypeError(`Cannot log in ${username}: ${person.username} is signed in at this browser`);
}

async function requireLoginClient(
  { client: id, redirectUri }: LoginTerms,
  running: RunningTenant,
): Promise<ClientMetadata> {
  if (id === undefined) {
    const first = findClientForPeople(running);
    if (first !== undefined) return first;
    throw noSuitableClient(running, "No client has a redirect URI");
  }
  const isKnown = running.clients.some((client) => client.client_id === id);
  const stored = isKnown ? undefined : await findStoredClient(id, running);
  const client = redirectUri === undefined || isKnown
    ? stored ?? requireClient(id, running)
    // The server may register this client id at its first use.
    : { client_id: id, ...stored, redirect_uris: [redirectUri] };
  if (client.redirect_uris?.[0] !== undefined) return client;
  throw new TypeError(
    `The client ${id} has no redirect URI, so people cannot sign in to it: give it redirect_uris`,
  );
}

/** Finds a client that is in the store only, after its first use or after it registered itself without the test kit. */
async function findStoredClient(
  id: string,
  { services }: RunningTenant,
): Promise<ClientMetadata | undefined> {
  const found = await findClient(id, services);
  return found && { ...found.members, client_id: id, redirect_uris: found.redirectUris };
}

/** A profile may have filled members that the test left out. */
export function effectiveClient(client: ClientMetadata, { settings }: Services): ClientMetadata & Members {
  return { ...client, ...settings.clients.get(client.client_id)?.members };
}
