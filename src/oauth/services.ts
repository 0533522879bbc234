/** What the steps of a server work with: frozen, and the same for every request. Request data is in the exchange. */

import type { RandomBytes } from "../crypto/bytes.ts";
import type { KeyRing } from "../crypto/key_ring.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { Store } from "../store/store.ts";
import type { Slots } from "./feature.ts";
import type { Pages } from "./pages.ts";
import type { PersonSecrets } from "./people/person_secrets.ts";
import type { SignInLimits } from "./people/sign_in_limits.ts";
import type { Seams } from "./seams.ts";
import type { Settings } from "./settings.ts";

/** Calls other servers: the platform's `fetch`, or a function in its place. */
export type FetchOthers = (input: string | Request, init?: RequestInit) => Promise<Response>;

export interface Services {
  readonly settings: Settings;
  readonly slots: Slots;
  readonly store: Store;
  readonly keys: KeyRing;
  readonly personSecrets: PersonSecrets;
  readonly signInLimits: SignInLimits;
  readonly seams: Seams;
  readonly pages: Pages;
  readonly cookies: CookieJar;
  /** For requests that the server sends. */
  readonly fetch: FetchOthers;
  /** Seconds since 1970, with a fraction: the only clock. */
  readonly now: () => number;
  readonly random: RandomBytes;
}
