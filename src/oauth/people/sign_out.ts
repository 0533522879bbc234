/** Ending sign-ins: one put, and everything that lives by them is dead; then their clients are told. */

import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import { endAccounts } from "./change_session.ts";
import type { Account, SignedIn } from "./session.ts";

export async function signOut(
  accounts: readonly SignedIn[],
  exchange: Exchange,
  services: Services,
): Promise<void> {
  const ended = accounts.map(({ session }) => session);
  for (const id of new Set(ended.map((session) => session.id))) {
    const isMeant = ({ sid }: Account) => ended.some((session) => session.id === id && session.sid === sid);
    const gone = await endAccounts(id, isMeant, services);
    for (const tell of services.slots.tellsSignOut) await tell(gone, exchange, services);
  }
}
