/** An API that asks the server about access tokens accepts what the server does, and needs no claim that nothing shows. */

import { assertEquals } from "@std/assert";
import { calculateJwkThumbprint, decodeProtectedHeader } from "jose";
import { createMock, examine, examineApi } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { askingOptions, createAskingClient } from "./asking_api.ts";

test("examine: an API that asks the server does not accept what the server does not know (RFC 7662 §2.2)", async () => {
  const { rows } = await examine({
    only: [
      "access_token.kid_missing",
      "access_token.valid_in_a_moment",
      "access_token.acr_weak",
      "access_token.auth_time_old",
      "access_token.alg_none",
    ],
    options: askingOptions,
    within: 60,
    client: createAskingClient(({ active }) => {
      if (active !== true) throw new Error("the token is not active");
    }),
  });
  const asks = "The API asks the server about access tokens, and the server did not know this one.";
  const needsNo = (claim: string) =>
    `The API accepts the token, and nothing shows that it needs ${claim}: examineApi judges an API that does.`;
  const found = rows.map(({ name, outcome, because }) => [name.split(".")[1], [outcome, because]] as const);
  assertEquals(Object.fromEntries(found), {
    kid_missing: ["not_applicable", asks],
    valid_in_a_moment: ["not_applicable", asks],
    acr_weak: ["not_applicable", needsNo("acr")],
    auth_time_old: ["not_applicable", needsNo("auth_time")],
    alg_none: ["noticed", "The client refused: Error: the token is not active"],
  });
});

for (
  const [what, compares, outcome] of [["compares", true, "noticed"], ["ignores", false, "fooled"]] as const
) {
  test(`examineApi: an API that ${what} the cnf of the introspection of an opaque token is ${outcome} by proof.key_other (RFC 9449 §6.2)`, async () => {
    await using as = await createMock({ ...askingOptions, accessTokens: "opaque" });
    const api = "https://api.test/orders";
    const { rows: [row] } = await examineApi({
      as,
      audience: api,
      dpop: { url: api },
      only: ["proof.key_other"],
      async call(token, proof = "") {
        const asked = await as.fetch(`${as.issuer}/oauth2/introspect`, {
          method: "POST",
          headers: { authorization: `Basic ${btoa("orders-api:secret-of-the-api")}` },
          body: new URLSearchParams({ token }),
        });
        const { active, cnf } = await asked.json();
        const jkt = await calculateJwkThumbprint(decodeProtectedHeader(proof).jwk!);
        const isRight = active === true && (!compares || cnf?.jkt === jkt);
        return new Response(null, {
          status: isRight ? 200 : 401,
          ...isRight ? {} : { headers: { "www-authenticate": 'DPoP error="invalid_token"' } },
        });
      },
    });
    assertEquals(row!.outcome, outcome, row!.because);
  });
}

/** What an API remembers of an answer about an opaque token: by which text, and until when. */
const caches: Readonly<
  Record<string, readonly [keyOf: (token: string) => string, until: (exp: number) => number, wrong?: string]>
> = {
  "by the whole text, until its exp": [(token) => token, (exp) => exp],
  "by the whole text, for an hour": [(token) => token, () => Infinity, "expired_after_use null"],
  "by the small letters": [(token) => token.toLowerCase(), (exp) => exp, "similar_to_accepted capitals"],
  "by the first letters": [(token) => token.slice(0, 40), (exp) => exp, "similar_to_accepted signature"],
};

for (const [how, [keyOf, until, wrong]] of Object.entries(caches)) {
  test(`examineApi: an API that remembers what the server says of an opaque token, ${how} (RFC 7662 §4)`, async () => {
    await using as = await createMock({ ...askingOptions, accessTokens: "opaque" });
    as.clock.freeze("2030-01-01T12:00:00Z");
    const kept = new Map<string, number>();
    const { rows } = await examineApi({
      as,
      audience: "https://api.test/orders",
      only: ["access_token.expired_after_use", "access_token.similar_to_accepted", "access_token.unreadable"],
      async call(token) {
        if (as.clock.now < (kept.get(keyOf(token)) ?? 0)) return new Response("ok");
        const asked = await as.fetch(`${as.issuer}/oauth2/introspect`, {
          method: "POST",
          headers: { authorization: `Basic ${btoa("orders-api:secret-of-the-api")}` },
          body: new URLSearchParams({ token }),
        });
        const { active, exp } = await asked.json();
        if (active === true) kept.set(keyOf(token), until(exp));
        return new Response(null, { status: active === true ? 200 : 401 });
      },
    });
    const fooled = rows.filter(({ outcome }) => outcome !== "noticed");
    assertEquals(
      fooled.map(({ name, variant = null, outcome }) => `${name} ${variant} ${outcome}`),
      wrong === undefined ? [] : [`access_token.${wrong} fooled`],
    );
    assertEquals(rows.map(({ level }) => level), ["must", "must", "must"]);
  });
}
