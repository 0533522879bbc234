/** Issuers side by side: the names that would hide the paths of a server. */

import { assertEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import { moveEndpoints } from "../../../src/server/pipeline/move_endpoints.ts";
import { pathProfiles, usualProfile } from "../../../src/server/oauth/contracts/paths.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import {
  issuerName,
  listDemoResourceNames,
  listReservedNames,
  withoutWellKnown,
} from "../../../src/kit/mock/find_issuer_name.ts";
import { test } from "../../runner.ts";

test("issuers: the first segment of every endpoint and of the static files is reserved", () => {
  for (const profile of [usualProfile, ...Object.values(pathProfiles)]) {
    const { endpoints } = moveEndpoints(gatherSlots(defaultFeatures(everyFeature)), profile);
    const segments = [...endpoints.map(({ path }) => path), "/static/page.css"].map((path) =>
      path.split("/")[1]!
    );
    const reserved = [
      ...listReservedNames(profile),
      ...listDemoResourceNames("", everyFeature.demoResource),
    ];
    assertEquals(segments.filter((each) => issuerName.test(each) && !reserved.includes(each)), []);
  }
});

test("issuers: a well-known path before that of the issuer is left out whole (RFC 8414 §3.1, RFC 9728 §3.1)", () => {
  const rows = [
    ["/.well-known/oauth-protected-resource/shop/api", "/shop/api"],
    ["/.well-known/jwks.json", ""],
    ["/shop/.well-known/openid-configuration", "/shop/.well-known/openid-configuration"],
  ] as const;
  for (const [path, rest] of rows) assertEquals(withoutWellKnown(path), rest);
});
