/** Refuses a person whose account is disabled. */

import { fail } from "../error.ts";
import type { Person } from "./people.ts";

export type DisabledReason = "person_disabled";

/** What a refusal expects instead of a disabled account. */
export const enabledAccount = "a person whose account is not disabled";

/** Throws `access_denied` for a person whose account is disabled. */
export function requireEnabled({ username, isDisabled }: Person): void {
  if (!isDisabled) return;
  fail<DisabledReason>("access_denied", "The account of this person is disabled", {
    reason: "person_disabled",
    spec: "OAuth 2.1 §4.1.2.1",
    expected: enabledAccount,
    received: username,
  });
}
