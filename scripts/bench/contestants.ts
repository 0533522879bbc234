/** The servers in a comparison, by the names that the tables show. */
import type { Runtime } from "../runtimes.ts";
import type { Bench } from "./scenario.ts";
import type { AccessTokenForm } from "./prepare_programs.ts";
import { bareSigningLaunch, oauth2MockServerLaunch, oidcProviderLaunch, posternLaunch } from "./servers.ts";
import { type Contestant, limitLabel } from "./under_load.ts";

/** The limit for servers that sign tokens of this scope. */
export function bareSigningContestant(scope: string): Contestant {
  return {
    label: limitLabel,
    launch: (bench, runtime, alg) => bareSigningLaunch(bench, runtime, alg, scope),
  };
}

/** Postern with each store. */
export function posternContestants({ stores }: Bench, accessTokens: AccessTokenForm): readonly Contestant[] {
  return stores.map((store) => ({
    label: `postern ${store}${accessTokens === "jwt" ? "" : ` ${accessTokens}`}`,
    launch: (bench, runtime, alg) => posternLaunch(bench, runtime, { alg, store, accessTokens }),
  }));
}

type Peer = "oauth2-mock-server" | "oidc-provider";

const launchesOfPeers: Readonly<Record<Peer, Contestant["launch"]>> = {
  "oauth2-mock-server": oauth2MockServerLaunch,
  "oidc-provider": oidcProviderLaunch,
};

/** The peers are written for Node, and run there only. */
export function peers({ name }: Runtime, labels: readonly Peer[]): readonly Contestant[] {
  return name === "node" ? labels.map((label) => ({ label, launch: launchesOfPeers[label] })) : [];
}
