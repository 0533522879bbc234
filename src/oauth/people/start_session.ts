/** Starting a session, or adding a sign-in to the browser's session. */

import { randomText } from "../../crypto/bytes.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import { createId, createSecret, formatCredential, hashSecret } from "../tokens/credential.ts";
import { briefly, findSession, isCurrent } from "./find_session.ts";
import type { Person } from "./people.ts";
import { type Account, type Session, sessions, type SignedIn, type SignInTerms } from "./session.ts";

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

export function fullEnd({ authTime }: Account, { settings }: Services): number {
  return authTime + settings.lifetimes.session;
}

/** The first access token of a code that is given now has ended by then. */
function briefEnd({ now, settings: { lifetimes } }: Services): number {
  return Math.floor(now()) + Math.min(lifetimes.session, lifetimes.code + lifetimes.accessToken);
}
