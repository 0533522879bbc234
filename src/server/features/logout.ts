/** Sign-out that a client asks for (OpenID Connect RP-Initiated Logout). */

import { uriTexts } from "../oauth/clients/metadata/metadata_texts.ts";
import {
  isAtOriginOf,
  matchesRedirectUri,
  unfitAfterSignOut,
  withQuery,
} from "../oauth/clients/metadata/redirect_uri.ts";
import type { ClientMember, Endpoint, Feature, Services } from "../oauth/contracts/feature.ts";
import { type Answer, withCookie } from "../../ground/http/message.ts";
import { formPage, page, redirect } from "../../ground/http/respond.ts";
import { askAgainByGet, isFromAnotherOrigin, requireOwnPage } from "../oauth/authorization/sending_page.ts";
import { checkEach } from "../oauth/clients/metadata/check_each.ts";
import type { Client } from "../oauth/contracts/client.ts";
import { memberOf } from "../oauth/contracts/feature_values.ts";
import { clientRemedy } from "../oauth/clients/records/client_remedy.ts";
import { findClient, listAllClients } from "../oauth/clients/records/find_client.ts";
import { summariseClient } from "../oauth/clients/records/summarise_client.ts";
import { noteUnknownClient } from "../oauth/clients/records/unknown_client.ts";
import { paths, usualPaths } from "../oauth/contracts/paths.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import { chooseLanguage } from "../oauth/requests/choose_language.ts";
import { type Params, readForm, readQuery, requireUnrepeatedForm } from "../oauth/contracts/params.ts";
import {
  type Browser,
  encryptForBrowser,
  findBrowser,
  openBrowser,
  openForBrowser,
} from "../oauth/people/browser.ts";
import { findAccounts } from "../oauth/people/find_session.ts";
import { summarisePerson } from "../oauth/contracts/people.ts";
import type { SignedIn } from "../oauth/contracts/session.ts";
import { endSignIns } from "../oauth/people/sign_out.ts";
import type { ToldClient } from "../oauth/contracts/told_client.ts";
import { type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { type IssuedIdToken, readIdTokenHint } from "../oauth/tokens/issued_id_token.ts";
import { present } from "../../ground/values/present.ts";
import { type Timed, timeFor } from "../oauth/options/clock_skew.ts";

const postLogoutRedirectUris: ClientMember<readonly string[]> = {
  name: "post_logout_redirect_uris",
  schema: uriTexts,
  check: (uris, client) =>
    checkEach("post_logout_redirect_uris", uris, (uri) => unfitAfterSignOut(uri, client)),
};

const refusal = refusals({ error: "invalid_request" }, {
  hint_of_another_client: {
    spec: "RP-Initiated Logout §2",
    sentence: "The id_token_hint was issued to another client",
    expected: "the client to which the ID token was issued",
    change: "Send an ID token of the client that client_id names.",
  },
  client_unknown: {
    spec: "RP-Initiated Logout §2",
    sentence: "This client is not known here",
    change: "Use a client_id that the server knows, or add this client to the configuration.",
  },
  post_logout_uri_without_client: {
    spec: "RP-Initiated Logout §3",
    sentence: "The request does not name the client of its post_logout_redirect_uri",
    expected: "id_token_hint or client_id",
    change: "Add id_token_hint or client_id to the request.",
  },
  post_logout_uri_unregistered: {
    spec: "RP-Initiated Logout §3",
    sentence: "This post_logout_redirect_uri is not registered for the client",
    expected:
      "one of the client's post_logout_redirect_uris. For a first-use client, an address at the origin of its redirect URI",
    change: "Register this address in post_logout_redirect_uris of the client.",
  },
  sign_out_form_not_ours: {
    status: 403,
    spec: "RFC 9700 §4.7",
    sentence: "This server did not create this form for this browser",
    expected: "a form that is less than an hour old, and the cookies that came with the form",
    change: "Allow cookies, and open the sign-out again in the same browser.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function logout(): Feature<"logout"> {
  const endpoint: Omit<Endpoint<"logout">, "method"> = {
    name: "logout",
    path: usualPaths.logout,
    metadataName: "end_session_endpoint",
    params: ["id_token_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales"],
    refusal: "page",
    handle: endSession,
  };
  return {
    name: "logout",
    spec: "OpenID Connect RP-Initiated Logout",
    clientMembers: [postLogoutRedirectUris],
    endpoints: [{ method: "GET", ...endpoint }, { method: "POST", ...endpoint }],
  };
}

/** Answers a request to sign out: asks the person, unless the ID token of this sign-in shows that the client may. */
async function endSession(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const isForm = exchange.request.method === "POST";
  if (isForm && isFromAnotherOrigin(exchange)) {
    return await askAgainByGet(exchange, services.settings.paths.logout, services);
  }
  const params = isForm ? await readForm(exchange) : readQuery(exchange);
  requireUnrepeatedForm(params);
  exchange.preferLanguages(params.get("ui_locales"));
  const encrypted = isForm ? params.get("request") : undefined;
  if (encrypted !== undefined) return await answerForm(encrypted, params, exchange, services);
  // identify
  const hint = await readHint(params, services);
  const client = await findAskingClient(params, hint, exchange, services);
  const accounts = await findAccounts(exchange, services);
  const hinted = accounts.find(({ session }) => session.sid === hint?.sid);
  noteClientAndPerson(client, hinted === undefined ? accounts : [hinted], exchange);
  // validate
  const continueAt = requireContinuation(params, client, services);
  // act, respond
  // RFC 9110 §9.2.1: HEAD must not change anything.
  if (hinted !== undefined && exchange.request.method !== "HEAD") {
    // The client has an ID token of this sign-in (§2), so the person need not confirm.
    const told = await endSignIns([hinted.session], exchange, services);
    return await finish("signed_out", continueAt, exchange, services, told);
  }
  // §4: if no person is signed in, the sign-out has succeeded.
  if (accounts.length === 0) return await finish("not_signed_in", continueAt, exchange, services);
  return await ask(accounts, client, continueAt, exchange, services);
}

function noteClientAndPerson(
  client: Client | undefined,
  accounts: readonly SignedIn[],
  exchange: Exchange,
): void {
  const [only, ...others] = accounts;
  exchange.note({
    ...present({ clientId: client?.id }),
    ...present({ subject: only === undefined || others.length > 0 ? undefined : only.person.subject }),
  });
}

async function readHint(params: Params, services: Services): Promise<IssuedIdToken | undefined> {
  const text = params.get("id_token_hint");
  return text === undefined ? undefined : await readIdTokenHint(text, "RP-Initiated Logout §2", services);
}

async function findAskingClient(
  params: Params,
  hint: IssuedIdToken | undefined,
  exchange: Exchange,
  services: Services,
): Promise<Client | undefined> {
  const named = params.get("client_id");
  if (named !== undefined && hint !== undefined && named !== hint.clientId) {
    throw refusal("hint_of_another_client", { expected: hint.clientId, received: named });
  }
  const id = named ?? hint?.clientId;
  if (id === undefined) return await findClientByContinuation(params, services);
  const client = await findClient(id, services);
  if (client !== undefined) return client;
  const notedId = noteUnknownClient(id, exchange, services);
  throw refusal("client_unknown", {
    received: id,
    ...present({ privateText: notedId === id ? undefined : id }),
  });
}

/** Some providers ask for no client: the URI belongs to one of them. */
async function findClientByContinuation(params: Params, services: Services): Promise<Client | undefined> {
  const uri = params.get("post_logout_redirect_uri");
  if (uri === undefined || !services.settings.signsOutToRedirectUris) return undefined;
  return (await listAllClients(Infinity, services)).find((each) => mayContinueAt(uri, each, services));
}

/** §3: the URI must equal a registered one. A first-use client may use any URI at the origin of its redirect URIs. */
function requireContinuation(
  params: Params,
  client: Client | undefined,
  services: Services,
): string | undefined {
  const uri = params.get("post_logout_redirect_uri");
  if (uri === undefined) return undefined;
  if (client === undefined) throw refusal("post_logout_uri_without_client");
  if (!mayContinueAt(uri, client, services)) refuseContinuation(uri, client, services);
  const state = params.get("state");
  return state === undefined ? uri : withQuery(uri, new URLSearchParams({ state }).toString());
}

function mayContinueAt(uri: string, client: Client, { settings }: Services): boolean {
  const equals = (registered: string) =>
    settings.signsOutToAnyPort ? matchesRedirectUri(registered, uri) : registered === uri;
  return registeredUris(client).some(equals) ||
    settings.signsOutToRedirectUris === true && client.redirectUris.includes(uri) ||
    client.unregistered === true && isAtOwnOrigin(uri, client) && unfitAfterSignOut(uri) === undefined;
}

function registeredUris(client: Client): readonly string[] {
  return memberOf(client, postLogoutRedirectUris) ?? [];
}

function isAtOwnOrigin(uri: string, { redirectUris }: Client): boolean {
  return redirectUris.some((registered) => isAtOriginOf(registered, uri));
}

function refuseContinuation(uri: string, client: Client, services: Services): never {
  const { redirectUris, unregistered } = client;
  const unfit = unfitAfterSignOut(uri);
  throw refusal("post_logout_uri_unregistered", {
    expected: unregistered && isAtOwnOrigin(uri, client)
      ? `the post_logout_redirect_uri ${unfit}`
      : unregistered
      ? `an address at the origin of ${redirectUris.join(" or ")}`
      : registeredUris(client).join(" ") || "none is registered: the client has no post_logout_redirect_uris",
    received: uri,
    ...(unfit === undefined ? clientRemedy(client, { post_logout_redirect_uris: [uri] }, services) : {}),
  });
}

async function ask(
  accounts: readonly SignedIn[],
  client: Client | undefined,
  continueAt: string | undefined,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { settings, pages, now, clock } = services;
  const browser = openBrowser(exchange, services);
  const pending: PendingSignOut = {
    startedAt: Math.floor(now()),
    clock,
    ...present({ continueAt, uiLocales: exchange.uiLocales }),
  };
  const answer = formPage(
    await pages.signOut({
      action: settings.basePath + settings.paths.logout,
      request: await encryptForBrowser(pending, purpose, browser, services),
      people: accounts.map(({ person }) => summarisePerson(person)),
      ...present({ client: client && summariseClient(client) }),
      homeUrl: settings.basePath + paths.home,
    }, chooseLanguage(exchange, services)),
  );
  return withCookie(answer, browser.setCookie);
}

async function answerForm(
  encrypted: string,
  params: Params,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  requireOwnPage(exchange, services);
  const pending = await openSignOut(encrypted, findBrowser(exchange, services), services);
  exchange.preferLanguages(pending.uiLocales);
  const accounts = await findAccounts(exchange, services);
  noteClientAndPerson(undefined, accounts, exchange);
  if (params.get("decision") !== "sign_out") return await finish("stayed", undefined, exchange, services);
  const told = await endSignIns(accounts.map(({ session }) => session), exchange, services);
  return await finish("signed_out", pending.continueAt, exchange, services, told);
}

async function finish(
  outcome: "signed_out" | "not_signed_in" | "stayed",
  continueAt: string | undefined,
  exchange: Exchange,
  services: Services,
  told: readonly ToldClient[] = [],
): Promise<Answer> {
  if (continueAt !== undefined) return redirect(continueAt);
  const { pages, settings } = services;
  const homeUrl = settings.basePath + paths.home;
  const props = {
    outcome,
    homeUrl,
    told: told.map(({ client, outcome }) => ({ client: summariseClient(client), outcome })),
  };
  return page(await pages.signedOut(props, chooseLanguage(exchange, services)));
}

interface PendingSignOut extends Timed {
  readonly startedAt: number;
  /** The verified URI that the browser is redirected to after the sign-out. */
  readonly continueAt?: string;
  readonly uiLocales?: string;
}

// The purpose is part of the encryption, so a text that was encrypted for another purpose does not open here.
const purpose = "sign-out";

// In seconds.
const lifetime = 3600;

/** Opens the encrypted sign-out of a form. Throws if the form is too old or was not created for this browser. */
async function openSignOut(
  encrypted: string,
  browser: Browser | undefined,
  services: Services,
): Promise<PendingSignOut> {
  const pending = await openForBrowser<PendingSignOut>(encrypted, purpose, browser, services);
  if (pending !== undefined && timeFor(pending, services) < pending.startedAt + lifetime) return pending;
  throw refusal("sign_out_form_not_ours");
}
