/** Whether a grant is alive: asked by every reader of a token, and nothing else is asked (nothing ever cascades). */

import type { Entry } from "../store/store.ts";
import { type Client, findClient } from "./client.ts";
import { type Grant, grants } from "./grant.ts";
import type { Person } from "./people.ts";
import type { Services } from "./services.ts";
import { isSignInAlive } from "./session.ts";

export interface LiveGrant {
  readonly id: string;
  readonly entry: Entry<Grant>;
  readonly client: Client;
  readonly person: Person;
}

/** Alive: active, its client and its person exist, and its session has not ended, unless it may outlive that. */
export async function findLiveGrant(id: string, services: Services): Promise<LiveGrant | undefined> {
  const entry = await services.store.get(grants, id, services.now());
  return entry?.value.status === "active" ? await findLiveParts(id, entry, services) : undefined;
}

/** The same for a grant that is not active yet: what a code or a device waits for must still be there. */
export async function findLiveParts(
  id: string,
  entry: Entry<Grant>,
  services: Services,
): Promise<LiveGrant | undefined> {
  const { clientId, clientEpoch, subject, session, scope } = entry.value;
  const client = await findClient(clientId, services);
  const person = services.settings.people.findBySubject(subject);
  if (client?.epoch !== clientEpoch || person === undefined) return undefined;
  // OpenID Connect Core §11: what was granted for offline use stays when somebody signs out.
  const livesBySignIn = session !== undefined && !scope.includes("offline_access");
  if (livesBySignIn && !await isSignInAlive(session, services)) return undefined;
  return { id, entry, client, person };
}
