/** Whether a grant is alive: asked by every reader of a token, and nothing else is asked (nothing ever cascades). */

import type { Entry } from "../../store/store.ts";
import type { Client } from "../clients/client.ts";
import { findClient } from "../clients/find_client.ts";
import { isSignInAlive } from "../people/find_session.ts";
import type { Person } from "../people/people.ts";
import type { Services } from "../services.ts";
import { findGrant } from "./find_grant.ts";
import type { Grant } from "./grant.ts";
import { remainingScope } from "./scope.ts";

export interface LiveGrant {
  readonly id: string;
  readonly entry: Entry<Grant>;
  readonly client: Client;
  readonly person: Person;
}

/** What a grant lives by and has lost. */
export type GrantLoss = "client_gone" | "person_gone" | "password_changed" | "scope_removed" | "signed_out";

/** What the grant needed, in the words of a refusal. */
export const grantNeeds: Readonly<Record<GrantLoss, string>> = {
  client_gone: "the client to be the one that the grant was given to",
  person_gone: "the person to be there still",
  password_changed: "the person to have the same password still",
  scope_removed: "a scope that is configured still, for the client too",
  signed_out: "offline_access, to outlive a sign-out",
};

/** Active, and all that it lives by is there. */
export async function findLiveGrant(id: string, services: Services): Promise<LiveGrant | undefined> {
  const entry = await findGrant(id, services);
  if (entry?.value.status !== "active") return undefined;
  const live = await checkGrant(id, entry, services);
  return typeof live === "string" ? undefined : live;
}

/**
 * What the grant lives by: its client, its person, some of its scope, and its session unless it may outlive that. Or
 * which of them it has lost. Asked also for a grant that is not active yet.
 */
export async function checkGrant(
  id: string,
  entry: Entry<Grant>,
  services: Services,
): Promise<LiveGrant | GrantLoss> {
  const { clientId, clientEpoch, subject, session, passwordMark } = entry.value;
  const client = await findClient(clientId, services);
  if (client?.epoch !== clientEpoch) return "client_gone";
  const person = services.settings.people.findBySubject(subject);
  if (person === undefined) return "person_gone";
  if (passwordMark !== await services.personSecrets.passwordMark(person)) return "password_changed";
  const scope = remainingScope(entry.value.scope, client, services);
  if (scope.length === 0) return "scope_removed";
  // OpenID Connect Core §11: what was granted for offline use stays when somebody signs out.
  const livesBySignIn = session !== undefined && !scope.includes("offline_access");
  if (livesBySignIn && !await isSignInAlive(session, services)) return "signed_out";
  return { id, entry, client, person };
}
