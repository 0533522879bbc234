/** Finds the client and the person that a value at a seam is about. */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { SeamContext } from "../../../server/oauth/contracts/seams.ts";
import type { EndpointName } from "../endpoints.ts";
import { type NamedPerson, usernameIn } from "../terms/username_in.ts";
import { present } from "../../../ground/values/present.ts";

export interface SeamSources {
  /** Returns the username of the person with a subject. */
  nameOf(subject: string): string;
  endpointOf(request: IncomingRequest): EndpointName;
}

/** What a value is about. */
interface Concerned {
  readonly client?: string;
  /** The username of the person. */
  readonly person?: string;
}

/** Whether a value is about the client and the person of these terms. */
export function concerns(terms: Concerned & NamedPerson, { client, person }: Concerned): boolean {
  const username = usernameIn(terms);
  return (terms.client === undefined || terms.client === client) &&
    (username === undefined || username === person);
}

/** `token` is the kind of token that the value is about. */
export function findConcerned(
  { exchange: { facts }, grant }: Pick<SeamContext, "exchange" | "grant">,
  token: string | undefined,
  { nameOf }: Pick<SeamSources, "nameOf">,
): Concerned {
  // One sign-out can tell several clients about several people, who are not those of the request.
  const about = token === "logout_token" && grant !== undefined ? grant : facts;
  // A grant without a sign-in has the client as its subject, and no person.
  const signedIn = grant?.authTime === undefined ? undefined : grant.subject;
  const { clientId: client, subject = signedIn } = about;
  return present({ client, person: subject === undefined ? undefined : nameOf(subject) });
}
