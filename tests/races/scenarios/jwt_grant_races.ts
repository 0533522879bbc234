/** Races for one JWT authorization grant: of several uses at the same time, one is accepted (RFC 7523 §3). */

import { assertEquals } from "@std/assert";
import { forWorkloads, personJwt, present, trusting, workloadJwt } from "../../server/tokens/jwt_grants.ts";
import type { World } from "../../world.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";

const { races, add } = createRaceList();
export const jwtGrantRaces: readonly NamedRace[] = races;

// The jti is the same in each world, so that the records of used JWTs can be compared.
const terms = { claims: { jti: "A and B" } };

const kinds = [
  ["a person", trusting(), personJwt],
  ["a workload", trusting({ ...forWorkloads, once: true }), workloadJwt],
] as const;

for (const [name, options, jwtFor] of kinds) {
  add(`JWT ∥ the same JWT: about ${name}, it gives a token once (RFC 7523 §3)`, {
    options,
    async start(world) {
      const jwt = await jwtFor(world, terms);
      const send = ({ world }: { readonly world: World }) => present(world, jwt);
      return { A: send, B: send };
    },
    always({ answers }) {
      const { A, B } = answers;
      assertEquals([A?.status, B?.status].sort(), [200, 400]);
      assertEquals([A?.reason, B?.reason].find((reason) => reason !== undefined), "jwt_grant_replayed");
    },
  });
}
