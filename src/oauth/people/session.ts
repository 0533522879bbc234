/** Sessions: who is signed in at a browser, by an opaque cookie. */

import { randomText } from "../../crypto/bytes.ts";
import { readCookies } from "../../http/cookies.ts";
import type { Entry, Kind } from "../../store/store.ts";
import {
  createId,
  createSecret,
  formatCredential,
  hashSecret,
  parseCredential,
  provesSecret,
} from "../tokens/credential.ts";
import type { Exchange } from "../exchange.ts";
import type { Person } from "./people.ts";
import type { Services } from "../services.ts";

/** The sign-ins of one browser. Its id stays, its secret changes with every sign-in. */
export interface Session {
  readonly secretHash: string;
  readonly accounts: readonly Account[];
  /**
   * It began for a caller that may keep no cookies and so may never use it again. The record is kept for a short time,
   * and its grants live on without it: only a sign-out ends them early.
   */
  readonly isBrief?: true;
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
  /** Of the password that the person had then. */
  readonly passwordMark?: string;
}

export const sessions: Kind<Session> = { name: "session" };

/** A person who is signed in. */
export interface SignedIn {
  readonly person: Person;
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly session: SessionRef;
}

/** One sign-in of one session. */
export interface SessionRef {
  readonly id: string;
  readonly sid: string;
  /** As in its session. */
  readonly isBrief?: true;
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

function briefly({ isBrief }: Pick<Session, "isBrief">): Pick<Session, "isBrief"> {
  return isBrief ? { isBrief } : {};
}

/** Each sign-in has its own end: a fresh one of another person does not put it off. */
function isCurrent({ authTime }: Account, { settings, now }: Services): boolean {
  return now() < authTime + settings.lifetimes.session;
}

/** Whether what was granted in this sign-in still lives by it. */
export async function isSignInAlive({ id, sid, isBrief }: SessionRef, services: Services): Promise<boolean> {
  const held = await services.store.get(sessions, id, services.now());
  if (held === undefined) return isBrief === true;
  const account = held.value.accounts.find((each) => each.sid === sid);
  return account !== undefined && (isBrief || isCurrent(account, services));
}

/** What is known of a sign-in when it begins. */
export interface SignInTerms {
  /** The client that it begins for: its end will be told to it. */
  readonly clientId?: string;
  /** The server signs the person in without asking for a password. */
  readonly automatic?: true;
}

/** A new secret each time: a cookie that was planted before is worth nothing after (SES-01). */
export async function startSession(
  person: Person,
  exchange: Exchange,
  services: Services,
  { clientId, automatic }: SignInTerms = {},
): Promise<{ readonly signedIn: SignedIn; readonly setCookie: string }> {
  const { cookies, store, now, random, personSecrets } = services;
  const authTime = Math.floor(now());
  const passwordMark = await personSecrets.passwordMark(person);
  const amr = automatic || person.password === undefined ? [] : ["pwd"];
  const secret = createSecret(random);
  while (true) {
    const found = await findSession(exchange, services);
    const isBrief = found === undefined ? automatic && !keepsCookies(exchange) : found.entry.value.isBrief;
    // A sign-in that has ended by its time stays ended: under its old sid, its grants would come back to life.
    const accounts = (found?.entry.value.accounts ?? [])
      .filter((each) => isBrief || isCurrent(each, services));
    const before = accounts.find((account) => account.subject === person.subject);
    // Signing in again is the same sign-in, only fresher: its grants go on.
    const account: Account = {
      subject: person.subject,
      sid: before?.sid ?? randomText(random, 16),
      authTime,
      amr,
      clients: [...new Set([...before?.clients ?? [], clientId ?? []].flat())],
      ...(passwordMark === undefined ? {} : { passwordMark }),
    };
    const session: Session = {
      secretHash: hashSecret(secret),
      accounts: [...accounts.filter((each) => each !== before), account],
      ...(isBrief ? { isBrief: true } : {}),
    };
    const id = found?.id ?? createId(random);
    const end = isBrief && found === undefined ? briefEnd(services) : fullEnd(account, services);
    const terms = {
      // The record of a brief session may have to outlive sign-ins that have ended (`endAccounts`).
      expiresAt: isBrief ? Math.max(end, found?.entry.expiresAt ?? 0) : end,
      now: now(),
      if: found?.entry.version ?? null,
    };
    if (await store.put(sessions, id, session, terms) === undefined) continue;
    return {
      signedIn: { person, authTime, amr, session: { id, sid: account.sid, ...briefly(session) } },
      setCookie: cookies.set("session", formatCredential({ id, secret })),
    };
  }
}

/**
 * Browsers say that they take HTML, and most say where a request comes from. A caller with a cookie has kept one. curl
 * does none of this.
 */
function keepsCookies({ request }: Exchange): boolean {
  const isBrowser = request.header("sec-fetch-site") !== undefined ||
    request.header("accept")?.includes("text/html") === true;
  return isBrowser || request.header("cookie") !== undefined;
}

function fullEnd({ authTime }: Account, { settings }: Services): number {
  return authTime + settings.lifetimes.session;
}

/** The first access token of a code that is given now has ended by then. */
function briefEnd({ now, settings: { lifetimes } }: Services): number {
  return Math.floor(now()) + Math.min(lifetimes.session, lifetimes.code + lifetimes.accessToken);
}

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
