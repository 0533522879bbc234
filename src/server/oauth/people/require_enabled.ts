/** Refuses a person whose account is disabled. */

import { type RefusalRows, refusals } from "../refusals.ts";
import type { Person } from "./people.ts";

const refusal = refusals({
  person_disabled: {
    error: "access_denied",
    spec: "OAuth 2.1 §4.1.2.1",
    sentence: "The account of this person is disabled",
    expected: "a person whose account is not disabled",
    change: "Sign in as another person, or enable this one.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** What a refusal expects instead of a disabled account. */
export const enabledAccount = "a person whose account is not disabled";

/** Throws `access_denied` for a person whose account is disabled. */
export function requireEnabled({ username, isDisabled }: Person): void {
  if (!isDisabled) return;
  throw refusal("person_disabled", { expected: enabledAccount, received: username });
}
