/** Automatic sign-in: who is signed in without a page, and which requests get no automatic answer. */

import { readFetchSite } from "../../http/fetch_site.ts";
import type { IncomingRequest } from "../../http/message.ts";
import type { Client } from "../clients/client.ts";
import { isLoopbackUri } from "../clients/redirect_uri.ts";
import { fail } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Decision } from "../feature.ts";
import type { Params } from "../params.ts";
import { findAccounts } from "../people/find_session.ts";
import type { Person } from "../people/people.ts";
import { subjectFor } from "../people/subject.ts";
import type { Services } from "../services.ts";
import type { AccessRequest } from "./access_request.ts";
import type { Interaction } from "./interaction.ts";
import { askedOf, refuseToAsk } from "./next_question.ts";
import type { PendingRequest } from "./pending_request.ts";

export type AutomaticSignInReason = "nobody_to_sign_in" | "cross_site_request";

/** `consentOf`: only this person's consent is left to ask for. */
export type AutomaticDecision = Decision | { readonly consentOf: Person };

/**
 * OAuth 2.1 §7.3.1: a page of another site gets no automatic answer behind the person's back. It may open a page, which
 * the person sees, and it may ask in an iframe whether a person is signed in.
 */
export function requireAnsweredSite(
  { request }: Exchange,
  params: Params,
  { settings: { automaticPerson, issuer } }: Services,
): void {
  if (automaticPerson === undefined) return;
  const site = readFetchSite(request);
  if (site === "not cross-site" || site === "cross-site document") return;
  if (site === "cross-site iframe" && params.get("prompt") === "none") return;
  const expected =
    "while sign-in is automatic, a link or a redirect that opens a page, or an iframe with prompt=none";
  const remedy = `; 127.0.0.1 and localhost are two sites: open the application at ${
    new URL(issuer).hostname
  }`;
  fail<AutomaticSignInReason>(
    "invalid_request",
    "A page of another site made this request in the background",
    {
      reason: "cross_site_request",
      spec: "OAuth 2.1 §7.3.1",
      status: 403,
      expected: isLoopbackUri(issuer) ? expected + remedy : expected,
      received: describeSite(request),
    },
  );
}

function describeSite(request: IncomingRequest): string {
  const purpose = request.header("sec-purpose");
  return `Sec-Fetch-Site: ${request.header("sec-fetch-site")}, ` +
    `Sec-Fetch-Dest: ${request.header("sec-fetch-dest") ?? "not sent"}` +
    (purpose === undefined ? "" : `, Sec-Purpose: ${purpose}`);
}

/** The person who is meant goes on in the session that the browser has, or in a new one. */
export async function decideAutomatically(
  { exchange, request, pending }: Interaction,
  services: Services,
): Promise<AutomaticDecision | undefined> {
  // A request that a person has begun to answer is theirs.
  if (services.settings.automaticPerson === undefined || pending.subject !== undefined) return undefined;
  const person = await requirePerson(request, services);
  const account = (await findAccounts(exchange, services)).find((each) => each.person === person);
  const asked = account &&
    askedOf({ request, pending: { ...pending, subject: person.subject }, account }, services);
  const goesOn = asked !== undefined && !asked.includes("sign_in");
  const isSilent = request.prompt?.includes("none");
  // OpenID Connect Core §3.1.2.1: prompt=none forbids a sign-in, an automatic one too.
  if (isSilent && !goesOn) refuseToAsk("sign_in");
  // Another site may have made up the client and the whole request.
  if (request.client.approvedBy !== "operator" && readFetchSite(exchange.request) !== "not cross-site") {
    return isSilent ? refuseToAsk("consent") : { consentOf: person };
  }
  return account !== undefined && goesOn ? { account } : { arrival: { person, automatic: true } };
}

/** The person of an answered form, who signs in with the answer. */
export function findAutomaticPerson(
  { subject }: PendingRequest,
  { settings: { automaticPerson, people } }: Services,
): Person | undefined {
  return automaticPerson === undefined || subject === undefined ? undefined : people.findBySubject(subject);
}

/** The client's hints pick among the people. */
async function requirePerson(
  { client, loginHint, requiredSub }: AccessRequest,
  services: Services,
): Promise<Person> {
  const { automaticPerson, people } = services.settings;
  const usual = people.find(loginHint ?? automaticPerson!) ?? people.find(automaticPerson!);
  const person = requiredSub === undefined ? usual : await findBySub(requiredSub, client, services);
  return person ??
    fail<AutomaticSignInReason>("login_required", "No person here is the one the request is about", {
      reason: "nobody_to_sign_in",
      spec: "OpenID Connect Core §3.1.2.2",
    });
}

async function findBySub(sub: string, client: Client, services: Services): Promise<Person | undefined> {
  for (const person of services.settings.people.all) {
    if (await subjectFor(client, person.subject, services) === sub) return person;
  }
  return undefined;
}
