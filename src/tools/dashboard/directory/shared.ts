/** What the pages of people and clients share: notices, links to people and clients, and what a form ends. */

import { clientHref, personHref } from "../addresses.ts";
import { type AccessOf, endConsents, listGrants, listSignIns } from "./records.ts";
import { download } from "../download.ts";
import { requireMethod } from "../../guard/guard.ts";
import type { AnswerPage, PageCall } from "../page.ts";
import { ControlRefused } from "../../guard/control_refused.ts";
import { endSignIns } from "../../../server/oauth/people/sign_out.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { redirect } from "../../../ground/http/respond.ts";
import { endedByHand } from "../../../kit/mock/journal/relate.ts";
import { withUsername } from "../../../kit/mock/journal/with_username.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import { createExchange, type Exchange } from "../../../server/oauth/contracts/exchange.ts";
import { findGrant, revokeGrant } from "../../../server/oauth/tokens/check_grant.ts";
import type { Named } from "./access.tsx";
import type { ListName, Notices } from "./directory_parts.tsx";
import type { FormTarget } from "../parts/pass.tsx";
import { type Done, englishDirectory } from "./directory_english.ts";
import { visible } from "../../../ground/values/visible.ts";
import { present } from "../../../ground/values/present.ts";

const { shared: words } = englishDirectory;

export function readNotices(
  call: PageCall,
  { isIncomplete, ended }: Pick<Notices, "isIncomplete"> & { readonly ended?: string } = {},
): Notices {
  const done = call.query.get("done") ?? "";
  const said = Object.hasOwn(words.done, done) ? words.done[done as Done] : undefined;
  return {
    ...present({ done: ended ?? said }),
    change: call.describeChange(),
    ...present({ isIncomplete: isIncomplete || undefined }),
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

/** Leads back to a page that says what was done. */
export function redirectTo(
  href: string,
  done: Done | "ended",
  more: Readonly<Record<string, string>> = {},
): Answer {
  const query = new URLSearchParams({ done, ...more });
  return redirect(`${href}${href.includes("?") ? "&" : "?"}${query}`);
}

/** Says what a form has just ended: one grant by its client and person, or how much. `whose`: the name on the page. */
export async function nameEnded(whose: string, call: PageCall): Promise<{ readonly ended?: string }> {
  const { query } = call;
  if (query.get("done") !== "ended") return {};
  const id = query.get("grant");
  const grant = id === null ? undefined : (await findGrant(id, call.watched.services))?.value;
  if (grant?.status === "revoked") {
    const { name } = await nameClient(grant.clientId, call);
    return { ended: words.grantEnded(visible(name), visible(namePerson(grant.subject, call).name)) };
  }
  const what = describeEnded(query);
  return what === "" ? {} : { ended: words.ended(what, visible(whose)) };
}

function describeEnded(query: URLSearchParams): string {
  const names = ["revoked", "signed_out", "forgotten"];
  const [grants, signIns, consents] = names.map((name) => Math.floor(Number(query.get(name))) || 0);
  return words.access(grants!, signIns!, consents!);
}

/** Ends what a form names, and leads to `href`: grants, sign-ins or consents (one or "all") of a person or a client. */
export async function endAccess(
  form: URLSearchParams,
  of: AccessOf,
  href: string,
  call: PageCall,
): Promise<Answer> {
  const { request, watched: { services } } = call;
  const [grant, signIn, clientId, subject] = ["grant", "sign_in", "client", "person"]
    .map((name) => form.get(name) ?? undefined);
  if (grant === undefined && signIn === undefined) {
    const consent = { subject: requireField(form, "person"), clientId: requireField(form, "client") };
    await endConsents(consent, services);
    return redirectTo(href, "consent_ended");
  }
  const whose = { ...present({ clientId, subject }), ...of };
  const grants = (await listGrants(whose, services, Infinity)).found
    .filter(({ id }) => grant === "all" || grant === id);
  const signIns = signIn === undefined || of.subject === undefined
    ? []
    : (await listSignIns(of, services, Infinity)).found
      .filter(({ session: { sid } }) => signIn === "all" || signIn === sid);
  const consents = form.get("consent") === "all" ? await endConsents(of, services) : 0;
  if (grants.length + signIns.length + consents === 0) return redirectTo(href, "gone");
  const { now, random } = services;
  const exchange = createExchange(request, { receivedAt: now(), random, hasJournal: true });
  for (const { id } of grants) await revokeGrant(id, services);
  await endSignIns(signIns.map(({ session }) => session), exchange, services);
  const flow = grant === "all" ? undefined : grant;
  exchange.note({ ...whose, ...present({ flow }) });
  const counts = { revoked: `${grants.length}`, signed_out: `${signIns.length}`, forgotten: `${consents}` };
  recordEnd(exchange, words.endedByHand(describeEnded(new URLSearchParams(counts))), call);
  return redirectTo(href, "ended", flow === undefined ? counts : { grant: flow });
}

/** Lets the inspector explain the refusals that follow. The entry has nothing of the form, which may have secrets. */
function recordEnd(
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
  journal.write(withUsername(entry, services), { endpoint: "page", isLost: false });
}

export function requireField(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value) return value;
  throw new ControlRefused("invalid_request", "The form is not complete", {
    place: name,
    expected: "the form of the page, as it is",
  });
}

/** The list as a file, with the members of its configuration. */
export function exportList(list: ListName, entries: readonly unknown[]): Answer {
  const text = JSON.stringify({ [list]: entries }, null, 2);
  return download(`${list}.json`, "application/json", `${text}\n`);
}

/** What answers at an address below a page, and the methods that the address takes. */
export type Routes = ReadonlyMap<string, readonly [answer: AnswerPage, ...methods: readonly string[]]>;

export function answerBelow(page: string, routes: Routes, call: PageCall): Promise<Answer> | Answer {
  const [answer, ...methods] = routes.get(call.rest) ?? [];
  if (answer === undefined) return refuseMissing("page", page, call);
  requireMethod(call.request, methods);
  return answer(call);
}

/** Refuses a request for what is not there. */
export function refuseMissing(
  what: "page" | "person" | "client",
  list: string,
  { pathOf }: Pick<PageCall, "pathOf">,
): never {
  throw new ControlRefused("not_found", `There is no such ${what}`, { expected: pathOf(list) });
}
