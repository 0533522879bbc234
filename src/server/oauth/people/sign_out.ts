/** Ends sign-ins and their grants, then tells the clients. */

import type { Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";
import { endAccounts } from "./change_session.ts";
import type { Account, SessionRef } from "../contracts/session.ts";
import type { ToldClient } from "../contracts/told_client.ts";

/** The sign-ins may be those of other browsers: a developer has chosen them from a list. */
export async function endSignIns(
  ending: readonly Pick<SessionRef, "id" | "sid">[],
  exchange: Exchange,
  services: Services,
): Promise<readonly ToldClient[]> {
  const told: ToldClient[] = [];
  for (const id of new Set(ending.map((session) => session.id))) {
    const isEnding = ({ sid }: Account) => ending.some((session) => session.sid === sid);
    const endedAccounts = await endAccounts(id, isEnding, services);
    for (const tell of services.slots.tellsSignOut) {
      told.push(...await tell(endedAccounts, exchange, services));
    }
  }
  return told;
}
