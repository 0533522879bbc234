/** The authentication methods that clients may use, which the configuration can narrow. */

import type { Slots } from "../../contracts/feature.ts";
import { publicClientMethod } from "../../contracts/client.ts";

/** Returns the names of the methods. `none` comes first, if the server accepts public clients. */
export function clientAuthMethods(
  { clientAuth, acceptsPublicClients }: Pick<Slots, "clientAuth" | "acceptsPublicClients">,
): readonly string[] {
  return [...(acceptsPublicClients ? [publicClientMethod] : []), ...clientAuth.keys()];
}

export function narrowClientAuth(slots: Slots, names: readonly string[] | undefined): Slots {
  if (names === undefined) return slots;
  const all = [...slots.clientAuth];
  return {
    ...slots,
    clientAuth: new Map(all.filter(([name]) => names.includes(name))),
    refusedClientAuth: all.filter(([name]) => !names.includes(name)).map(([, method]) => method),
    acceptsPublicClients: names.includes(publicClientMethod),
  };
}
