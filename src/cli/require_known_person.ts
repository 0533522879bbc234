/** Refuses a person whom the server does not know, because automatic sign-in signs in another person instead. */

import { unescapeHtml } from "../http/html.ts";
import { paths } from "../oauth/paths.ts";
import { type SignInTerms, unknownPerson } from "./browse.ts";
import { sendRequest } from "./send_request.ts";

/** Throws if the person is not among the people of the server. Does nothing if the server does not show its people. */
export async function requireKnownPerson(person: string, terms: SignInTerms): Promise<void> {
  const known = terms.people?.map(({ username, claims }) => [username, `${claims?.["email"] ?? username}`]) ??
    await listPeople(terms.issuer);
  // A login_hint may also be an email, and in another case.
  const isKnown = known.flat().some((hint) => hint.toLowerCase() === person.toLowerCase());
  if (!isKnown && known.length > 0) throw unknownPerson(person, known.map(([username = ""]) => username));
}

/** Reads the usernames and emails from the front page, which does not show them to other machines. */
async function listPeople(issuer: string): Promise<readonly (readonly string[])[]> {
  const response = await sendRequest(issuer.replace(/\/$/, "") + paths.home, {});
  const found = (await response.text()).matchAll(/ data-username="([^"]*)"(?: data-email="([^"]*)")?/g);
  return [...found].map(([, username = "", email = username]) => [username, email].map(unescapeHtml));
}
