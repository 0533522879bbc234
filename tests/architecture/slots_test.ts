/** A slot has two features that fill it. What one feature fills is a call, a setting or a member of another slot. */

import { assert, assertEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../src/server/features/mod.ts";
import { test } from "../runner.ts";
import { readSources } from "./sources.ts";

/** The slots that fewer features may fill, and why each stays. */
const kept: Readonly<Record<string, string>> = {
  changesRedemption: "the token endpoint would call authorization_details, and a feature imports no other",
  decides: "the test kit fills it, and the server must not import the test kit",
  personMembers: "the configuration would name second_factor",
  responseTypes: "the core would name authorization_code",
  secondFactor: "the core would name second_factor",
  signUp: "the core would name sign_up",
  tellsSignOut: "the core would name back_channel_logout",
};

test("architecture: two features fill each slot, or the slot has a reason", () => {
  const { text } = readSources("src/server/oauth").find(({ path }) => path.endsWith("/feature.ts"))!;
  const [declared = ""] = /export interface Feature<.*?\n}\n/s.exec(text) ?? [];
  const slots = [...declared.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name!);
  const features = defaultFeatures(everyFeature);
  const lonely = slots.filter((slot) => features.filter((feature) => slot in feature).length < 2);
  assert(lonely.includes("decides"));
  assertEquals(lonely.filter((slot) => !(slot in kept)), []);
});
