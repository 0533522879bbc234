/** What the pages of people and clients share: notices, links to people and clients, and what a form ends. */

import { ControlRefused } from "../../guard/control_refused.ts";
import type { Answer } from "../../http/message.ts";
import { redirect } from "../../http/respond.ts";
import { answerHeaders } from "../../http/security_headers.ts";
import { endConsent } from "./list_consents.ts";
import { findClient } from "../../oauth/clients/find_client.ts";
import { revokeGrant } from "../../oauth/tokens/revoke_grant.ts";
import { findGrant } from "../../oauth/tokens/find_grant.ts";
import type { ListName, Notices } from "../../pages/directory/directory.tsx";
import type { FormTarget } from "../../pages/pass.tsx";
import type { Named } from "../../pages/directory/access.tsx";
import { type Done, englishDirectory } from "../../pages/words/directory_english.ts";
import type { PageCall } from "../page.ts";
import { clientHref, personHref } from "../addresses.ts";
import { recordEnd, startEnd } from "./record_end.ts";
import { present } from "../../present.ts";

export function readNotices(
  call: PageCall,
  { isIncomplete }: Pick<Notices, "isIncomplete"> = {},
): Notices {
  const done = call.query.get("done") ?? "";
  return {
    ...(Object.hasOwn(englishDirectory.shared.done, done) ? { done: done as Done } : {}),
    ...(done === "gone" ? { wasGone: true } : {}),
    change: call.describeChange(),
    ...(isIncomplete ? { isIncomplete } : {}),
  };
}

/** Returns the target of a form. `rest` is below the page: `/edit`. */
export function formTarget({ pathOf, forms }: PageCall, list: ListName, rest: string): FormTarget {
  return forms.target(pathOf(list, rest));
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

export type AccessEnd = "/end_grant" | "/end_consent";

/** Returns the forms that end a grant and a consent. */
export function accessForms(
  list: ListName,
  call: PageCall,
): { readonly endGrant: FormTarget; readonly endConsent: FormTarget } {
  return {
    endGrant: formTarget(call, list, "/end_grant"),
    endConsent: formTarget(call, list, "/end_consent"),
  };
}

/** Ends the grant or the consent that a form names, and says what was done. */
export function endAccess(end: AccessEnd, form: URLSearchParams, call: PageCall): Promise<Done | "gone"> {
  return end === "/end_grant" ? endGrantOf(form, call) : endConsentOf(form, call);
}

async function endGrantOf(form: URLSearchParams, call: PageCall): Promise<Done | "gone"> {
  const { watched } = call;
  const id = requireField(form, "grant");
  const entry = await findGrant(id, watched.services);
  if (entry === undefined || entry.value.status === "revoked") return "gone";
  const { clientId, subject } = entry.value;
  const exchange = startEnd(call);
  await revokeGrant(id, watched.services);
  exchange.note({ flow: id, clientId, ...present({ subject }) });
  recordEnd(exchange, "A person ended this login on a page of the server", call);
  return "grant_ended";
}

async function endConsentOf(form: URLSearchParams, { watched }: PageCall): Promise<Done> {
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

export function refuseUnknownAddress(list: ListName, { pathOf }: PageCall): never {
  throw new ControlRefused("not_found", "There is no such page", { expected: pathOf(list) });
}
