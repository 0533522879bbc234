/** The hosts of providers that the look-alikes of a mock have claimed: requests to them belong to the mock. */

import type { LookAlikeName } from "../../faults/look_alikes/names.ts";
import { listOrigins } from "../../faults/look_alikes/provider_hosts.ts";

/** A look-alike at the hosts of its provider. Each change of its clients replaces this object. */
export interface ClaimedProvider {
  readonly name: LookAlikeName;
  /** The host that the test has named, or the usual one of the provider. */
  readonly host: string;
  readonly origins: readonly string[];
  /** The name of the tenant that answers there. Empty for the mock itself. */
  readonly tenant: string;
  /** The clients to which the server looks like the provider. `undefined` stands for every client. */
  readonly clients: readonly (string | undefined)[];
}

export interface ClaimedHosts {
  /**
   * Adds a client to those that meet the provider at its hosts, until the result is called. Throws if another server of
   * the mock, or another mock, answers there.
   */
  claim(claim: Claim, client: string | undefined): () => void;
  find(origin: string): ClaimedProvider | undefined;
  readonly origins: readonly string[];
}

type Claim = Pick<ClaimedProvider, "name" | "host" | "tenant">;

/** `isOwn` finds the origins of the mock itself, which stay its own. `requireFree` throws if another mock has an origin. */
export function createClaimedHosts(
  isOwn: (origin: string) => boolean,
  requireFree: (origin: string) => void,
): ClaimedHosts {
  let claimed: readonly ClaimedProvider[] = [];

  function changeClients(
    { name, host, tenant }: Claim,
    change: (clients: ClaimedProvider["clients"]) => ClaimedProvider["clients"],
  ): void {
    claimed = claimed.map((each) =>
      each.name === name && each.host === host && each.tenant === tenant
        ? { ...each, clients: change(each.clients) }
        : each
    ).filter(({ clients }) => clients.length > 0);
  }

  return {
    claim(claim, client) {
      const { name, host, tenant } = claim;
      const origins = listOrigins(name, host);
      const known = claimed.find((each) => each.origins.some((origin) => origins.includes(origin)));
      if (known === undefined) {
        for (const origin of origins) if (!isOwn(origin)) requireFree(origin);
        claimed = [...claimed, { ...claim, origins, clients: [] }];
      } else if (known.name !== name || known.host !== host || known.tenant !== tenant) {
        throw new TypeError(
          `Cannot look like ${name} at ${host}: ${
            describeOwner(known)
          } looks like ${known.name} there already`,
        );
      }
      changeClients(claim, (clients) => [...clients, client]);
      return () => changeClients(claim, (clients) => clients.toSpliced(clients.indexOf(client), 1));
    },
    find: (origin) =>
      claimed.length === 0 || isOwn(origin)
        ? undefined
        : claimed.find(({ origins }) => origins.includes(origin)),
    get origins() {
      return claimed.flatMap(({ origins }) => origins.filter((origin) => !isOwn(origin)));
    },
  };
}

function describeOwner({ tenant }: ClaimedProvider): string {
  return tenant === "" ? "the mock" : `the tenant ${tenant}`;
}
