/** A feature of any kind is one file and one line in a list: each toy here is just that. */

import { defaultFeatures, everyFeature } from "../../src/server/features/mod.ts";
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
