/** Lists the sign-ins of people, for pages on which a developer looks at the server. */

import { listRecords, type RecordList } from "./list_records.ts";
import type { Services } from "../../oauth/services.ts";
import { isCurrent } from "../../oauth/people/find_session.ts";
import type { Person } from "../../oauth/people/people.ts";
import { type Account, type SessionRef, sessions } from "../../oauth/people/session.ts";
import { fullEnd } from "../../oauth/people/start_session.ts";

/** One sign-in of a person at one browser. */
export interface ListedSignIn {
  readonly session: SessionRef;
  readonly person: Person;
  readonly account: Account;
  readonly endsAt: number;
}

/** Lists the sign-ins that have effect, the latest first. `subject`: of this person only. */
export async function listSignIns(
  { subject }: { readonly subject?: string },
  services: Services,
): Promise<RecordList<ListedSignIn>> {
  const { settings: { people } } = services;
  const listed = await listRecords(
    sessions,
    ({ id, value: { accounts, isBrief }, expiresAt }) =>
      accounts.flatMap((account) => {
        const person = people.findBySubject(account.subject);
        if (
          person === undefined || person.isDisabled || subject !== undefined && subject !== account.subject
        ) return [];
        if (!isBrief && !isCurrent(account, services)) return [];
        const session = { id, sid: account.sid, ...(isBrief ? { isBrief } : {}) };
        return [{ session, person, account, endsAt: isBrief ? expiresAt : fullEnd(account, services) }];
      }),
    services,
  );
  const signIns = await withoutOldPasswords(listed.found.flat(), services);
  return { ...listed, found: signIns.sort((left, right) => right.account.authTime - left.account.authTime) };
}

/** A new password ends the sign-ins with the old one. */
async function withoutOldPasswords(
  signIns: readonly ListedSignIn[],
  { personSecrets }: Services,
): Promise<ListedSignIn[]> {
  const marks = await Promise.all(signIns.map(({ person }) => personSecrets.passwordMark(person)));
  return signIns.filter(({ account }, index) => account.passwordMark === marks[index]);
}
