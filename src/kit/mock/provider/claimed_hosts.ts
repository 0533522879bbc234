/** The hosts of providers that the look-alikes of a mock have claimed: requests to them belong to the mock. */

import type { LookAlikeName } from "../../faults/look_alikes/providers.ts";
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
    claim: Claim,
    origins: readonly string[],
    change: (clients: ClaimedProvider["clients"]) => ClaimedProvider["clients"],
  ): void {
    const known = claimed.find((each) => isSame(each, claim));
    const clients = change(known?.clients ?? []);
    const others = claimed.filter((each) => each !== known);
    claimed = clients.length === 0 ? others : [...others, { ...claim, origins, clients }];
  }

  return {
    claim(claim, client) {
      const { name, host } = claim;
      const origins = listOrigins(name, host);
      const owner = claimed.find((each) => each.origins.some((origin) => origins.includes(origin)));
      if (owner !== undefined && !isSame(owner, claim)) {
        const at = owner.tenant === "" ? "the mock" : `the tenant ${owner.tenant}`;
        throw new TypeError(
          `Cannot look like ${name} at ${host}: ${at} looks like ${owner.name} there already`,
        );
      }
      for (const origin of origins) if (!isOwn(origin)) requireFree(origin);
      changeClients(claim, origins, (clients) => [...clients, client]);
      return () => changeClients(claim, origins, (clients) => clients.toSpliced(clients.indexOf(client), 1));
    },
    find(origin) {
      const found = claimed.find(({ origins }) => origins.includes(origin));
      return found !== undefined && isOwn(origin) ? undefined : found;
    },
    get origins() {
      return claimed.flatMap(({ origins }) => origins.filter((origin) => !isOwn(origin)));
    },
  };
}

function isSame(left: Claim, right: Claim): boolean {
  return left.name === right.name && left.host === right.host && left.tenant === right.tenant;
}
