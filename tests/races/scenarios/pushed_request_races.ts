/** Races for pushed requests, each on two servers over one store: one is answered once (RFC 9126 §4, §7.3). */

import { assert, assertEquals } from "@std/assert";
import type { World } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";

const { races, add } = createRaceList();
export const pushedRequestRaces: readonly NamedRace[] = races;

async function push(world: World): Promise<string> {
  const { searchParams } = new URL(world.authorizeUrl());
  return (await (await world.post("/oauth2/par", searchParams.toString())).json()).request_uri;
}

add("open ∥ open: with automatic sign-in, one request_uri gives one code (RFC 9126 §7.3)", {
  async start(world) {
    const url = world.authorizeUrl({ request_uri: await push(world) });
    return { A: ({ world }) => world.get(url), B: ({ world }) => world.get(url) };
  },
  always({ answers, left }) {
    const said = Object.values(answers).map(({ status, reason }) => `${status} ${reason ?? ""}`.trim());
    const [code, refusal] = said.toSorted((one) => one === "303" ? -1 : 1);
    assertEquals(code, "303");
    assert(["409 already_approved", "400 pushed_request_used"].includes(refusal!), refusal);
    assertEquals(left.filter(({ kind }) => kind === "grant").map(({ status }) => status), ["approved"]);
  },
  // The order decides whether the second request is refused when it looks for the grant, or when it writes one.
  compared: () => ({ answers: {}, left: [] }),
});

add("push ∥ push: of two servers with room for one, one stores its request (RFC 9126 §2.3)", {
  async start(world, store) {
    const blocks = [{ octets: 10_000_000 - 65_536, endsAt: world.clock.now + 100 }];
    const terms = { expiresAt: world.clock.now + 100, now: world.clock.now };
    await store.put({ name: "push_bound" }, "unproven", { blocks }, terms);
    const send: Contestant = ({ world }) =>
      world.post("/oauth2/par", new URL(world.authorizeUrl()).searchParams.toString());
    return { one: send, other: send };
  },
  always({ answers, left }) {
    assertEquals(Object.values(answers).map(({ status }) => status).sort(), [201, 429]);
    assertEquals(left.filter(({ kind }) => kind === "pushed_request").length, 1);
  },
});
