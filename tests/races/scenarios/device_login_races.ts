/** Races for device logins, each on two servers over one store: one answer, one redemption (RFC 8628 §3.5). */

import { assert, assertEquals } from "@std/assert";
import { begin, deviceClients, type DeviceCodes, poll } from "../../server/features/device_login.ts";
import type { World } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { openDeviceConsentForm } from "../forms.ts";
import { leftOf, type Outcome, without } from "../outcome.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";

const { races, add } = createRaceList();
export const deviceLoginRaces: readonly NamedRace[] = races;

const options = { login: "picker", clients: deviceClients } as const;

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
