/** Races for one DPoP proof: of several uses at the same time, one is accepted (RFC 9449 §11.1). */

import { assert, assertEquals } from "@std/assert";
import { leftOf, statuses } from "../outcome.ts";
import { createProofKey, proof, type ProofUse } from "../../server/tokens/dpop.ts";
import { clients, createWorld, type World } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";

const { races, add } = createRaceList();
export const dpopRaces: readonly NamedRace[] = races;

const key = await createProofKey();

/** The jti is the same in each world, so that the records of used proofs can be compared. */
function named(jti: string, use: ProofUse = {}): ProofUse {
  return { ...use, claims: { jti } };
}

add("proof ∥ proof: one proof for two codes redeems one of them (RFC 9449 §11.1)", {
  async start(world) {
    const codes = [await world.code(), await world.code()];
    const headers = await proof(key, world, named("A and B"));
    const redeem = (code: string) => ({ world }: { readonly world: World }) =>
      world.redeem(code, {}, headers);
    return { A: redeem(codes[0]!), B: redeem(codes[1]!) };
  },
  always(outcome) {
    assertEquals(statuses(outcome), [200, 400]);
    const refused = Object.values(outcome.answers).find(({ status }) => status === 400);
    assertEquals(refused?.reason, "dpop_replayed");
    // The other code can still be used.
    const grants = leftOf("grant", outcome);
    assertEquals(grants.map(({ status }) => status).sort(), ["active", "approved"]);
  },
});

add("request ∥ the same request: it gets tokens once, and the grant stays (RFC 9449 §11.1)", {
  async start(world) {
    const code = await world.code();
    const headers = await proof(key, world, named("A and B"));
    const redeem = ({ world }: { readonly world: World }) => world.redeem(code, {}, headers);
    return { A: redeem, B: redeem };
  },
  always(outcome) {
    assertEquals(statuses(outcome), [200, 400]);
    // The used proof is refused before the used code, which would revoke the grant.
    const refused = Object.values(outcome.answers).find(({ status }) => status === 400);
    assertEquals(refused?.reason, "dpop_replayed");
    const grants = leftOf("grant", outcome);
    assertEquals(grants.map(({ status }) => status), ["active"]);
  },
});

let nonces: (string | null)[] = [];

/** Asks a server that makes its own keys, in the store of the race. */
const askForNonce: Contestant = async ({ world: { issuer, clock }, store }) => {
  const world = createWorld({ issuer, clients, alg: "EdDSA", store, dpop: { nonces: "required" } }, {});
  world.clock.now = clock.now;
  const answer = await world.redeem("code", {}, await proof(key, world));
  nonces.push(answer.headers.get("dpop-nonce"));
  await world.close();
  return answer;
};

add(
  "first nonce ∥ first nonce: servers that make their key at the same time give one nonce (RFC 9449 §8)",
  {
    start: () => Promise.resolve({ A: askForNonce, B: askForNonce }),
    beforeEach: () => void (nonces = []),
    // Keys are random, so they differ from world to world.
    compared: ({ answers }) => ({ answers, left: [] }),
    always(outcome) {
      assertEquals(statuses(outcome), [400, 400]);
      const [first, ...others] = nonces;
      assert(first);
      assertEquals(others, [first]);
    },
  },
);
