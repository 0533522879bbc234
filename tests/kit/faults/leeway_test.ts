/** A leeway for clocks that differ is a few minutes at most (RFC 7519 §4.1.4). One of hours accepts tokens that have expired. */

import { assertEquals, assertMatch } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import { createMock, examine, examineApi } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

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
    const secret = "secret-of-the-api";
    const asker = {
      client_id: "orders-api",
      client_secret: secret,
      grant_types: ["client_credentials"],
      introspects: ["https://api.test/orders"],
    } as const;
    const redirectUri = "https://app.test/callback";
    const { rows: [row] } = await examine({
      only: ["introspection.expired"],
      options: { alg: "ES256", clients: [{ client_id: "app", redirect_uris: [redirectUri] }, asker] },
      within: 60,
      async client(as, { issuer, api }) {
        const { access_token: token } = await as.login("alice", { scope: "openid orders", resource: api });
        const asked = await as.fetch(`${issuer}/oauth2/introspect`, {
          method: "POST",
          headers: { authorization: `Basic ${btoa(`${asker.client_id}:${secret}`)}` },
          body: new URLSearchParams({ token }),
        });
        const { exp } = await asked.json();
        if (exp + tolerance < Date.now() / 1000) throw new Error("the token has expired");
        await as.fetch(api, { headers: { authorization: `Bearer ${token}` } });
      },
    });
    assertEquals(row!.outcome, outcome, row!.because);
    if (outcome === "fooled") assertMatch(row!.because, /hour_ago/);
  });
}
