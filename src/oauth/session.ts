/** What a browser brings along: who it is (for forms), and who is signed in. Two cookies, both opaque. */

import { readCookies } from "../http/cookies.ts";
import type { Kind } from "../store/store.ts";
import type { Exchange } from "./exchange.ts";
import {
  createId,
  createSecret,
  formatCredential,
  hashSecret,
  parseCredential,
  provesSecret,
} from "./credential.ts";
import type { Person } from "./people.ts";
import type { Services } from "./services.ts";

/** A sign-in that this server knows of. */
export interface Session {
  readonly secretHash: string;
  readonly accounts: readonly Account[];
}

export interface Account {
  readonly subject: string;
  readonly authTime: number;
  readonly amr: readonly string[];
}

/** Somebody who is signed in. */
export interface SignedIn {
  readonly person: Person;
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly sessionId?: string;
}

export const sessions: Kind<Session> = { name: "session" };

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

export async function findSignedIn(exchange: Exchange, services: Services): Promise<SignedIn | undefined> {
  const { cookies, store, settings, now } = services;
  for (const cookie of readCookies(exchange.request, cookies.name("session"))) {
    const credential = parseCredential(cookie);
    const entry = credential && await store.get(sessions, credential.id, now());
    if (!credential || !entry || !provesSecret(credential.secret, entry.value.secretHash)) continue;
    const account = entry.value.accounts.at(-1);
    const person = account && settings.people.findBySubject(account.subject);
    if (!account || !person) continue;
    return { person, authTime: account.authTime, amr: account.amr, sessionId: credential.id };
  }
  return undefined;
}

/** Always a new session with a new id: one that was planted before is worth nothing after (SES-01). */
export async function startSession(
  person: Person,
  services: Services,
): Promise<{ readonly signedIn: SignedIn; readonly setCookie: string }> {
  const { cookies, store, settings, now, random } = services;
  const id = createId(random);
  const secret = createSecret(random);
  const authTime = Math.floor(now());
  const amr = person.passwordHash === undefined ? [] : ["pwd"];
  await store.put(
    sessions,
    id,
    { secretHash: hashSecret(secret), accounts: [{ subject: person.subject, authTime, amr }] },
    { expiresAt: authTime + settings.lifetimes.session, now: now(), if: null },
  );
  return {
    signedIn: { person, authTime, amr, sessionId: id },
    setCookie: cookies.set("session", formatCredential({ id, secret })),
  };
}
