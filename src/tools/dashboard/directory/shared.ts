/** What the pages of people and clients share: notices, links to people and clients, and what a form ends. */

import { clientHref, personHref } from "../addresses.ts";
import { type AccessOf, endConsent, listGrants } from "./records.ts";
import { requireMethod } from "../../guard/guard.ts";
import type { AnswerPage, PageCall } from "../page.ts";
import { ControlRefused } from "../../guard/control_refused.ts";
import type { Answer } from "../../../server/http/message.ts";
import { answerHeaders, redirect } from "../../../server/http/respond.ts";
import { endedByHand } from "../../../kit/mock/journal/relate.ts";
import { withUserName } from "../../../kit/mock/journal/with_user_name.ts";
import { findClient } from "../../../server/oauth/clients/find_client.ts";
import { createExchange, type Exchange } from "../../../server/oauth/exchange.ts";
import { findGrant, revokeGrant } from "../../../server/oauth/tokens/check_grant.ts";
import type { Named } from "./access.tsx";
import type { ListName, Notices } from "./directory_parts.tsx";
import type { FormTarget } from "../parts/pass.tsx";
import { type Done, englishDirectory } from "./directory_english.ts";
import { present } from "../../../server/values/present.ts";

export function readNotices(
  call: PageCall,
  { isIncomplete, ended }: Pick<Notices, "isIncomplete" | "ended"> = {},
): Notices {
  const done = call.query.get("done") ?? "";
  return {
    ...(Object.hasOwn(englishDirectory.shared.done, done) ? { done: done as Done } : {}),
    ...(done === "gone" ? { wasGone: true } : {}),
    change: call.describeChange(),
    ...(isIncomplete ? { isIncomplete } : {}),
    ...present({ ended }),
  };
}

/** Returns the target of a form. `rest` is below the page: `/edit`. */
export function formTarget({ pathOf, forms }: PageCall, list: ListName, rest: string): FormTarget {
  return forms.target(pathOf(list, rest));
}

export async function nameClient(id: string, call: PageCall): Promise<Named> {
  const { name = id } = await findClient(id, call.watched.services) ?? {};
  return { id, name, href: clientHref(id, call) };
}

export function namePerson(subject: string, call: PageCall): Named {
  const person = call.watched.services.settings.people.findBySubject(subject);
  const { name } = person?.claims ?? {};
  const username = person?.username ?? subject;
  return { id: subject, name: typeof name === "string" ? name : username, href: personHref(username, call) };
}

/** Leads back to a page that says what was done. `ended`: the id of the grant that was revoked. */
export function redirectTo(href: string, done: Done | "gone", ended?: string): Answer {
  const query = new URLSearchParams({ done, ...present({ grant: ended }) });
  return redirect(`${href}${href.includes("?") ? "&" : "?"}${query}`);
}

/** Names the client and the person of the grant that a form has just revoked. */
export async function nameEnded(call: PageCall): Promise<Pick<Notices, "ended">> {
  const id = call.query.get("grant");
  const grant = id === null ? undefined : (await findGrant(id, call.watched.services))?.value;
  if (grant?.status !== "revoked") return {};
  const { name } = await nameClient(grant.clientId, call);
  return { ended: { client: name, person: namePerson(grant.subject, call).name } };
}

export function accessForms(
  list: ListName,
  call: PageCall,
): { readonly endGrant: FormTarget; readonly endConsent: FormTarget } {
  return {
    endGrant: formTarget(call, list, "/end_grant"),
    endConsent: formTarget(call, list, "/end_consent"),
  };
}

/** Ends the consent or the grant that a form names, or all grants of its group, and leads back to the page at `href`. */
export function endAccess(
  form: URLSearchParams,
  of: AccessOf,
  href: string,
  call: PageCall,
): Promise<Answer> {
  return call.rest === "/end_grant" ? endGrants(form, of, href, call) : endConsentOf(form, href, call);
}

async function endGrants(form: URLSearchParams, of: AccessOf, href: string, call: PageCall): Promise<Answer> {
  const { services } = call.watched;
  const one = form.get("all") === "yes" ? undefined : requireField(form, "grant");
  const [clientId, subject] = ["client", "person"].map((name) => form.get(name) ?? undefined);
  const whose = { ...present({ clientId, subject }), ...of };
  const { found } = await listGrants(whose, services, Infinity);
  const ending = one === undefined ? found : found.filter(({ id }) => id === one);
  if (ending.length === 0) return redirectTo(href, "gone");
  const exchange = startEnd(call);
  for (const { id } of ending) await revokeGrant(id, services);
  exchange.note(one === undefined ? whose : { flow: one, ...whose });
  recordEnd(exchange, "A person ended this login on a page of the server", call);
  return redirectTo(href, one === undefined ? "grants_ended" : "grant_ended", one);
}

async function endConsentOf(form: URLSearchParams, href: string, { watched }: PageCall): Promise<Answer> {
  const names = { subject: requireField(form, "person"), clientId: requireField(form, "client") };
  await endConsent(names, watched.services);
  return redirectTo(href, "consent_ended");
}

export function requireField(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value) return value;
  throw new ControlRefused("invalid_request", "The form is not complete", {
    place: name,
    expected: "the form of the page, as it is",
  });
}

export function download(name: string, value: unknown): Answer {
  return {
    status: 200,
    headers: {
      ...answerHeaders,
      "content-type": "application/json",
      "content-disposition": `attachment; filename="${name}"`,
    },
    body: `${JSON.stringify(value, null, 2)}\n`,
  };
}

/** What answers at an address below a list, and the methods that the address takes. */
export type Routes = ReadonlyMap<string, readonly [answer: AnswerPage, ...methods: readonly string[]]>;

export function answerBelow(list: ListName, routes: Routes, call: PageCall): Promise<Answer> | Answer {
  const [answer, ...methods] = routes.get(call.rest) ?? [];
  if (answer === undefined) {
    throw new ControlRefused("not_found", "There is no such page", { expected: call.pathOf(list) });
  }
  requireMethod(call.request, methods);
  return answer(call);
}

/** Begins the record of what a person ends on a page, so that the inspector explains the refusals that follow. */
export function startEnd({ request, watched: { services } }: PageCall): Exchange {
  const { now, random } = services;
  return createExchange(request, { receivedAt: now(), random, hasJournal: true });
}

/** The entry has nothing of the form, which may have secrets. `description` is the sentence of the inspector. */
export function recordEnd(
  { id, receivedAt, facts }: Exchange,
  description: string,
  { request: { method, address: { path } }, watched: { journal, services } }: PageCall,
): void {
  const entry = {
    id,
    receivedAt,
    duration: services.now() - receivedAt,
    request: { method, path, query: "", headers: [] },
    response: { status: 303, headers: [] },
    facts: { ...facts, advice: { reason: endedByHand, description } },
  };
  journal.write(withUserName(entry, services), { endpoint: "page", isLost: false });
}
