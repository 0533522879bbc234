/** Changing a session in the store: remembering a client, ending sign-ins. */

import type { Entry } from "../../store/store.ts";
import type { Services } from "../services.ts";
import { type Account, type Session, type SessionRef, sessions } from "./session.ts";
import { fullEnd } from "./start_session.ts";

/** Before a grant begins to live by this sign-in: its end will be told to the client. */
export async function rememberClient(
  { id, sid }: SessionRef,
  clientId: string,
  services: Services,
): Promise<void> {
  await changeSession(id, services, ({ value: { accounts }, expiresAt }) => ({
    accounts: accounts.map((account) =>
      account.sid === sid && !account.clients.includes(clientId)
        ? { ...account, clients: [...account.clients, clientId] }
        : account
    ),
    // The caller came back: a session that was to be brief, and is about to end, gets its usual time.
    expiresAt: expiresAt >= services.now() + services.settings.lifetimes.code
      ? expiresAt
      : Math.max(expiresAt, ...accounts.map((account) => fullEnd(account, services))),
  }));
}

/** One put, and everything that lives by these sign-ins is dead. Returns them, as they were. */
export async function endAccounts(
  sessionId: string,
  isMeant: (account: Account) => boolean,
  services: Services,
): Promise<readonly Account[]> {
  const { now, settings: { lifetimes } } = services;
  let ended: readonly Account[] = [];
  await changeSession(sessionId, services, ({ value: { accounts, isBrief }, expiresAt }) => {
    ended = accounts.filter(isMeant);
    // Grants that live on without a record must find this one, until the last of them has ended.
    const lastEnd = Math.ceil(now()) + lifetimes.code +
      Math.max(lifetimes.accessToken, lifetimes.refreshAbsolute);
    return {
      accounts: accounts.filter((account) => !isMeant(account)),
      expiresAt: isBrief && ended.length > 0 ? lastEnd : expiresAt,
    };
  });
  return ended;
}

async function changeSession(
  id: string,
  { store, now }: Services,
  change: (entry: Entry<Session>) => { readonly accounts: readonly Account[]; readonly expiresAt: number },
): Promise<void> {
  while (true) {
    const entry = await store.get(sessions, id, now());
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
