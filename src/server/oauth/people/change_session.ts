/** Changes a session in the store: adds a client to a sign-in, or ends sign-ins. */

import { type Entry, limitAttempts } from "../../store/store.ts";
import { markMargin } from "../options/clock_skew.ts";
import type { Services } from "../contracts/feature.ts";
import { type Account, type Session, sessions, type SignedIn } from "../contracts/session.ts";
import { fullEnd } from "./find_session.ts";

/** Call this before the client's grant is stored, so that a sign-out at the same time also tells this client. */
export async function rememberClient(
  { session: { id, sid }, found }: Pick<SignedIn, "session" | "found">,
  clientId: string,
  services: Services,
): Promise<void> {
  await changeSession({ id, found }, services, ({ value: { accounts }, expiresAt }) => ({
    accounts: accounts.map((account) =>
      account.sid === sid && !account.clients.includes(clientId)
        ? { ...account, clients: [...account.clients, clientId] }
        : account
    ),
    // A caller that presents its session again keeps cookies. A brief session that is about to expire therefore gets
    // the usual lifetime.
    expiresAt: expiresAt >= services.now() + services.settings.lifetimes.code
      ? expiresAt
      : Math.max(expiresAt, ...accounts.map((account) => fullEnd(account, services))),
  }));
}

/** Ends the matching sign-ins with one conditional put, which also ends their grants. Returns the ended sign-ins. */
export async function endAccounts(
  sessionId: string,
  isEnding: (account: Account) => boolean,
  services: Services,
): Promise<readonly Account[]> {
  const { now, settings: { lifetimes } } = services;
  let ended: readonly Account[] = [];
  await changeSession({ id: sessionId }, services, ({ value: { accounts, isBrief }, expiresAt }) => {
    ended = accounts.filter(isEnding);
    // A grant of a brief session stays valid if the session's record is missing. The record without the account
    // therefore stays in the store until the last of these grants has expired.
    const lastGrantEnd = Math.ceil(now()) + markMargin + lifetimes.code +
      Math.max(lifetimes.accessToken, lifetimes.refreshAbsolute);
    return {
      accounts: accounts.filter((account) => !isEnding(account)),
      expiresAt: isBrief && ended.length > 0 ? lastGrantEnd : expiresAt,
    };
  });
  return ended;
}

export async function changeSession(
  { id, found }: { readonly id: string; readonly found?: Entry<Session> | undefined },
  { store, now }: Services,
  change: (entry: Entry<Session>) => { readonly accounts: readonly Account[]; readonly expiresAt: number },
): Promise<void> {
  const retry = limitAttempts();
  for (let known = found;; known = undefined, retry()) {
    const entry = known ?? await store.get(sessions, id, now());
    if (entry === undefined) return;
    const { value, version } = entry;
    const { accounts, expiresAt } = change(entry);
    const isSame = accounts.length === value.accounts.length &&
      accounts.every((each, at) => each === value.accounts[at]);
    if (isSame && expiresAt === entry.expiresAt) return;
    const terms = { expiresAt, now: now(), if: version };
    if (await store.put(sessions, id, { ...value, accounts }, terms) !== undefined) return;
  }
}
