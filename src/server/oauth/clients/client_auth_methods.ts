/** The authentication methods that clients may use, which the configuration can narrow. */

import type { Slots } from "../feature.ts";
import type { FeatureTerms } from "../feature_terms.ts";
import { publicClientMethod, sendsSecret } from "./client.ts";

/** Returns the names of the methods. `none` comes first, if the server accepts public clients. */
export function clientAuthMethods(
  { clientAuth, acceptsPublicClients }: Pick<Slots, "clientAuth" | "acceptsPublicClients">,
): readonly string[] {
  return [...(acceptsPublicClients ? [publicClientMethod] : []), ...clientAuth.keys()];
}

/** Keeps only the methods with these names. Without names, keeps all. */
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

/** Whether a client without registered metadata, and so without a key, can use the method. */
export function needsNoKey(method: string): boolean {
  return method === publicClientMethod || sendsSecret(method);
}

/** Whether a client without a key can authenticate. The methods may not be checked yet. */
export function acceptsKeylessClients({ clientAuthMethods: methods }: FeatureTerms): boolean {
  return !Array.isArray(methods) || methods.some(needsNoKey);
}
