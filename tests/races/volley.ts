/** A volley: many simultaneous redemptions of the same codes, and the count of their answers. */
import type { ServerOptions } from "../../src/mod.ts";
import { createWorld, type World } from "../world.ts";
import { fastKey } from "./explorer.ts";

export interface Volley {
  readonly codes: readonly string[];
  /** How often each code is redeemed. */
  readonly attempts: number;
}

export interface Tally {
  redeemed: number;
  /** 400 invalid_grant. */
  refused: number;
  /** Every other answer: its status and error. */
  readonly others: string[];
}

/** A world whose store other processes can share: it has a fixed key and a fixed clock, and keeps no journal. */
export function openStormWorld(options: ServerOptions = {}): World {
  return createWorld({ alg: "EdDSA", signingKeys: [fastKey], journal: () => {}, ...options });
}

/** Resolves to a tally for each code, in their order. */
export async function fire({ codes, attempts }: Volley, world: World): Promise<readonly Tally[]> {
  return await Promise.all(codes.map(async (code) => {
    const tally: Tally = { redeemed: 0, refused: 0, others: [] };
    await Promise.all(Array.from({ length: attempts }, async () => {
      const response = await world.redeem(code);
      const { access_token, error } = await response.json();
      if (response.status === 200 && typeof access_token === "string") tally.redeemed++;
      else if (response.status === 400 && error === "invalid_grant") tally.refused++;
      else tally.others.push(`${response.status} ${error}`);
    }));
    return tally;
  }));
}
