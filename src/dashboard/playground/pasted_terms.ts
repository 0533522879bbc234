/** What the readers of a pasted text need to know. */

import type { ShowTerms } from "../../mock/journal/show_value.ts";
import type { Rehearse } from "../../server/rehearse.ts";
import type { Browser } from "../../oauth/people/browser.ts";
import type { Services } from "../../oauth/services.ts";
import type { PlaygroundWords } from "../../pages/words/playground_english.ts";

export interface PastedTerms {
  readonly services: Services;
  readonly rehearse: Rehearse;
  /** The browser of the person, if it has begun a login at this server. */
  readonly browser: Browser | undefined;
  readonly cookie: string | undefined;
  readonly show: ShowTerms;
  /** The words for values, in the language of the page. */
  readonly values: PlaygroundWords["reader"]["values"];
  /** The access token that came with an ID token. */
  readonly accessToken?: string;
  /** Returns the address of the requests of a flow in the inspector. */
  flowUrl(flow: string): string;
}

/** The parameters of an address, or of a text such as `?code=…`. */
export interface PastedParams {
  readonly pairs: readonly (readonly [name: string, value: string])[];
  /** Absent: the text is not a complete address. */
  readonly url?: URL;
}
