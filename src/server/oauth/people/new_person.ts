/** The rules for a person who is added while the server runs: how many there are, and what no two people share. */

import { listHints, type NewPerson, type People } from "../contracts/people.ts";

/** With the configured ones. Others must not fill the memory of the server. */
export const mostPeople = 1000;

/** Finds what another person has. With the email or the username of the other one, a sign-in could find neither. */
export function findTaken(
  { username, sub, claims: { email } }: NewPerson,
  { all, findBySubject }: People,
): "username" | "email" | "sub" | undefined {
  const hints = new Set(all.flatMap(listHints).map((hint) => hint.toLowerCase()));
  if (hints.has(username.toLowerCase())) return "username";
  if (typeof email === "string" && hints.has(email.toLowerCase())) return "email";
  return findBySubject(sub) === undefined ? undefined : "sub";
}

/** Whether the server is one whose people have passwords, so that one click must not sign in a new person. */
export function needsPassword({ all }: People): boolean {
  const enabled = all.filter(({ isDisabled }) => !isDisabled);
  return enabled.length === 0 || enabled.some(({ password }) => password !== undefined);
}
