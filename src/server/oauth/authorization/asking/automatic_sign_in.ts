/** Automatic sign-in: selects the person who answers without a page, and refuses requests in the background. */

import { isCrossSite, readFetchSite } from "../../../../ground/http/request_origin.ts";
import type { IncomingRequest } from "../../../../ground/http/message.ts";
import { nearest } from "../../../../ground/schema/nearest.ts";
import { type Client, isConfigured } from "../../contracts/client.ts";
import { isLocalRedirectUri, isLoopbackUri } from "../../clients/metadata/redirect_uri.ts";
import { type AdviceRows, advices, fail, type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import type { Advice } from "../../contracts/journal.ts";
import type { Params } from "../../contracts/params.ts";
import { findAccounts } from "../../people/find_session.ts";
import { listHints, type Person } from "../../contracts/people.ts";
import { subjectFor } from "../../people/claims.ts";
import type { Services } from "../../contracts/feature.ts";
import { checkConsent } from "./consent.ts";
import type { AccessRequest, Interaction, PendingRequest } from "../../contracts/authorization_request.ts";
import { deny } from "./end_request.ts";
import { mayContinue, type NextStep, type PersonStep, refuseToAsk, requireNamedPerson } from "./next_step.ts";
import { findFeatureStep } from "./pending_request.ts";

const crossSite = {
  error: "invalid_request",
  status: 403,
  spec: "OAuth 2.1 §7.3.1",
  sentence: "A page of another site made this request in the background",
  change:
    "Open the authorization URL in the browser's window, by a link or a redirect, from the same host name.",
} as const;

const refusal = refusals({
  cross_site_request: {
    ...crossSite,
    expected:
      "while sign-in is automatic, a link or a redirect that opens a page, or an iframe with prompt=none",
  },
  cross_site_request_on_loopback: {
    ...crossSite,
    reason: "cross_site_request",
    expected:
      "while sign-in is automatic, a link or a redirect that opens a page, or an iframe with prompt=none. 127.0.0.1 and localhost are different sites: open the application at {host}",
  },
  no_person_to_sign_in: {
    error: "login_required",
    spec: "OpenID Connect Core §3.1.2.2",
    sentence: "No person of this server matches the request",
    change: "Name a person whom the server knows, or leave the hint out.",
  },
});

export const refused: RefusalRows = refusal.rows;

/**
 * Refuses requests that a page of another site makes in the background, because an automatic sign-in would answer them
 * without the person's knowledge (OAuth 2.1 §7.3.1). Another site may open a visible page, or ask in an iframe with
 * prompt=none whether a person is signed in.
 */
export function requireForegroundRequest(
  { request }: Exchange,
  params: Params,
  { settings: { automaticPerson, issuer } }: Services,
): void {
  if (automaticPerson === undefined) return;
  const site = readFetchSite(request);
  if (site === "not cross-site" || site === "cross-site document") return;
  if (site === "cross-site iframe" && params.get("prompt") === "none") return;
  const received = describeSite(request);
  throw isLoopbackUri(issuer)
    ? refusal("cross_site_request_on_loopback", { host: new URL(issuer).hostname, received })
    : refusal("cross_site_request", { received });
}

function describeSite(request: IncomingRequest): string {
  const site = request.header("sec-fetch-site");
  if (site === undefined) return `Origin: ${request.header("origin")}`;
  const purpose = request.header("sec-purpose");
  return `Sec-Fetch-Site: ${site}, ` +
    `Sec-Fetch-Dest: ${request.header("sec-fetch-dest") ?? "not sent"}` +
    (purpose === undefined ? "" : `, Sec-Purpose: ${purpose}`);
}

/** Returns `undefined` if sign-in is not automatic. */
export async function findAutomaticStep(
  interaction: Interaction,
  services: Services,
): Promise<NextStep | undefined> {
  const { exchange, request } = interaction;
  if (services.settings.automaticPerson === undefined) return undefined;
  const person = await requirePerson(request, exchange, services);
  const account = (await findAccounts(exchange, services)).find((each) => each.person === person);
  const canContinue = account !== undefined && mayContinue(account, interaction, services);
  // OpenID Connect Core §3.1.2.1: prompt=none also forbids an automatic sign-in.
  if (request.prompt?.includes("none") && !canContinue) refuseToAsk("sign_in");
  const asked = findFeatureStep(interaction, canContinue ? account : { person, amr: [] }, services);
  if (asked !== undefined) return asked;
  const approval: PersonStep = canContinue ? { person, account } : { person, automatic: true };
  const fromAnotherSite = isCrossSite(exchange.request);
  if (!requiresConsentPage(request, fromAnotherSite, services)) return approval;
  const check = await checkConsent(person.subject, request, services);
  return check.isComplete ? approval : { question: "consent", person, check, fromAnotherSite };
}

/**
 * Whether the person must see the consent page, unless an earlier consent is remembered. A page of another site may have
 * invented the client and the request. A client that no operator has configured may belong to a stranger, unless its
 * answers stay in a local test.
 */
function requiresConsentPage(
  { client, redirectUri }: AccessRequest,
  fromAnotherSite: boolean,
  { settings }: Services,
): boolean {
  if (isConfigured(client)) return false;
  const isLocal = redirectUri !== undefined && isLocalRedirectUri(redirectUri, settings);
  return fromAnotherSite || !isLocal;
}

/** Returns the person of an answered consent form if sign-in is automatic. The approval then signs this person in. */
export function findAutomaticPerson(
  { subject }: PendingRequest,
  { settings: { automaticPerson, people } }: Services,
): Person | undefined {
  return automaticPerson === undefined || subject === undefined ? undefined : people.findBySubject(subject);
}

/** An unknown login_hint chooses the usual person, because some clients send the logins of another server. */
async function requirePerson(
  { client, loginHint, requiredSub }: AccessRequest,
  exchange: Exchange,
  services: Services,
): Promise<Person> {
  const { automaticPerson, people } = services.settings;
  const usual = people.find(automaticPerson!);
  const hinted = loginHint === undefined ? usual : people.findByHint(loginHint);
  const isIgnored = hinted === undefined && loginHint !== undefined && requiredSub === undefined;
  if (isIgnored && usual !== undefined && exchange.hasJournal) {
    exchange.note({ advice: adviseHint(loginHint, usual, services) });
  }
  const person = requiredSub === undefined ? hinted ?? usual : await findBySub(requiredSub, client, services);
  return person ?? fail(refusal("no_person_to_sign_in"));
}

// In the journal only: the client does not learn whether a person exists.
const advice = advices({
  login_hint_unknown: {
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "No single person has this login_hint, so the server chooses {username}",
    expected: "the username or the email of one person",
    change: "Send the username or the email of one person as login_hint.",
  },
});

export const advised: AdviceRows = advice.rows;

const longestHint = 80;
const mostSearched = 100;
const mostSuggested = 4;

function adviseHint(hint: string, usual: Person, { settings: { people } }: Services): Advice {
  const known = people.all.slice(0, mostSearched).flatMap(listHints).filter((each) =>
    people.findByHint(each)
  );
  // Domains are left out, because all emails of one domain are similar.
  const nameOf = (text: string) => text.split("@")[0]!;
  const similarName = nearest(nameOf(hint), known.map(nameOf));
  const similar = known.find((each) => nameOf(each) === similarName);
  return advice("login_hint_unknown", {
    username: usual.username,
    expected: similar === undefined
      ? `the username or the email of one person, for example ${known.slice(0, mostSuggested).join(", ")}`
      : `perhaps login_hint=${similar}`,
    received: `login_hint=${hint.length > longestHint ? `${hint.slice(0, longestHint)}…` : hint}`,
  });
}

async function findBySub(sub: string, client: Client, services: Services): Promise<Person | undefined> {
  for (const person of services.settings.people.all) {
    if (await subjectFor(client, person.subject, services) === sub) return person;
  }
  return undefined;
}

/** Answers without a page as a test has decided, in place of a person. `undefined`: no test decides this request. */
export async function findDecidedStep(
  interaction: Interaction,
  services: Services,
): Promise<PersonStep | undefined> {
  const decision = await services.slots.decides?.(interaction, services);
  if (decision === undefined) return undefined;
  if ("denied" in decision) deny();
  const { person } = decision;
  await requireNamedPerson(person, interaction.request, services);
  const { account: known, ...given } = decision;
  const account = known !== undefined && mayContinue(known, interaction, services) ? { account: known } : {};
  const proven = await services.slots.secondFactor?.decide({ ...given, ...account }, interaction, services);
  return { person, ...account, ...proven, leftOut: [] };
}
