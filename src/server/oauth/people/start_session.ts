/** Starts a session, or adds a sign-in to the browser's session. */

import { acceptsHtml } from "../../../ground/http/message.ts";
import { clockSkew } from "../options/clock_skew.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { limitAttempts } from "../../store/store.ts";
import type { Services } from "../contracts/feature.ts";
import { createId, createSecret, formatCredential, hashSecret } from "../secrets/credential.ts";
import { findSession, type FoundSession, fullEnd, isCurrent } from "./find_session.ts";
import type { Person } from "../contracts/people.ts";
import { type Account, type Session, sessions, type SignedIn } from "../contracts/session.ts";
import { present } from "../../../ground/values/present.ts";

export interface SignInOptions {
  /** The client whose request the sign-in answers. This client is told when the sign-in ends. */
  readonly clientId?: string;
  /** The server signs the person in without asking for a password. */
  readonly automatic?: true;
  /** The methods of the second factor that the person has proved (RFC 8176). */
  readonly methods?: readonly string[];
}

/** Each sign-in changes the secret, so that a cookie that an attacker planted is useless (session fixation). */
export async function startSession(
  person: Person,
  exchange: Exchange,
  services: Services,
  { clientId, automatic, methods = [] }: SignInOptions = {},
): Promise<{ readonly signedIn: SignedIn; readonly setCookie: string }> {
  const { cookies, store, now, random, people } = services;
  const authTime = Math.floor(now());
  const passwordMark = await people.passwordMark(person);
  const amr = [...(automatic || person.password === undefined ? [] : ["pwd"]), ...methods];
  const signIn: SignIn = { person, authTime, amr, ...present({ passwordMark }) };
  const secret = createSecret(random);
  for (const retry = limitAttempts();; retry()) {
    const found = await findSession(exchange, services);
    const isBrief = found === undefined ? automatic && !keepsCookies(exchange) : found.entry.value.isBrief;
    const brief: Pick<Session, "isBrief"> = isBrief ? { isBrief } : {};
    const { sid, accounts } = addAccount(signIn, clientId, { found, ...brief }, services);
    const session: Session = { secretHash: hashSecret(secret), accounts, ...brief };
    const id = found?.id ?? createId(random);
    const expiresAt = endOfRecord(signIn, { found, ...brief }, services);
    const terms = { expiresAt, now: now(), if: found?.entry.version ?? null };
    if (await store.put(sessions, id, session, terms) === undefined) continue;
    return {
      signedIn: { ...signIn, session: { id, sid, ...brief } },
      setCookie: cookies.set("session", formatCredential({ id, secret })),
    };
  }
}

type SignIn = Omit<SignedIn, "session" | "found">;

/** The session that a sign-in goes to. If `found` is `undefined`, it is new. */
interface ReceivingSession extends Pick<Session, "isBrief"> {
  readonly found: FoundSession | undefined;
}

function addAccount(
  { person: { subject }, authTime, amr, passwordMark }: SignIn,
  clientId: string | undefined,
  { found, isBrief }: ReceivingSession,
  services: Services,
): { readonly sid: string; readonly accounts: readonly Account[] } {
  const { clock, random } = services;
  // An expired sign-in is dropped. Its sid must not be used again, because the sid would make its ended grants valid.
  const accounts = found?.accounts.filter((each) => isBrief || isCurrent(each, services)) ?? [];
  const before = accounts.find((each) => each.subject === subject);
  // Signing in again keeps the sid, so that the grants of the earlier sign-in stay valid.
  const sid = before?.sid ?? createId(random);
  const clients = addClient(before?.clients ?? [], clientId);
  const account: Account = { subject, sid, authTime, clock, amr, clients, ...present({ passwordMark }) };
  return { sid, accounts: [...accounts.filter((each) => each !== before), account] };
}

function endOfRecord(signIn: SignIn, { found, isBrief }: ReceivingSession, services: Services): number {
  const { now, settings: { lifetimes: { session, code, accessToken } } } = services;
  if (!isBrief) return fullEnd(signIn, services) + clockSkew;
  // With the access token of a code that is issued now.
  if (found === undefined) return Math.floor(now()) + Math.min(session, code + accessToken);
  // It must not expire earlier than before, because it may still record a sign-out (`endAccounts`).
  return Math.max(fullEnd(signIn, services), found.entry.expiresAt);
}

function addClient(clients: readonly string[], clientId: string | undefined): readonly string[] {
  return clientId === undefined || clients.includes(clientId) ? clients : [...clients, clientId];
}

/** Whether the caller seems to keep cookies: it sends a cookie, or headers that browsers send and curl does not. */
function keepsCookies({ request }: Exchange): boolean {
  const isBrowser = request.header("sec-fetch-site") !== undefined || acceptsHtml(request);
  return isBrowser || request.header("cookie") !== undefined;
}
