/** Races for token exchanges: what a token gives ends with the grant of the token (RFC 8693). */

import { assert, assertEquals } from "@std/assert";
import { revoke } from "../../server/tokens/bearer.ts";
import { exchange, gateway, secretOf, typeOf, web, webTokens } from "../../server/tokens/exchange_world.ts";
import type { Contestant } from "../explorer.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";

const { races, add } = createRaceList();
export const exchangeRaces: readonly NamedRace[] = races;

add("exchange ∥ revocation of the login: an exchange leaves no grant active (RFC 8693 §2.2.2)", {
  options: { clients: [web, gateway] },
  async start(world) {
    const { access_token, refresh_token } = await webTokens(world);
    const swap: Contestant = ({ world }) =>
      exchange(world, access_token, { subject_token_type: typeOf("access_token") });
    const end: Contestant = ({ world }) => revoke(world, refresh_token, {}, secretOf("web"));
    return { exchange: swap, revocation: end };
  },
  always({ answers, left }) {
    const { exchange, revocation } = answers;
    assertEquals(revocation?.status, 200);
    assert(exchange?.status === 200 || exchange?.reason === "exchanged_ended", JSON.stringify(exchange));
    assertEquals(left.filter(({ kind }) => kind === "grant").map(({ status }) => status), ["revoked"]);
  },
});
