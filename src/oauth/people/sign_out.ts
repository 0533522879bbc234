/** Ends sign-ins and their grants, then tells the clients. */

import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import { endAccounts } from "./change_session.ts";
import type { Account, SignedIn } from "./session.ts";

export async function signOut(
  accounts: readonly SignedIn[],
  exchange: Exchange,
  services: Services,
): Promise<void> {
  const ending = accounts.map(({ session }) => session);
  for (const id of new Set(ending.map((session) => session.id))) {
    const isEnding = ({ sid }: Account) => ending.some((session) => session.id === id && session.sid === sid);
    const endedAccounts = await endAccounts(id, isEnding, services);
    for (const tell of services.slots.tellsSignOut) await tell(endedAccounts, exchange, services);
  }
}
