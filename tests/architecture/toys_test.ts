/** A feature of any kind is one file and one line in a list: each toy here is just that. */

import { assertEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../src/server/features/mod.ts";
import type { AnyFeature } from "../../src/server/oauth/contracts/feature.ts";
import { gatherSlots } from "../../src/server/slots.ts";
import { test } from "../runner.ts";
import { inWorld } from "../world.ts";
import { clientSourceToy } from "./client_source_toy.ts";
import { grantTypeToy } from "./grant_type_toy.ts";
import { richRequestToy } from "./rich_request_toy.ts";
import type { Toy } from "./toys.ts";

const toys: readonly Toy[] = [clientSourceToy, grantTypeToy, richRequestToy];

for (const { kind, feature, options, works } of toys) {
  test(`architecture: ${kind} is one file and one line (${feature.name})`, () =>
    inWorld({ ...options, features: [...defaultFeatures(everyFeature), feature] }, works));
}

const named = { name: "off" };

/** It fills each slot: the compiler asks for a new one. */
const off: Readonly<Record<keyof Required<AnyFeature>, unknown>> = {
  ...{ name: "off", spec: "none", isOff: true, endpoints: [{ name: "off", path: "/off" }] },
  ...{
    settings: [{ name: "switch" }],
    clientSources: [named],
    clientMembers: [named],
    personMembers: [named],
  },
  ...{ clientAuth: [named], senderProofs: [{ ...named, tokenType: "Off", otherPort: {} }] },
  ...{ requestKinds: [named], requestSources: [named], requestParams: [named], carries: [named] },
  ...{ decides() {}, asks() {}, secondFactor: {}, signUp: {}, consentRows: [named], responseTypes: [named] },
  ...{ responseModes: [named], grantTypes: [{ ...named, tokenReader: named }], exchangeable: [named] },
  ...{
    changesRedemption() {},
    tokenMembers() {},
    tellsSignOut() {},
    scopes: ["off"],
    metadata: { off: true },
  },
};

test("architecture: a feature that is off fills no slot, but its options are known", () => {
  const { settings, neededOptions, signUp, ...slots } = gatherSlots([off as unknown as AnyFeature]);
  const { settings: _settings, neededOptions: _needed, signUp: _signUp, ...none } = gatherSlots([]);
  assertEquals(slots, none);
  assertEquals([[...settings.keys()], [...neededOptions]], [["switch"], [["off", "switch"]]]);
  // It says why prompt=create is refused.
  assertEquals(signUp, off.signUp);
});
