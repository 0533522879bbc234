/**
 * Checks whether a grant is still valid. Every use of a token makes this check, so that ending a client, a person or a
 * session need not find and end its grants.
 */

import type { Entry } from "../../store/store.ts";
import type { Client } from "../clients/client.ts";
import { findClient } from "../clients/find_client.ts";
import { isSignInAlive } from "../people/find_session.ts";
import type { Person } from "../people/people.ts";
import { enabledAccount } from "../people/require_enabled.ts";
import type { Services } from "../services.ts";
import { findGrant } from "./find_grant.ts";
import type { Grant } from "./grant.ts";
import type { GrantLoss } from "./read_token.ts";
import { remainingScope } from "../clients/scope.ts";

export interface LiveGrant {
  readonly id: string;
  readonly entry: Entry<Grant>;
  readonly client: Client;
  readonly person: Person;
}

/** The result of a check. */
export type GrantCheck =
  | { readonly isValid: true; readonly live: LiveGrant }
  | { readonly isValid: false; readonly loss: GrantLoss };

/** What a valid grant needs, for the member `expected` of a refusal. */
export const grantNeeds: Readonly<Record<GrantLoss, string>> = {
  grant_revoked: "a grant that is not revoked",
  client_gone: "the client that the grant was given to",
  person_gone: "a person who still exists",
  person_disabled: enabledAccount,
  password_changed: "a person whose password has not changed",
  scope_removed: "a scope that the server and the client still have",
  signed_out: "a person who is still signed in, or the scope offline_access",
};

/** Checks that a grant is active and still valid. */
export async function checkActiveGrant(id: string, services: Services): Promise<GrantCheck> {
  const entry = await findGrant(id, services);
  return entry?.value.status === "active" ? await checkGrant(id, entry, services) : lost("grant_revoked");
}

/**
 * Returns the grant with its client and person, or why it is not valid. A grant needs its client, its person, some of
 * its scope and, without offline_access, its session. The status of the grant is not checked. `authenticated` is the
 * client that sends the request. If the grant is its own, the record of the client is not read again.
 */
export async function checkGrant(
  id: string,
  entry: Entry<Grant>,
  services: Services,
  authenticated?: Client,
): Promise<GrantCheck> {
  const { clientId, clientEpoch, subject, session, passwordMark } = entry.value;
  const client = authenticated?.id === clientId ? authenticated : await findClient(clientId, services);
  if (client?.epoch !== clientEpoch) return lost("client_gone");
  const person = services.settings.people.findBySubject(subject);
  if (person === undefined) return lost("person_gone");
  if (person.isDisabled) return lost("person_disabled");
  if (passwordMark !== await services.personSecrets.passwordMark(person)) return lost("password_changed");
  const scope = remainingScope(entry.value.scope, client, services);
  if (scope.length === 0 && entry.value.scope.length > 0) return lost("scope_removed");
  // OpenID Connect Core §11: a grant with offline_access stays valid after a sign-out.
  const needsSignIn = session !== undefined && !scope.includes("offline_access");
  if (needsSignIn && !await isSignInAlive(session, services)) return lost("signed_out");
  return { isValid: true, live: { id, entry, client, person } };
}

function lost(loss: GrantLoss): GrantCheck {
  return { isValid: false, loss };
}
