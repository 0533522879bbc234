/** The authorization endpoint, and the two forms that people answer it with (OAuth 2.1 §3.1, §4.1). */

import { formPage } from "../http/respond.ts";
import {
  answerClient,
  answeringClient,
  type RedirectTarget,
  requireRedirectTarget,
} from "../oauth/answer_client.ts";
import {
  type AuthorizationRequest,
  readAuthorizationParams,
  requireAuthorizationRequest,
} from "../oauth/authorization_request.ts";
import { adoptClient, identifyClient, summariseClient } from "../oauth/client.ts";
import { fail, OAuthError } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import { grants } from "../oauth/grant.ts";
import type { SignInProps } from "../oauth/pages.ts";
import { type Params, readForm } from "../oauth/params.ts";
import {
  createPendingRequest,
  openPendingRequest,
  type PendingRequest,
  sealPendingRequest,
} from "../oauth/pending_request.ts";
import { checkPassword, type Person, summarisePerson } from "../oauth/people.ts";
import { refusalPage } from "../oauth/refuse.ts";
import type { Services } from "../oauth/services.ts";
import {
  type Browser,
  findBrowser,
  findSignedIn,
  openBrowser,
  type SignedIn,
  startSession,
} from "../oauth/session.ts";
import { countFailure, isThrottled } from "../oauth/throttle.ts";

export type AuthorizeReason =
  | "user_denied"
  | "already_approved"
  | "decision_missing"
  | "form_from_another_site";

const signInPath = "/oauth2/sign_in";
const consentPath = "/oauth2/consent";

export function authorize(): Feature {
  const path = "/oauth2/authorize";
  const name = "authorization_endpoint";
  return {
    name: "authorize",
    spec: "OAuth 2.1 §3.1, §4.1, RFC 9207",
    endpoints: [
      { method: "GET", path, name, refusal: "page", handle: startRequest },
      { method: "POST", path, name, refusal: "page", handle: startRequest },
      { method: "POST", path: signInPath, refusal: "page", handle: signIn },
      { method: "POST", path: consentPath, refusal: "page", handle: consent },
    ],
    metadata: { authorization_response_iss_parameter_supported: true },
  };
}

async function startRequest(exchange: Exchange, services: Services): Promise<Response> {
  // parse
  const params = await readAuthorizationParams(exchange);
  // identify, validate
  const pending = createPendingRequest(params, services);
  return await askedBy(pending, exchange, services, async (asked) => {
    const automatic = findAutomaticPerson(asked.request, services);
    // act, respond
    if (automatic !== undefined) return await approve(asked, automatic, services);
    return await askPerson(asked, await findSignedIn(exchange, services), services);
  });
}

async function signIn(exchange: Exchange, services: Services): Promise<Response> {
  // parse
  const { form, pending } = await readAnswer(exchange, services);
  // identify, validate
  return await askedBy(pending, exchange, services, async (asked) => {
    if (form.get("decision") === "deny") denied();
    const attempt = await checkSignIn(form, exchange, services);
    if ("problem" in attempt) return await showSignIn(asked, services, attempt);
    // act
    const { signedIn, setCookie } = await startSession(attempt.person, services);
    // respond
    const response = await askPerson(asked, signedIn, services);
    response.headers.append("set-cookie", setCookie);
    return response;
  });
}

async function consent(exchange: Exchange, services: Services): Promise<Response> {
  // parse
  const { form, pending } = await readAnswer(exchange, services);
  const decision = form.get("decision");
  if (decision !== "approve" && decision !== "deny") {
    fail<AuthorizeReason>("invalid_request", "The form does not say what was decided", {
      reason: "decision_missing",
      expected: "decision=approve or decision=deny",
      received: decision ?? "no decision",
    });
  }
  // identify, validate
  return await askedBy(pending, exchange, services, async (asked) => {
    if (decision === "deny") denied();
    const signedIn = await findSignedIn(exchange, services);
    // Signed out, or somebody else by now: whoever is here has not been asked yet.
    if (signedIn === undefined || signedIn.person.subject !== pending.subject) {
      return await askPerson(asked, signedIn, services);
    }
    // act, respond
    return await approve(asked, signedIn, services);
  });
}

/** A request that is valid, and where its answer goes. */
interface Asked {
  readonly exchange: Exchange;
  readonly pending: PendingRequest;
  readonly target: RedirectTarget;
  readonly request: AuthorizationRequest;
}

/** The same steps for a request that just came and for one that comes back in a form. */
async function askedBy(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
  work: (asked: Asked) => Promise<Response>,
): Promise<Response> {
  const client = await identifyClient(pending.params, services);
  exchange.note({ clientId: client.id, flow: pending.grantId });
  const target = requireRedirectTarget(pending.params, client, services);
  return await answeringClient(target, exchange, services, async () => {
    const request = requireAuthorizationRequest(pending.params, target, services);
    const { scope, resource, challenge } = request;
    exchange.note({ scope, resource, pkce: challenge === undefined ? "none" : "S256" });
    return await work({ exchange, pending, target, request });
  });
}

async function readAnswer(
  exchange: Exchange,
  services: Services,
): Promise<{ readonly form: Params; readonly pending: PendingRequest }> {
  // Older browsers do not send it; the sealed request is the protection, this only speaks earlier (RFC 9700 §4.7).
  const site = exchange.request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") {
    fail<AuthorizeReason>("invalid_request", "This form was sent by another site", {
      reason: "form_from_another_site",
      status: 403,
      spec: "RFC 9700 §4.7",
      received: `Sec-Fetch-Site: ${site}`,
    });
  }
  const form = await readForm(exchange);
  return { form, pending: await openPendingRequest(form, findBrowser(exchange, services), services) };
}

function denied(): never {
  fail<AuthorizeReason>("access_denied", "The user said no", { reason: "user_denied" });
}

/** Where sign-in is automatic, the client's hint picks among the people, and nobody is asked anything. */
function findAutomaticPerson(
  { loginHint }: AuthorizationRequest,
  { settings, now }: Services,
): SignedIn | undefined {
  if (settings.automaticPerson === undefined) return undefined;
  const person = (loginHint === undefined ? undefined : settings.people.find(loginHint)) ??
    settings.people.find(settings.automaticPerson);
  return person && { person, authTime: Math.floor(now()), amr: [] };
}

type SignInAttempt =
  | { readonly person: Person }
  | { readonly problem: NonNullable<SignInProps["problem"]>; readonly username?: string };

async function checkSignIn(form: Params, exchange: Exchange, services: Services): Promise<SignInAttempt> {
  const { people } = services.settings;
  const picked = form.get("person");
  if (picked !== undefined) {
    const person = people.find(picked);
    // Whoever has a password is not signed in by a click, however the form was made.
    return person === undefined || person.passwordHash !== undefined
      ? { problem: "unknown_person" }
      : { person };
  }
  const username = form.get("username") ?? "";
  const who = { purpose: "password", account: username, peer: exchange.peer };
  if (await isThrottled(who, services) !== undefined) return { problem: "too_many_attempts", username };
  const person = people.find(username);
  if (checkPassword(person, form.get("password") ?? "")) return { person: person! };
  await countFailure(who, services);
  return { problem: "wrong_password", username };
}

async function askPerson(
  asked: Asked,
  signedIn: SignedIn | undefined,
  services: Services,
): Promise<Response> {
  return signedIn === undefined
    ? await showSignIn(asked, services)
    : await showConsent(asked, signedIn, services);
}

async function showSignIn(
  asked: Asked,
  services: Services,
  attempt?: Pick<SignInProps, "problem" | "username">,
): Promise<Response> {
  const { settings, pages } = services;
  const username = attempt?.username ?? asked.request.loginHint;
  return await showForm(asked, asked.pending, services, (form) =>
    formPage(
      pages.signIn({
        ...form,
        action: settings.basePath + signInPath,
        people: settings.people.all.map(summarisePerson),
        ...(username === undefined ? {} : { username }),
        ...(attempt?.problem === undefined ? {} : { problem: attempt.problem }),
      }),
      { status: attempt === undefined ? 200 : 400 },
    ));
}

async function showConsent(asked: Asked, { person }: SignedIn, services: Services): Promise<Response> {
  const { settings, pages } = services;
  const { scope, resource } = asked.request;
  return await showForm(
    asked,
    { ...asked.pending, subject: person.subject },
    services,
    (form) =>
      formPage(pages.consent({
        ...form,
        action: settings.basePath + consentPath,
        person: summarisePerson(person),
        scopes: scope.map((name) => {
          const words = settings.scopes.get(name);
          return words === undefined ? { name } : { name, words };
        }),
        resources: resource,
      })),
  );
}

async function showForm(
  { exchange, target }: Asked,
  pending: PendingRequest,
  services: Services,
  show: (form: Pick<SignInProps, "request" | "client" | "redirectUri">) => Response,
): Promise<Response> {
  const browser: Browser = openBrowser(exchange, services);
  const response = show({
    request: await sealPendingRequest(pending, browser, services),
    client: summariseClient(target.client),
    redirectUri: target.redirectUri,
  });
  if (browser.setCookie !== undefined) response.headers.append("set-cookie", browser.setCookie);
  return response;
}

async function approve(
  { exchange, pending, target, request }: Asked,
  { person, authTime, amr, sessionId }: SignedIn,
  services: Services,
): Promise<Response> {
  const { store, now } = services;
  exchange.note({ subject: person.subject });
  const client = await adoptClient(target.client, services);
  const { grant, expiresAt, params } = request.responseType.issue({
    grantId: pending.grantId,
    request: { ...request, client },
    subject: person.subject,
    authTime,
    amr,
    ...(sessionId === undefined ? {} : { sessionId }),
  }, services);
  const version = await store.put(grants, pending.grantId, grant, { expiresAt, now: now(), if: null });
  // Two tabs, or Back and once more. Not a redirect: the client has its answer, and this is not another one.
  if (version === undefined) {
    const twice = new OAuthError("invalid_request", "This request has been approved already", {
      reason: "already_approved" satisfies AuthorizeReason,
      expected: "one approval for one request: start again from the application",
    });
    return refusalPage(twice, exchange, services);
  }
  return await answerClient(target, params, exchange, services);
}
