/** Starts a session, or adds a sign-in to the browser's session. */

import { randomText } from "../../crypto/bytes.ts";
import { acceptsHtml } from "../../http/accepts_html.ts";
import { clockSkew } from "../clock_skew.ts";
import type { Exchange } from "../exchange.ts";
import { nextAttempt } from "../../store/retry_limit.ts";
import type { Services } from "../services.ts";
import { createId, createSecret, formatCredential, hashSecret } from "../credential.ts";
import { copyIsBrief, findSession, isCurrent } from "./find_session.ts";
import type { Person } from "./people.ts";
import { type Account, type Session, sessions, type SignedIn } from "./session.ts";
import { present } from "../../present.ts";

/** Options of a new sign-in. */
export interface SignInTerms {
  /** The client whose request the sign-in answers. This client is told when the sign-in ends. */
  readonly clientId?: string;
  /** The server signs the person in without asking for a password. */
  readonly automatic?: true;
}

/**
 * Signs a person in and returns the cookie of the session. Each sign-in gives the session a new secret, so that a
 * cookie that an attacker planted before the sign-in becomes useless (session fixation).
 */
export async function startSession(
  person: Person,
  exchange: Exchange,
  services: Services,
  { clientId, automatic }: SignInTerms = {},
): Promise<{ readonly signedIn: SignedIn; readonly setCookie: string }> {
  const { cookies, store, now, clock, random, personSecrets } = services;
  const authTime = Math.floor(now());
  const passwordMark = await personSecrets.passwordMark(person);
  const amr = automatic || person.password === undefined ? [] : ["pwd"];
  const secret = createSecret(random);
  for (let attempt = 1;; attempt = nextAttempt(attempt)) {
    const found = await findSession(exchange, services);
    const isBrief = found === undefined ? automatic && !keepsCookies(exchange) : found.entry.value.isBrief;
    // An expired sign-in is dropped. Its sid must not be used again, because the sid would make its ended grants valid.
    const accounts = (found?.accounts ?? [])
      .filter((each) => isBrief || isCurrent(each, services));
    const before = accounts.find((account) => account.subject === person.subject);
    // Signing in again keeps the sid, so that the grants of the earlier sign-in stay valid.
    const account: Account = {
      subject: person.subject,
      sid: before?.sid ?? randomText(random, 16),
      authTime,
      clock,
      amr,
      clients: [...new Set([...before?.clients ?? [], clientId ?? []].flat())],
      ...present({ passwordMark }),
    };
    const session: Session = {
      secretHash: hashSecret(secret),
      accounts: [...accounts.filter((each) => each !== before), account],
      ...(isBrief ? { isBrief: true } : {}),
    };
    const id = found?.id ?? createId(random);
    const end = isBrief && found === undefined ? briefEnd(services) : fullEnd(account, services);
    const terms = {
      // The record of a brief session must not expire earlier than before. It may still record a sign-out
      // (`endAccounts`).
      expiresAt: isBrief ? Math.max(end, found?.entry.expiresAt ?? 0) : end + clockSkew,
      now: now(),
      if: found?.entry.version ?? null,
    };
    if (await store.put(sessions, id, session, terms) === undefined) continue;
    return {
      signedIn: { person, authTime, amr, session: { id, sid: account.sid, ...copyIsBrief(session) } },
      setCookie: cookies.set("session", formatCredential({ id, secret })),
    };
  }
}

/**
 * Returns whether the caller seems to keep cookies: it sends a cookie, or headers that browsers send and curl does not.
 * The answer decides whether an automatic sign-in starts a brief session.
 */
function keepsCookies({ request }: Exchange): boolean {
  const isBrowser = request.header("sec-fetch-site") !== undefined || acceptsHtml(request);
  return isBrowser || request.header("cookie") !== undefined;
}

/** Returns when the sign-in expires. */
export function fullEnd({ authTime }: Account, { settings }: Services): number {
  return authTime + settings.lifetimes.session;
}

/** Returns when the record of a new brief session expires: with the access token of a code that is issued now. */
function briefEnd({ now, settings: { lifetimes } }: Services): number {
  return Math.floor(now()) + Math.min(lifetimes.session, lifetimes.code + lifetimes.accessToken);
}
