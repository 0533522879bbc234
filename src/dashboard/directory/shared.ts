/** What the pages of people and clients share: paging, notices, links to people and clients, and what a form ends. */

import { ControlRefused } from "../../control/control_refused.ts";
import type { Answer } from "../../http/message.ts";
import { redirect } from "../../http/respond.ts";
import { answerHeaders } from "../../http/security_headers.ts";
import { endConsent } from "../../oauth/authorization/list_consents.ts";
import { findClient } from "../../oauth/clients/find_client.ts";
import { revokeGrant } from "../../oauth/tokens/revoke_grant.ts";
import { findGrant } from "../../oauth/tokens/find_grant.ts";
import type { Change, FormTarget, Notices, Paging, Turns } from "../../pages/directory/directory.tsx";
import type { Named } from "../../pages/directory/access.tsx";
import { type Done, englishDirectory } from "../../pages/words/directory_english.ts";
import type { PageCall } from "../page.ts";
import { clientHref, personHref } from "./addresses.ts";

export type DirectoryName = "people" | "clients";

// The number of cards on a page.
const perPage = 48;

// In characters.
const longestQuery = 200;

/** A part of a list that is beside others on a page, and the addresses of the parts before and after it. */
export interface Slice<T> {
  readonly entries: readonly T[];
  readonly turns: Turns;
}

// The number of cards in one of several lists.
const perList = 8;

/** Returns the part of a list that the query parameter `name` chooses. */
export function sliceOf<T>(
  name: string,
  entries: readonly T[],
  { query, request: { address: { path } } }: Pick<PageCall, "query" | "request">,
): Slice<T> {
  const { number, last } = readPageNumber(query.get(name), entries.length, perList);
  const start = (number - 1) * perList;
  const linkTo = (page: number) => {
    const changed = new URLSearchParams(query);
    changed.delete("done");
    changed.set(name, `${page}`);
    return `${path}?${changed}#${name}-heading`;
  };
  return {
    entries: entries.slice(start, start + perList),
    turns: {
      ...{ from: start + 1, to: Math.min(entries.length, start + perList), all: entries.length },
      ...(number > 1 ? { previous: linkTo(number - 1) } : {}),
      ...(number < last ? { next: linkTo(number + 1) } : {}),
    },
  };
}

/** Reads the number of a page, which a person may have typed. */
function readPageNumber(
  text: string | null,
  count: number,
  size: number,
): { readonly number: number; readonly last: number } {
  const last = Math.max(1, Math.ceil(count / size));
  return { number: Math.min(last, Math.max(1, Math.floor(Number(text)) || 1)), last };
}

/** Filters the entries by the text of the query, and returns those of one page. */
export function pageOf<T>(
  list: DirectoryName,
  entries: readonly T[],
  textsOf: (entry: T) => readonly (string | undefined)[],
  { query, pathOf }: Pick<PageCall, "query" | "pathOf">,
): { readonly entries: readonly T[]; readonly paging: Paging } {
  const wanted = (query.get("q") ?? "").trim().slice(0, longestQuery);
  const found = wanted === ""
    ? entries
    : entries.filter((entry) =>
      textsOf(entry).some((text) => text?.toLowerCase().includes(wanted.toLowerCase()))
    );
  const { number, last } = readPageNumber(query.get("page"), found.length, perPage);
  const start = (number - 1) * perPage;
  const shown = found.slice(start, start + perPage);
  const linkTo = (page: number) =>
    `${pathOf(list)}?${new URLSearchParams({ ...(wanted === "" ? {} : { q: wanted }), page: `${page}` })}`;
  return {
    entries: shown,
    paging: {
      ...{ query: wanted, from: start + 1, to: start + shown.length, all: found.length },
      ...(number > 1 ? { previous: linkTo(number - 1) } : {}),
      ...(number < last ? { next: linkTo(number + 1) } : {}),
    },
  };
}

export function readNotices(
  call: PageCall,
  { isIncomplete }: Pick<Notices, "isIncomplete"> = {},
): Notices {
  const done = call.query.get("done") ?? "";
  return {
    ...(Object.hasOwn(englishDirectory.shared.done, done) ? { done: done as Done } : {}),
    ...(done === "gone" ? { wasGone: true } : {}),
    change: readChange(call),
    ...(isIncomplete ? { isIncomplete } : {}),
  };
}

function readChange({ mayChange, request, pathOf }: PageCall): Change {
  if (mayChange !== "needs_token") return { may: mayChange };
  const { path, query } = request.address;
  const next = query === "" ? path : `${path}?${query.replace(/^\?/, "")}`;
  return {
    may: mayChange,
    href: `${pathOf("session")}?${new URLSearchParams({ purpose: "control", next })}`,
  };
}

/** Returns the target of a form. `rest` is below the page: `/edit`. */
export function formTarget({ pathOf, forms }: PageCall, list: DirectoryName, rest: string): FormTarget {
  const action = pathOf(list, rest);
  return { action, token: forms.token(action) };
}

/** Names a client with the address of its page. */
export async function nameClient(id: string, call: PageCall): Promise<Named> {
  const { name = id } = await findClient(id, call.watched.services) ?? {};
  return { id, name, href: clientHref(id, call) };
}

/** Names the person with this subject, with the address of the page. */
export function namePerson(subject: string, call: PageCall): Named {
  const person = call.watched.services.settings.people.findBySubject(subject);
  const { name } = person?.claims ?? {};
  const username = person?.username ?? subject;
  return { id: subject, name: typeof name === "string" ? name : username, href: personHref(username, call) };
}

/** Leads back to a page that says what was done. */
export function redirectTo(href: string, done: Done | "gone"): Answer {
  return redirect(`${href}${href.includes("?") ? "&" : "?"}${new URLSearchParams({ done })}`);
}

/** Revokes the grant that a form names, and says what was done. */
export async function endGrantOf(form: URLSearchParams, { watched }: PageCall): Promise<Done | "gone"> {
  const id = requireField(form, "grant");
  const entry = await findGrant(id, watched.services);
  if (entry === undefined || entry.value.status === "revoked") return "gone";
  await revokeGrant(id, watched.services);
  return "grant_ended";
}

/** Forgets the consent that a form names. */
export async function endConsentOf(form: URLSearchParams, { watched }: PageCall): Promise<Done> {
  const names = { subject: requireField(form, "person"), clientId: requireField(form, "client") };
  await endConsent(names, watched.services);
  return "consent_ended";
}

export function requireField(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value) return value;
  throw new ControlRefused("invalid_request", "The form is not complete", {
    place: name,
    expected: "the form of the page, as it is",
  });
}

/** Answers with a file to download. */
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

export function refuseUnknownAddress(list: DirectoryName, { pathOf }: PageCall): never {
  throw new ControlRefused("not_found", "There is no such page", { expected: pathOf(list) });
}
