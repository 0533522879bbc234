/** A leeway for clocks that differ is a few minutes at most (RFC 7519 §4.1.4). One of hours accepts tokens that have expired. */

import { assertEquals, assertMatch } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import { createMock, examine, examineApi } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { askingOptions, createAskingClient } from "./asking_api.ts";

const cases = [
  [300, "noticed", "noticed"],
  [1800, "noticed", "fooled"],
  [4000, "fooled", "fooled"],
] as const;

for (const [tolerance, outcome, afterMinutes] of cases) {
  test(`leeway: an API that allows for ${tolerance} seconds is ${outcome}, and ${afterMinutes} after twenty minutes (RFC 7519 §4.1.4)`, async () => {
    await using as = await createMock({ alg: "ES256" });
    const { rows: [row, ofMinutes] } = await examineApi({
      as,
      only: ["access_token.expired", "access_token.expired_minutes_ago"],
      call: async (token) => {
        const keys = createLocalJWKSet(await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json());
        const verified = jwtVerify(token, keys, { issuer: as.issuer, clockTolerance: tolerance });
        return await verified.then(() => new Response("in"), () =>
          new Response(null, {
            status: 401,
            headers: { "www-authenticate": 'Bearer error="invalid_token"' },
          }));
      },
    });
    assertEquals(row!.outcome, outcome, row!.because);
    assertEquals([ofMinutes!.outcome, ofMinutes!.level], [afterMinutes, "hardening"]);
    if (outcome === "fooled") assertMatch(row!.because, /hour_ago/);
  });
}

for (const [tolerance, outcome] of cases) {
  test(`leeway: an API that asks the server, and allows for ${tolerance} seconds, is ${outcome} (RFC 7662 §2.2)`, async () => {
    const { rows: [row] } = await examine({
      only: ["introspection.expired"],
      options: askingOptions,
      within: 60,
      client: createAskingClient(({ exp }) => {
        if (exp + tolerance < Date.now() / 1000) throw new Error("the token has expired");
      }),
    });
    assertEquals(row!.outcome, outcome, row!.because);
    if (outcome === "fooled") assertMatch(row!.because, /hour_ago/);
  });
}
