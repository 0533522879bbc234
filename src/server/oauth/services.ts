/** The services that the steps use. They are frozen and the same for every request. */

import type { RandomBytes } from "../crypto/bytes.ts";
import type { KeyRing } from "../crypto/key_ring.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { GuardedFetch } from "../http/guarded_fetch.ts";
import type { Answer, IncomingRequest } from "../http/message.ts";
import type { Store } from "../store/store.ts";
import type { Slots } from "./feature.ts";
import type { Pages } from "./pages.ts";
import type { Newcomers, PersonSecrets } from "./people/people.ts";
import type { SignInLimits } from "./people/sign_in_limits.ts";
import type { Seams } from "./seams.ts";
import type { Settings } from "./settings.ts";

export interface Services {
  readonly settings: Settings;
  readonly slots: Slots;
  readonly store: Store;
  readonly keys: KeyRing;
  readonly people: PeopleServices;
  readonly seams: Seams;
  readonly pages: Pages;
  readonly cookies: CookieJar;
  /** The only way to call other servers. */
  readonly fetch: OwnRequests;
  /** Returns the time in seconds since 1970, with a fraction. The server has no other clock. */
  readonly now: () => number;
  /** Identifies this clock in records that other servers on the same store may read. See `Timed`. */
  readonly clock: string;
  readonly random: RandomBytes;
}

/** What the server keeps about people besides `settings.people`. */
interface PeopleServices extends PersonSecrets {
  readonly signInLimits: SignInLimits;
  /** Absent: the people of the server are the configured ones. */
  readonly newcomers?: () => Newcomers;
}

export interface OwnRequests extends GuardedFetch {
  /** Answers a request that the server sends to itself, as if a client had sent it: with seams, limits and journal. */
  callSelf(request: IncomingRequest): Promise<Answer>;
}
