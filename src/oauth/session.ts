/** What a browser brings along: who it is (for forms), and who is signed in. Two cookies, both opaque. */

import { randomText } from "../crypto/bytes.ts";
import { readCookies } from "../http/cookies.ts";
import { type Answer, withCookie } from "../http/message.ts";
import type { Entry, Kind } from "../store/store.ts";
import {
  createId,
  createSecret,
  formatCredential,
  hashSecret,
  parseCredential,
  provesSecret,
} from "./credential.ts";
import type { Exchange } from "./exchange.ts";
import type { Person } from "./people.ts";
import type { Services } from "./services.ts";

/** The sign-ins of one browser. Its id stays, its secret changes with every sign-in. */
export interface Session {
  readonly secretHash: string;
  readonly accounts: readonly Account[];
}

/** One person's sign-in. */
export interface Account {
  readonly subject: string;
  /** The sign-in's own name: it ends when this is gone from its session. */
  readonly sid: string;
  readonly authTime: number;
  readonly amr: readonly string[];
  /** The clients to tell when it ends. */
  readonly clients: readonly string[];
}

export const sessions: Kind<Session> = { name: "session" };

/** Somebody who is signed in; without a session where sign-in is automatic. */
export interface SignedIn {
  readonly person: Person;
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly session?: { readonly id: string; readonly sid: string };
}

/** The browser's own secret: every form it gets is bound to it, and nobody else can make one (RFC 9700 §4.7). */
export interface Browser {
  readonly secret: string;
  /** Present when the browser does not have the cookie yet. */
  readonly setCookie?: string;
}

export function findBrowser(exchange: Exchange, { cookies }: Services): Browser | undefined {
  const [secret, ...others] = readCookies(exchange.request, cookies.name("browser"));
  // Two of one name: a neighbouring host planted one, and nobody can tell which.
  return secret !== undefined && others.length === 0 && /^[A-Za-z0-9_-]{43}$/.test(secret)
    ? { secret }
    : undefined;
}

export function openBrowser(exchange: Exchange, services: Services): Browser {
  const known = findBrowser(exchange, services);
  if (known !== undefined) return known;
  const secret = createSecret(services.random);
  return { secret, setCookie: services.cookies.set("browser", secret) };
}

/** The cookie goes along where the browser does not have it yet. */
export function withBrowser(answer: Answer, { setCookie }: Pick<Browser, "setCookie">): Answer {
  return setCookie === undefined ? answer : withCookie(answer, setCookie);
}

interface FoundSession {
  readonly id: string;
  readonly entry: Entry<Session>;
}

/** The session whose cookie the browser showed: another one of that name counts for nothing. */
export async function findSession(exchange: Exchange, services: Services): Promise<FoundSession | undefined> {
  const { cookies, store, now } = services;
  for (const cookie of readCookies(exchange.request, cookies.name("session"))) {
    const credential = parseCredential(cookie);
    const entry = credential && await store.get(sessions, credential.id, now());
    if (entry && provesSecret(credential.secret, entry.value.secretHash)) return { id: credential.id, entry };
  }
  return undefined;
}

/** Everybody who is signed in at this browser; the one who signed in last comes last. */
export async function findAccounts(exchange: Exchange, services: Services): Promise<readonly SignedIn[]> {
  const session = await findSession(exchange, services);
  return session?.entry.value.accounts.flatMap((account) => {
    const { subject, authTime, amr, sid } = account;
    const person = services.settings.people.findBySubject(subject);
    return person === undefined || !isCurrent(account, services)
      ? []
      : [{ person, authTime, amr, session: { id: session.id, sid } }];
  }) ?? [];
}

/** Each sign-in has its own end: somebody else's fresh one does not put it off. */
export function isCurrent({ authTime }: Account, { settings, now }: Services): boolean {
  return now() < authTime + settings.lifetimes.session;
}

/** A new secret each time: a cookie that was planted before is worth nothing after (SES-01). */
export async function startSession(
  person: Person,
  exchange: Exchange,
  services: Services,
): Promise<{ readonly signedIn: SignedIn; readonly setCookie: string }> {
  const { cookies, store, settings, now, random } = services;
  const authTime = Math.floor(now());
  const amr = person.password === undefined ? [] : ["pwd"];
  const secret = createSecret(random);
  while (true) {
    const found = await findSession(exchange, services);
    // One that has ended by its time stays ended: with its name, what hung on it would come back to life.
    const accounts = found?.entry.value.accounts.filter((each) => isCurrent(each, services)) ?? [];
    const before = accounts.find((account) => account.subject === person.subject);
    // Signing in again is the same sign-in, only fresher: what hangs on it goes on.
    const account: Account = {
      subject: person.subject,
      sid: before?.sid ?? randomText(random, 16),
      authTime,
      amr,
      clients: before?.clients ?? [],
    };
    const session: Session = {
      secretHash: hashSecret(secret),
      accounts: [...accounts.filter((each) => each !== before), account],
    };
    const id = found?.id ?? createId(random);
    const terms = {
      expiresAt: authTime + settings.lifetimes.session,
      now: now(),
      if: found?.entry.version ?? null,
    };
    if (await store.put(sessions, id, session, terms) === undefined) continue;
    return {
      signedIn: { person, authTime, amr, session: { id, sid: account.sid } },
      setCookie: cookies.set("session", formatCredential({ id, secret })),
    };
  }
}

/** Before a grant begins to live by this sign-in: its end will be told to the client. */
export async function rememberClient(
  { id, sid }: NonNullable<SignedIn["session"]>,
  clientId: string,
  services: Services,
): Promise<void> {
  await changeSession(
    id,
    services,
    (accounts) =>
      accounts.map((account) =>
        account.sid === sid && !account.clients.includes(clientId)
          ? { ...account, clients: [...account.clients, clientId] }
          : account
      ),
  );
}

/** One put, and everything that lives by these sign-ins is dead. Returns them, as they were. */
export async function endAccounts(
  sessionId: string,
  isMeant: (account: Account) => boolean,
  services: Services,
): Promise<readonly Account[]> {
  let ended: readonly Account[] = [];
  await changeSession(sessionId, services, (accounts) => {
    ended = accounts.filter(isMeant);
    return accounts.filter((account) => !isMeant(account));
  });
  return ended;
}

async function changeSession(
  id: string,
  { store, now }: Services,
  change: (accounts: readonly Account[]) => readonly Account[],
): Promise<void> {
  while (true) {
    const entry = await store.get(sessions, id, now());
    if (entry === undefined) return;
    const accounts = change(entry.value.accounts);
    if (
      accounts.length === entry.value.accounts.length &&
      accounts.every((each, at) => each === entry.value.accounts[at])
    ) {
      return;
    }
    const terms = { expiresAt: entry.expiresAt, now: now(), if: entry.version };
    if (await store.put(sessions, id, { ...entry.value, accounts }, terms) !== undefined) return;
  }
}
