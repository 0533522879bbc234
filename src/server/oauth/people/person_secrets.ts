/** What the server derives from a person and a stored secret: pairwise subjects and password marks. */

import type { Person } from "./people.ts";

export interface PersonSecrets {
  /** Returns the subject of a person for the clients of one sector. It does not reveal the person's own subject. */
  pairwiseSubject(sector: string, subject: string): Promise<string>;
  /**
   * Returns the mark of the person's password, or `undefined` if the person has none. Sign-ins and grants store the
   * mark, and end when the password changes. The mark is an HMAC, so that an attacker who reads the store, but not the
   * secret, cannot test guesses of the password.
   */
  passwordMark(person: Person): Promise<string | undefined>;
}
