/** Finding the session of a browser, and who is signed in there. */

import { readCookies } from "../../http/cookies.ts";
import type { Entry } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import { parseCredential, provesSecret } from "../tokens/credential.ts";
import { type Account, type Session, type SessionRef, sessions, type SignedIn } from "./session.ts";

export interface FoundSession {
  readonly id: string;
  readonly entry: Entry<Session>;
}

/** The session whose cookie the browser showed: another one of that name counts for nothing. */
export async function findSession(exchange: Exchange, services: Services): Promise<FoundSession | undefined> {
  const { cookies, store, now } = services;
  for (const cookie of readCookies(exchange.request, cookies.name("session"))) {
    const credential = parseCredential(cookie);
    const entry = credential && await store.get(sessions, credential.id, now());
    if (entry && provesSecret(credential.secret, entry.value.secretHash)) {
      return { id: credential.id, entry: await withoutOldPasswords(entry, services) };
    }
  }
  return undefined;
}

/** A sign-in ends when the password of its person changes. */
async function withoutOldPasswords(
  entry: Entry<Session>,
  { settings, personSecrets }: Services,
): Promise<Entry<Session>> {
  const accounts: Account[] = [];
  for (const account of entry.value.accounts) {
    const person = settings.people.findBySubject(account.subject);
    const isSame = person === undefined || account.passwordMark === await personSecrets.passwordMark(person);
    if (isSame) accounts.push(account);
  }
  return { ...entry, value: { ...entry.value, accounts } };
}

/** Everybody who is signed in at this browser; the one who signed in last comes last. */
export async function findAccounts(exchange: Exchange, services: Services): Promise<readonly SignedIn[]> {
  const session = await findSession(exchange, services);
  if (session === undefined) return [];
  const { id, entry: { value } } = session;
  return value.accounts.flatMap((account) => {
    const { subject, authTime, amr, sid } = account;
    const person = services.settings.people.findBySubject(subject);
    return person === undefined || !isCurrent(account, services)
      ? []
      : [{ person, authTime, amr, session: { id, sid, ...briefly(value) } }];
  });
}

export function briefly({ isBrief }: Pick<Session, "isBrief">): Pick<Session, "isBrief"> {
  return isBrief ? { isBrief } : {};
}

/** Each sign-in has its own end: a fresh one of another person does not put it off. */
export function isCurrent({ authTime }: Account, { settings, now }: Services): boolean {
  return now() < authTime + settings.lifetimes.session;
}

/** Whether what was granted in this sign-in still lives by it. */
export async function isSignInAlive({ id, sid, isBrief }: SessionRef, services: Services): Promise<boolean> {
  const held = await services.store.get(sessions, id, services.now());
  if (held === undefined) return isBrief === true;
  const account = held.value.accounts.find((each) => each.sid === sid);
  return account !== undefined && (isBrief || isCurrent(account, services));
}
