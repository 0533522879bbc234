/** Describes sign-ins, grants and consents for the pages of a person or a client. */

import { listConsents, type ListedConsent } from "../../oauth/authorization/list_consents.ts";
import { type ListedSignIn, listSignIns } from "../../oauth/people/list_sign_ins.ts";
import { describeGrant, type ListedGrant, listGrants } from "../../oauth/tokens/list_grants.ts";
import type { ConsentRow, GrantRow, SignInRow } from "../../pages/access.tsx";
import type { PageCall } from "../page.ts";
import { nameClient, namePerson } from "./shared.ts";

export interface AccessRows {
  readonly grants: readonly GrantRow[];
  readonly consents: readonly ConsentRow[];
  /** The lists lack records. */
  readonly isIncomplete: boolean;
}

// Of each kind on a page.
const mostShown = 24;

/** Lists what a person has allowed, or what a client may do. */
export async function listAccess(
  of: { readonly subject: string } | { readonly clientId: string },
  call: PageCall,
): Promise<AccessRows> {
  const { services } = call.watched;
  const grants = await listGrants(of, services);
  const consents = await listConsents(of, services);
  return {
    grants: await Promise.all(grants.found.slice(0, mostShown).map((each) => describeRow(each, call))),
    consents: await Promise.all(
      consents.found.slice(0, mostShown).map((each) => describeConsent(each, call)),
    ),
    isIncomplete: !grants.isComplete || !consents.isComplete || grants.found.length > mostShown ||
      consents.found.length > mostShown,
  };
}

async function describeRow(listed: ListedGrant, call: PageCall): Promise<GrantRow> {
  const { id, grant: { clientId, subject, scope }, usedAt } = listed;
  return {
    ...{ id, scope, usedAt },
    client: await nameClient(clientId, call),
    person: namePerson(subject, call),
    ...await describeGrant(listed, call.watched.services),
  };
}

async function describeConsent(
  { clientId, subject, scope, resource, endsAt }: ListedConsent,
  call: PageCall,
): Promise<ConsentRow> {
  return {
    ...{ scope, resource, endsAt },
    client: await nameClient(clientId, call),
    person: namePerson(subject, call),
  };
}

/** Lists the browsers in which a person is signed in. */
export async function listSignInsOf(
  subject: string,
  call: PageCall,
): Promise<{ readonly signIns: readonly SignInRow[]; readonly isIncomplete: boolean }> {
  const { found, isComplete } = await listSignIns({ subject }, call.watched.services);
  const signIns = await Promise.all(found.slice(0, mostShown).map((each) => describeSignIn(each, call)));
  return { signIns, isIncomplete: !isComplete || found.length > mostShown };
}

async function describeSignIn(
  { session, account: { authTime, clients }, endsAt }: ListedSignIn,
  call: PageCall,
): Promise<SignInRow> {
  return {
    ...{ session: session.id, sid: session.sid, since: authTime, endsAt },
    isAutomatic: session.isBrief === true,
    clients: await Promise.all(clients.map((id) => nameClient(id, call))),
  };
}
