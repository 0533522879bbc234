/** Describes sign-ins, grants and consents for the pages of a person or a client. */

import {
  type AccessOf,
  describeGrant,
  listConsents,
  type ListedGrant,
  listGrants,
  listSignIns,
} from "./records.ts";
import { findAccounts } from "../../../server/oauth/people/find_session.ts";
import type { ConsentRow, GrantGroup, Rows, SignInRows } from "./access.tsx";
import type { PageCall } from "../page.ts";
import { perList, type Slice, sliceOf } from "./lists.ts";
import { nameClient, namePerson } from "./shared.ts";

interface AccessRows {
  readonly grants: Rows<GrantGroup>;
  readonly consents: Rows<ConsentRow>;
  readonly isIncomplete: boolean;
}

export async function listAccess(of: AccessOf, call: PageCall): Promise<AccessRows> {
  const { services } = call.watched;
  // The row that a form has ended stays, so that no other button takes its place under the pointer.
  const grants = await listGrants({ ...of, ended: call.query.get("grant") ?? undefined }, services);
  const consents = await listConsents(of, services);
  return {
    grants: await groupGrants(grants.found, of, call),
    consents: await describeAll(
      sliceOf("consents", consents.found, call),
      async ({ clientId, subject, ...consent }) => ({
        ...consent,
        client: await nameClient(clientId, call),
        person: namePerson(subject, call),
      }),
    ),
    isIncomplete: !grants.isComplete || !consents.isComplete,
  };
}

/** The grants of a person are grouped by client, and those of a client by person. The last used one comes first. */
async function groupGrants(
  found: readonly ListedGrant[],
  { clientId }: AccessOf,
  call: PageCall,
): Promise<Rows<GrantGroup>> {
  const { services } = call.watched;
  const groups = new Map<string, ListedGrant[]>();
  for (const each of found) {
    const key = clientId === undefined ? each.grant.clientId : each.grant.subject;
    if (!groups.get(key)?.push(each)) groups.set(key, [each]);
  }
  return await describeAll(sliceOf("grants", [...groups], call), async ([key, entries]) => {
    const part = `grants:${key}`;
    const isNamed = call.query.has(part) || entries.some(({ id }) => id === call.query.get("grant"));
    return {
      of: clientId === undefined ? await nameClient(key, call) : namePerson(key, call),
      isOpen: isNamed || found.length <= perList,
      ...await describeAll(sliceOf(part, entries, call), async (each) => {
        const { id, grant: { scope } } = each;
        return { id, scope, ...await describeGrant(each, services) };
      }),
    };
  });
}

async function describeAll<T, Row>(
  { entries, turns }: Slice<T>,
  describe: (entry: T) => Promise<Row>,
): Promise<Rows<Row>> {
  return { rows: await Promise.all(entries.map(describe)), turns };
}

export async function listSignInsOf(
  subject: string,
  call: PageCall,
): Promise<{ readonly signIns: SignInRows; readonly isIncomplete: boolean }> {
  const { services } = call.watched;
  const { found, isComplete } = await listSignIns({ subject }, services);
  const own = new Set((await findAccounts(call, services)).map(({ session }) => session.sid));
  const signIns = await describeAll(
    sliceOf("sign-ins", found, call),
    async ({ session, account, endsAt }) => ({
      sid: session.sid,
      since: account.authTime,
      endsAt,
      isAutomatic: session.isBrief === true,
      isHere: own.has(session.sid),
      clients: await Promise.all(account.clients.map((id) => nameClient(id, call))),
    }),
  );
  const browsers =
    new Set(found.filter(({ session }) => !session.isBrief).map(({ session }) => session.id)).size;
  const isOpen = call.query.has("sign-ins") || found.length <= perList;
  return { signIns: { ...signIns, browsers, isOpen }, isIncomplete: !isComplete };
}
