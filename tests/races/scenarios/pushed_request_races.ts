/** Races for pushed requests, each on two servers over one store: one is answered once (RFC 9126 §4, §7.3). */

import { assert, assertEquals } from "@std/assert";
import type { World } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";
import { openConsentForm } from "../forms.ts";
import { type Outcome, without } from "../outcome.ts";

const { races, add } = createRaceList();
export const pushedRequestRaces: readonly NamedRace[] = races;

async function push(world: World): Promise<string> {
  const { searchParams } = new URL(world.authorizeUrl());
  return (await (await world.post("/oauth2/par", searchParams.toString())).json()).request_uri;
}

/** An approval writes its session before it writes the grant, and the grant's put may then fail. */
const withoutSessions = without("session");

function exactlyOneCode(second: readonly string[]): (outcome: Outcome) => void {
  return ({ answers, left }) => {
    const said = Object.values(answers).map(({ status, reason }) => `${status} ${reason ?? ""}`.trim())
      .sort();
    assertEquals(said.filter((each) => each === "303").length, 1, said.join());
    assert(second.includes(said.find((each) => each !== "303")!), said.join());
    assertEquals(left.filter(({ kind }) => kind === "grant").map(({ status }) => status), ["approved"]);
  };
}

add(
  "approval ∥ approval: two browsers that opened one request_uri get one code (RFC 9126 §7.3)",
  {
    options: { login: "picker" },
    async start(world) {
      const request_uri = await push(world);
      const [first, second] = [
        await openConsentForm(world, { request_uri }),
        await openConsentForm(world, { request_uri }),
      ];
      const approval = { decision: "approve" };
      return {
        A: ({ world }) => first.send(world, approval),
        B: ({ world }) => second.send(world, approval),
      };
    },
    always: exactlyOneCode(["409 already_approved"]),
    compared: withoutSessions,
  },
);

add("open ∥ open: with automatic sign-in, one request_uri gives one code (RFC 9126 §7.3)", {
  async start(world) {
    const url = world.authorizeUrl({ request_uri: await push(world) });
    return { A: ({ world }) => world.get(url), B: ({ world }) => world.get(url) };
  },
  always: exactlyOneCode(["409 already_approved", "400 pushed_request_used"]),
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
