/** Races for device logins, each on two servers over one store: one answer, one redemption (RFC 8628 §3.5). */

import { assert, assertEquals } from "@std/assert";
import { begin, deviceClients, type DeviceCodes, poll } from "../../features/device_login.ts";
import type { World } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { openDeviceConsentForm } from "../forms.ts";
import { leftOf, type Outcome, without } from "../outcome.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";

const { races, add } = createRaceList();
export const deviceLoginRaces: readonly NamedRace[] = races;

const options = { login: "picker", clients: deviceClients } as const;
const unknown = { client_id: "my-cli" };

async function answerWith(
  decision: "approve" | "deny",
  codes: DeviceCodes,
  world: World,
): Promise<Contestant> {
  const form = await openDeviceConsentForm(world, codes);
  return ({ world }) => form.send(world, { decision });
}

async function approved(world: World): Promise<DeviceCodes> {
  const codes = await begin(world);
  await (await answerWith("approve", codes, world))({ world, store: undefined! });
  return codes;
}

function polls(codes: DeviceCodes): Contestant {
  return ({ world }) => poll(world, codes);
}

/** An approval writes its session before it writes the grant, and the grant's put may then fail. */
const withoutSessions = without("session");

function reasons({ answers }: Outcome): readonly string[] {
  return Object.values(answers).map(({ status, reason }) => `${status} ${reason ?? ""}`.trim()).sort();
}

add("device: approval ∥ approval: two browsers give one grant", {
  options,
  async start(world) {
    const codes = await begin(world);
    return {
      A: await answerWith("approve", codes, world),
      B: await answerWith("approve", codes, world),
    };
  },
  compared: withoutSessions,
  always(outcome) {
    assertEquals([reasons(outcome), leftOf("grant", outcome).map(({ status }) => status)], [[
      "200",
      "409 already_approved",
    ], ["approved"]]);
  },
});

add("device: approval ∥ denial ∥ poll: one answer, and the poll has none or this one", {
  atLeast: 14,
  options,
  async start(world) {
    const codes = await begin(world);
    return {
      approval: await answerWith("approve", codes, world),
      denial: await answerWith("deny", codes, world),
      poll: polls(codes),
    };
  },
  compared: withoutSessions,
  always(outcome) {
    const { poll } = outcome.answers;
    const [status] = leftOf("grant", outcome).map(({ status }) => status);
    const told = status === "denied" ? "device_login_denied" : undefined;
    assert(["device_login_pending", told].includes(poll?.reason), poll?.reason);
  },
});

/** A contestant that turns the clocks of all contestants, at one of its store calls. */
function expiry(id: string, clocks: readonly World["clock"][]): Contestant {
  return async ({ world, store }) => {
    await store.get({ name: "device_request" }, id, world.clock.now);
    for (const clock of clocks) clock.advance(600);
  };
}

for (const decision of ["approve", "deny"] as const) {
  const clocks: World["clock"][] = [];
  add(
    `device: ${decision} ∥ poll ∥ expiry: the answer and the poll are in time, or expired (RFC 8628 §3.5)`,
    {
      most: 30,
      atLeast: 8,
      // The reduction would not see what the clock affects.
      reduce: false,
      options,
      async start(world) {
        const codes = await begin(world);
        const withClock = (contestant: Contestant): Contestant => (own) => {
          clocks.push(own.world.clock);
          return contestant(own);
        };
        return {
          answer: withClock(await answerWith(decision, codes, world)),
          poll: withClock(polls(codes)),
          expiry: expiry(codes.device_code.split(".")[0]!, clocks),
        };
      },
      beforeEach: () => void (clocks.length = 0),
      // The times of other records differ by when the clock was turned.
      compared: ({ answers, left }) => ({
        answers,
        left: left.filter(({ kind }) => kind === "grant").map(({ status }) => ({ status })),
      }),
      always({ answers: { answer, poll } }) {
        const ended = decision === "approve" ? undefined : "user_denied";
        assert([ended, "device_login_expired"].includes(answer?.reason), answer?.reason);
        const told = decision === "approve" ? undefined : "device_login_denied";
        assert(["device_login_pending", "device_code_expired", told].includes(poll?.reason), poll?.reason);
      },
    },
  );
}

add("device: poll ∥ poll: one is pending, one comes too early (RFC 8628 §3.5)", {
  options,
  async start(world) {
    const codes = await begin(world);
    return { A: polls(codes), B: polls(codes) };
  },
  always(outcome) {
    assertEquals(reasons(outcome), ["400 device_login_pending", "400 device_poll_too_early"]);
  },
});

add("device: redeem ∥ redeem: one gets tokens, and they stay valid (RFC 8628 §3.5)", {
  options,
  async start(world) {
    const codes = await approved(world);
    return { A: polls(codes), B: polls(codes) };
  },
  always(outcome) {
    assertEquals([reasons(outcome), leftOf("grant", outcome).map(({ status }) => status)], [[
      "200",
      "400 device_code_used",
    ], ["active"]]);
  },
});

add(
  "device: code ∥ code: of two wrong codes, the tenth is looked up and the eleventh is not (RFC 8628 §5.1)",
  {
    options,
    async start(world) {
      const type: Contestant = ({ world }) =>
        world.post("/oauth2/device_verification", { user_code: "BBBBBBBB" });
      for (let count = 0; count < 9; count++) await type({ world, store: undefined! });
      return { A: type, B: type };
    },
    always(outcome) {
      assertEquals(reasons(outcome), ["400 user_code_wrong", "429 too_many_user_codes"]);
    },
  },
);

add("device: approval ∥ approval: two logins of one unknown id become one client (first use)", {
  atLeast: 6,
  options: { login: "picker", firstUse: true },
  async start(world) {
    const [first, second] = [await begin(world, unknown), await begin(world, unknown)];
    return {
      A: await answerWith("approve", first, world),
      B: await answerWith("approve", second, world),
    };
  },
  compared: () => ({ answers: {}, left: [] }),
  always(outcome) {
    assertEquals([reasons(outcome), leftOf("grant", outcome).map(({ status }) => status)], [["200", "200"], [
      "approved",
      "approved",
    ]]);
    const clients = leftOf("grant", outcome).map(({ clientEpoch }) => clientEpoch);
    assertEquals(clients, ["the client's", "the client's"]);
  },
});
