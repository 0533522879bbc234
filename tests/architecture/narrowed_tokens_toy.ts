/** A narrowing of tokens: a client asks for an access token that expires early. */

import { assertEquals } from "@std/assert";
import type { Feature } from "../../src/oauth/feature.ts";
import { refusals } from "../../src/oauth/refusals.ts";
import { claimsOf, readTokens, refresh, refusalOf } from "../tokens/bearer.ts";
import type { Toy } from "./toys.ts";

const refusal = refusals({
  toy_seconds_malformed: {
    error: "invalid_request",
    sentence: "toy_seconds is not a number",
    change: "Send the seconds in digits.",
  },
});

const feature: Feature = {
  name: "toy_seconds",
  spec: "none",
  narrowsTokens({ redemption, form, client }, { now }) {
    const seconds = form.get("toy_seconds");
    const members = { toy_seconds_of: client.id };
    if (seconds === undefined) return { ...redemption, members };
    if (!/^\d+$/.test(seconds)) throw refusal("toy_seconds_malformed");
    return { ...redemption, members, expiresBy: now() + Number(seconds) };
  },
};

export const narrowedTokensToy: Toy = {
  kind: "a narrowing of tokens",
  feature,
  async works(world) {
    const code = await world.code();
    // The refusal comes before the code is used up.
    assertEquals(
      await refusalOf(world, world.redeem(code, { toy_seconds: "soon" })),
      [400, "invalid_request", "toy_seconds_malformed"],
    );
    const first = await readTokens(await world.redeem(code, { toy_seconds: "7" }));
    const usual = await readTokens(await refresh(world, first.refresh_token));
    const second = await readTokens(await refresh(world, usual.refresh_token, { toy_seconds: "8" }));
    const seconds = [first, usual, second].map(({ access_token }) => {
      const { exp, iat } = claimsOf(access_token);
      return Number(exp) - Number(iat);
    });
    assertEquals([seconds[0], seconds[1]! > 8, seconds[2]], [7, true, 8]);
    for (const tokens of [first, usual, second]) assertEquals(Object(tokens).toy_seconds_of, "public");
  },
};
