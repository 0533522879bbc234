/** Signing in without a browser window: a whole flow in one call, or a client's own authorization URL to its callback. */

import { randomText, sha256 } from "../../crypto/bytes.ts";
import type { Jwk } from "../../crypto/jwk.ts";
import { withoutQuery } from "../../http/address.ts";
import { findFields, findFormAction } from "../../http/html.ts";
import type { ClientMetadata } from "../../oauth/clients/client_metadata.ts";
import { findClient } from "../../oauth/clients/find_client.ts";
import type { Pair } from "../../oauth/params.ts";
import { paths } from "../../oauth/paths.ts";
import type { OpenDecision, SignInDecision } from "../conditions/decisions.ts";
import { refusedBy } from "../journal/refused.ts";
import {
  findClientForPeople,
  noClientMeant,
  requireClient,
  requirePerson,
  toList,
  usualScope,
} from "../terms/configured.ts";
import { namesOf, requireKnownTerms } from "../terms/known_terms.ts";
import { type Browser, createBrowser, type Visit, visit } from "./browser.ts";
import { requestAsClient } from "./client_requests.ts";
import { readTokens, rememberRecipient, type Tokens } from "./refresh.ts";
import type { TenantContext } from "./tenant_context.ts";

/** Who signs in, and what they say. */
export interface PersonTerms {
  /** They say no: the client hears `access_denied`. */
  readonly deny?: boolean;
  /** Where they are signed in already, and stay signed in. Default: a new one. */
  readonly browser?: Browser;
}

/** What `login` asks for, and as which client. */
export interface LoginTerms extends PersonTerms {
  /** Default: the first one that people can sign in to. */
  readonly client?: string;
  /** Default: the client's first one. */
  readonly redirectUri?: string;
  readonly scope?: string | readonly string[];
  readonly resource?: string | readonly string[];
  readonly prompt?: string;
  readonly nonce?: string;
  /** The private JWK of a client that authenticates with `private_key_jwt`. */
  readonly clientKey?: Jwk;
  /** Any other parameter of the authorization request. */
  readonly params?: Readonly<Record<string, string | undefined>>;
}

/** Who answers a client's own authorization request. */
export interface AuthorizeTerms extends PersonTerms {
  /** A username. Default: whom `nextSignIn` named, the one who is signed in at `browser`, or the first person. */
  readonly as?: string;
}

const authorizeNames = namesOf<AuthorizeTerms>({ as: true, deny: true, browser: true });
const loginNames = namesOf<LoginTerms>({
  ...{ client: true, redirectUri: true, scope: true, resource: true, prompt: true, nonce: true },
  ...{ clientKey: true, params: true, deny: true, browser: true },
});

export async function login(
  username: string | undefined,
  terms: LoginTerms,
  context: TenantContext,
): Promise<Tokens> {
  const doing = "log in";
  context.requireOpen();
  requireKnownTerms(doing, terms, loginNames);
  const client = await requireLoginClient(terms, context);
  const redirectUri = terms.redirectUri ?? client.redirect_uris![0]!;
  const { random, settings: { baseUrl } } = context.services;
  const browser = terms.browser ?? createBrowser();
  const verifier = randomText(random, 32);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: toList(terms.scope ?? client.scope ?? usualScope).join(" "),
    state: randomText(random, 16),
    code_challenge: sha256(verifier),
    code_challenge_method: "S256",
    ...(terms.prompt === undefined ? {} : { prompt: terms.prompt }),
    ...(terms.nonce === undefined ? {} : { nonce: terms.nonce }),
  });
  for (const [name, value] of Object.entries(terms.params ?? {})) {
    if (value !== undefined) query.set(name, value);
  }
  for (const resource of toList(terms.resource)) query.append("resource", resource);
  const decision = decide(username, terms, context);
  const end = await visit(browser, { url: `${baseUrl}${paths.authorize}?${query}`, decision }, context);
  const params = readCallback(requireCallback(doing, end));
  const code = params.get("code");
  if (code === null) {
    const [error, description] = ["error", "error_description"].map((name) => params.get(name) ?? undefined);
    throw refusedBy(doing, end.facts, { status: end.answer.status, error, description }, sentBack);
  }
  requireMeant(username, end.facts?.subject, context);

  const resources = toList(terms.resource).map((resource): Pair => ["resource", resource]);
  const { answer, facts } = await requestAsClient({
    path: paths.token,
    client,
    clientKey: terms.clientKey,
    form: [
      ["grant_type", "authorization_code"],
      ["code", code],
      ["redirect_uri", redirectUri],
      ["code_verifier", verifier],
      ...resources,
    ],
  }, context);
  return rememberRecipient(
    readTokens(doing, answer, facts),
    { client, clientKey: terms.clientKey, browser },
    context,
  );
}

/** What a client sent the browser to, answered: the address that the browser is sent back to. */
export async function authorize(
  url: string | URL,
  terms: AuthorizeTerms,
  context: TenantContext,
): Promise<URL> {
  return requireCallback("authorize", await answerRequest(url, terms, context));
}

async function answerRequest(
  url: string | URL,
  terms: AuthorizeTerms,
  context: TenantContext,
): Promise<Visit> {
  context.requireOpen();
  requireKnownTerms("authorize", terms, authorizeNames);
  const { baseUrl, issuer } = context.services.settings;
  if (!`${url}`.startsWith(`${baseUrl}/`)) {
    throw new TypeError(
      `Cannot authorize: expected an address below as.issuer (${issuer}), but got ${withoutQuery(`${url}`)}`,
    );
  }
  const decision = decide(terms.as, terms, context);
  return await visit(terms.browser ?? createBrowser(), { url: `${url}`, decision }, context);
}

/** A redirect URI has no fragment of its own (OAuth 2.1 §2.3), so that one can only be the answer. */
function readCallback({ searchParams, hash }: URL): URLSearchParams {
  return hash === "" ? searchParams : new URLSearchParams(hash.slice(1));
}

const sentBack = "the browser to be sent back to the client, with a code or an OAuth error";

function requireCallback(doing: string, end: Visit): URL {
  if (end.leftFor !== undefined) return end.leftFor;
  const { answer: { status, body }, facts } = end;
  const isPage = status === 200 && body.includes("<form");
  if (facts?.refusal !== undefined || !isPage) throw refusedBy(doing, facts, { status }, sentBack);
  if (findClientForm(body) === undefined) throw showsPage(doing, end);
  throw new Error(
    `Cannot ${doing}: the answer comes in a form (response_mode=form_post); use as.authorizeForm()`,
  );
}

/** Where a form goes that is the answer to a client: the forms of our own pages go to a path. */
function findClientForm(body: string): string | undefined {
  const action = findFormAction(body);
  return action !== undefined && URL.canParse(action) ? action : undefined;
}

function showsPage(doing: string, { url }: Visit): Error {
  return new Error(
    `Cannot ${doing}: the server shows a page of its own at ${withoutQuery(url)}; ` +
      "expected a client's authorization URL, which sends the browser back",
  );
}

/** The same for `response_mode=form_post`: the request that the browser sends to the client. */
export async function authorizeForm(
  url: string | URL,
  terms: AuthorizeTerms,
  context: TenantContext,
): Promise<Request> {
  const end = await answerRequest(url, terms, context);
  const { leftFor, answer: { status, body }, facts } = end;
  if (leftFor !== undefined) {
    throw new Error("Cannot authorize: the answer comes as a redirect, not in a form; use as.authorize()");
  }
  const action = status === 200 ? findClientForm(body) : undefined;
  if (action === undefined) {
    throw facts?.refusal === undefined && body.includes("<form")
      ? showsPage("authorize", end)
      : refusedBy("authorize", facts, { status }, sentBack);
  }
  const fields = findFields(body).map(([name, value]) => [name, value]);
  return new Request(action, { method: "POST", body: new URLSearchParams(fields) });
}

function decide(
  username: string | undefined,
  { deny }: PersonTerms,
  context: TenantContext,
): SignInDecision | OpenDecision {
  if (deny && username === undefined) return { deny: true };
  const person = requirePerson(username, context);
  return deny ? { deny: true } : username === undefined ? { otherwise: person } : { person };
}

/** With prompt=none nobody signs in: whoever is signed in already may be somebody else. */
function requireMeant(
  username: string | undefined,
  subject: string | undefined,
  context: TenantContext,
): void {
  const { people } = context.services.settings;
  const person = subject === undefined ? undefined : people.findBySubject(subject);
  if (username === undefined || person === undefined || person.username === username) return;
  throw new TypeError(`Cannot log ${username} in: ${person.username} is signed in at this browser`);
}

/** A client that its first use made is in the store only. */
async function findUsed(id: string, { services }: TenantContext): Promise<ClientMetadata | undefined> {
  const used = await findClient(id, services);
  return used && { client_id: id, redirect_uris: used.redirectUris };
}

async function requireLoginClient(
  { client: id, redirectUri }: LoginTerms,
  context: TenantContext,
): Promise<ClientMetadata> {
  if (id !== undefined) {
    // Nobody configured it, but its first use may make it a client.
    const isConfigured = context.clients.some((client) => client.client_id === id);
    const client = isConfigured
      ? requireClient(id, context)
      : redirectUri !== undefined
      ? { client_id: id, redirect_uris: [redirectUri] }
      : await findUsed(id, context) ?? requireClient(id, context);
    if (client.redirect_uris?.[0] !== undefined) return client;
    throw new TypeError(
      `The client ${id} has no redirect URI, so nobody can sign in to it: give it redirect_uris`,
    );
  }
  const first = findClientForPeople(context);
  if (first !== undefined) return first;
  throw noClientMeant(context, "No client here has a redirect URI");
}
