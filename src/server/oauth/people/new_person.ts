/** The rules for a person who is added while the server runs: how many there are, and what no two people share. */

import { listHints, type NewPerson, type People } from "../contracts/people.ts";

/** With the configured ones. Others must not fill the memory of the server. */
export const mostPeople = 1000;

interface TakenText {
  readonly name: "username" | "email" | "sub";
  readonly value: string;
}

/** With the email or the username of another person, a sign-in of the other one could find neither. */
export function findTaken(
  { username, sub, claims: { email } }: NewPerson,
  { all, findBySubject }: People,
): TakenText | undefined {
  const hints = new Set(all.flatMap(listHints).map((hint) => hint.toLowerCase()));
  if (hints.has(username.toLowerCase())) return { name: "username", value: username };
  if (typeof email === "string" && hints.has(email.toLowerCase())) return { name: "email", value: email };
  return findBySubject(sub) === undefined ? undefined : { name: "sub", value: sub };
}

/** Whether the server is one whose people have passwords, so that one click must not sign in a new person. */
export function needsPassword({ all }: People): boolean {
  const enabled = all.filter(({ isDisabled }) => !isDisabled);
  return enabled.length === 0 || enabled.some(({ password }) => password !== undefined);
}
