/** Finds the session of a browser and the people who are signed in there. */

import { readCookies } from "../../../ground/http/message.ts";
import type { Entry } from "../../store/store.ts";
import { present } from "../../../ground/values/present.ts";
import { timeFor } from "../options/clock_skew.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";
import { findByCredential } from "../secrets/credential.ts";
import {
  type Account,
  type Session,
  type SessionRef,
  sessions,
  type SignedIn,
} from "../contracts/session.ts";

export interface FoundSession {
  readonly id: string;
  /** The record as it is in the store. */
  readonly entry: Entry<Session>;
  /** Its accounts, without the sign-ins of people whose password has changed. */
  readonly accounts: readonly Account[];
}

/** Returns the session whose secret the request's cookie holds. Other cookies of the same name are ignored. */
export async function findSession(
  { request }: Pick<Exchange, "request">,
  services: Services,
): Promise<FoundSession | undefined> {
  for (const cookie of readCookies(request, services.cookies.name("session"))) {
    const found = await findByCredential(cookie, sessions, services);
    if (found === undefined) continue;
    return { ...found, accounts: await removeOldPasswords(found.entry.value.accounts, services) };
  }
  return undefined;
}

/** Leaves out the sign-ins of people whose password has changed, because a new password ends a person's sign-ins. */
async function removeOldPasswords(
  all: readonly Account[],
  { settings, people }: Services,
): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  for (const account of all) {
    const person = settings.people.findBySubject(account.subject);
    const isUnchanged = person === undefined ||
      account.passwordMark === await people.passwordMark(person);
    if (isUnchanged) accounts.push(account);
  }
  return accounts;
}

/** Returns all people who are signed in at this browser and not disabled, in the order of their sign-ins. */
export async function findAccounts(
  exchange: Pick<Exchange, "request">,
  services: Services,
): Promise<readonly SignedIn[]> {
  const found = await findSession(exchange, services);
  if (found === undefined) return [];
  const { id, entry, accounts } = found;
  const { isBrief } = entry.value;
  return accounts.flatMap((account) => {
    const { subject, authTime, amr, sid, passwordMark } = account;
    const person = services.settings.people.findBySubject(subject);
    if (person === undefined || person.isDisabled || !isCurrent(account, services)) return [];
    const session = { id, sid, ...present({ isBrief }) };
    return [{ person, authTime, amr, session, ...present({ passwordMark }), found: entry }];
  });
}

/** Returns when the sign-in expires. A later sign-in of another person does not extend its lifetime. */
export function fullEnd({ authTime }: Pick<Account, "authTime">, { settings }: Services): number {
  return authTime + settings.lifetimes.session;
}

export function isCurrent(account: Account, services: Services): boolean {
  return timeFor(account, services) < fullEnd(account, services);
}

/** Returns whether the sign-in still keeps its grants valid. For a brief session, see `Session.isBrief`. */
export async function isSignInAlive({ id, sid, isBrief }: SessionRef, services: Services): Promise<boolean> {
  const entry = await services.store.get(sessions, id, services.now());
  if (entry === undefined) return isBrief === true;
  const account = entry.value.accounts.find((each) => each.sid === sid);
  return account !== undefined && (isBrief || isCurrent(account, services));
}
