/** The plan fapi2-security-profile-final-test-plan of the OpenID conformance suite, module by module. */

import { test } from "../runner.ts";
import { describeVariant, inSuite, variants } from "./fapi2_driver.ts";
import { belongsTo, modules } from "./fapi2_modules.ts";

for (const variant of variants) {
  for (const module of modules.filter((each) => belongsTo(each, variant))) {
    test(`conformance, FAPI 2 (${describeVariant(variant)}): ${module.name} (${module.spec})`, () =>
      inSuite(variant, module.walk));
  }
}
