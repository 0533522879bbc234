/** A carried value: a note in the authorization request comes back with the tokens. */

import { assertEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../src/features/mod.ts";
import { type CarriedKey, carry, readCarried } from "../../src/oauth/carried.ts";
import type { Feature } from "../../src/oauth/feature.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { readTokens, refresh } from "../tokens/bearer.ts";
import { callbackParams, createWorld, inWorld } from "../world.ts";
import type { Toy } from "./toys.ts";

const noteKey: CarriedKey<{ readonly text: string }> = { name: "toy_note" };

const feature: Feature = {
  name: "toy_note",
  spec: "none",
  requestParams: [{ name: "toy_note", read: (text) => ({ carried: carry(noteKey, { text }) }) }],
  carries: [noteKey],
  tokenMembers({ redemption: { grant } }) {
    const note = readCarried(grant, noteKey);
    return note && { members: { toy_note: note.text } };
  },
};

export const carriedValueToy: Toy = {
  kind: "a carried value",
  feature,
  async works(world) {
    const first = await readTokens(await world.redeem(await world.code({ toy_note: "remember" })));
    const second = await readTokens(await refresh(world, first.refresh_token));
    const withoutNote = await readTokens(await world.redeem(await world.code()));
    const notes = [first, second, withoutNote].map((tokens) => Object(tokens)["toy_note"]);
    assertEquals(notes, ["remember", "remember", undefined]);

    const other: Feature = { name: "other", spec: "none", carries: [{ name: "toy_note" }] };
    const create = () => createWorld({ features: [feature, other] });
    await assertCannotCreate(create, "two features offer the carried value toy_note");

    // A feature that forgets to list its key would escape that check.
    const { carries: _carries, ...unlisted } = feature;
    await inWorld(
      { features: [...defaultFeatures({ ...everyFeature, firstUse: false }), unlisted] },
      async (careless) => {
        const refused = await careless.authorize({ toy_note: "remember" });
        assertEquals(callbackParams(refused).get("error"), "server_error");
      },
    );
  },
};
