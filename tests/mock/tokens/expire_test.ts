/** Tokens expire, or are not valid yet, by every clock: the mock's, at any time, and the machine's. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import type { Clock, MockOptions } from "../../../src/mock/mod.ts";
import { expire } from "../../../src/mock/tokens/expire.ts";
import { forge } from "../../../src/mock/tokens/forge.ts";
import { mint } from "../../../src/mock/tokens/mint.ts";
import { protect } from "../../../src/mock/tokens/protect.ts";
import { test } from "../../runner.ts";
import { issuer, type Kit, startKit } from "../kit.ts";

interface ClockSetting {
  readonly options?: MockOptions;
  readonly set?: (clock: Clock) => void;
}

const settings: Readonly<Record<string, ClockSetting>> = {
  "as the real one": {},
  "frozen by a seed": { options: { seed: 1 } },
  "set far ahead": { set: (clock) => clock.set("2150-01-01") },
  "advanced": { set: (clock) => clock.advance("40d") },
  "set far back": { set: (clock) => clock.set("2001-01-01") },
  "frozen while 1990 begins": { set: (clock) => clock.freeze("1990-01-01T00:05:00Z") },
  "far back, with a server that is ahead": {
    set(clock) {
      clock.set("2001-01-01");
      clock.skew("20000d");
    },
  },
  "far ahead, with a server that is behind": {
    set(clock) {
      clock.set("2120-01-01");
      clock.skew("-40000d");
    },
  },
};

/** The claims that jose refuses the token for: by the mock's clock and the real one, with and without a leeway. */
async function refusedFor(token: string, { tenant, fetch }: Kit): Promise<ReadonlySet<string>> {
  const keys = createLocalJWKSet(await (await fetch(`${issuer}/oauth2/jwks`)).json() as JSONWebKeySet);
  const claims = [];
  for (const currentDate of [new Date(), tenant.clock.date]) {
    for (const clockTolerance of [0, 300]) {
      const check = () => jwtVerify(token, keys, { issuer, currentDate, clockTolerance });
      const refused = await assertRejects(check, Error) as errors.JWTExpired;
      claims.push(refused.claim);
    }
  }
  return new Set(claims);
}

function assertInOrder({ auth_time: signedIn, iat, nbf, exp }: JWTPayload): void {
  const times = [signedIn, iat, nbf, exp].filter((time) => time !== undefined) as number[];
  assertEquals(times, times.toSorted((left, right) => left - right));
  assert(iat! < exp!);
}

for (const [name, { options = {}, set }] of Object.entries(settings)) {
  const start = () => {
    const kit = startKit(options);
    set?.(kit.tenant.clock);
    return kit;
  };

  const refusedHere = async (token: string, kit: Kit) => {
    const result = await protect({}, kit.context)(
      new Request("https://api.test/orders", { headers: { authorization: `Bearer ${token}` } }),
    );
    assert(result instanceof Response, "as.protect accepted the token");
    return (await result.json()).error_description as string;
  };

  test(`forge: expired and not-yet-valid hold by every clock, with the mock's ${name}`, async () => {
    const kit = start();
    await using _ = kit.tenant;
    for (
      const [forgery, claim, said] of [
        ["access_token.expired", "exp", /expired \d+ (?:seconds|days) ago/],
        ["access_token.not_yet_valid", "nbf", /not valid yet/],
      ] as const
    ) {
      const { token } = await forge(forgery, {}, kit.context);
      assertEquals(await refusedFor(token, kit), new Set([claim]));
      assert(said.test(await refusedHere(token, kit)));
      assertInOrder(decodeJwt(token));
    }
  });

  test(`expire: the tokens have expired by every clock, with the mock's ${name}`, async () => {
    const kit = start();
    await using as = kit.tenant;
    as.clock.skew(0);
    const tokens = await as.login("bob", { nonce: "n-1" });
    set?.(as.clock);
    const expired = await expire(tokens, kit.context);
    for (const token of ["access_token", "id_token"] as const) {
      assertEquals(await refusedFor(expired[token]!, kit), new Set(["exp"]));
      const [was, is] = [decodeJwt(tokens[token]!), decodeJwt(expired[token]!)];
      assertInOrder(is);
      assertEquals(is.exp! - is.iat!, was.exp! - was.iat!);
    }
    assertEquals(expired.claims, decodeJwt(expired.id_token!) as typeof expired.claims);
    await refusedHere(expired.access_token, kit);
  });
}

test("expire: a token that has expired by every clock stays as it is, one that has expired by the mock's alone does not", async () => {
  const kit = startKit();
  await using as = kit.tenant;
  const fresh = await mint({ expiresIn: "1m" }, kit.context);
  as.clock.advance("1d");
  assertEquals(await refusedFor(await expire(fresh, kit.context), kit), new Set(["exp"]));
  as.clock.set("1985-01-01");
  const old = await mint({ expiresIn: "1m" }, kit.context);
  as.clock.advance("1d");
  assertEquals(decodeJwt(await expire(old, kit.context)), decodeJwt(old));
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`expire: the original token has expired at userinfo, and the refresh token still works, ${accessTokens}`, async () => {
    const kit = startKit({ accessTokens });
    await using as = kit.tenant;
    const tokens = await as.login("bob", { scope: "openid" });
    await as.expire(tokens);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    assertEquals((await kit.fetch(`${issuer}/userinfo`, { headers })).status, 401);
    const { refusal } = as.requests.last!;
    assertEquals(refusal?.reason, "token_expired");
    if (accessTokens === "jwt") assertMatch(refusal?.received ?? "", /the original .* expire\(\)/);
    assert((await as.refresh(tokens)).access_token !== tokens.access_token);
  });
}

test("expire and forge: a seed repeats every byte at any real time", async () => {
  const { now } = Date;
  const all = async (realTime: number) => {
    Date.now = () => realTime;
    const kit = startKit({ seed: 1, alg: "EdDSA" });
    await using as = kit.tenant;
    const tokens = await expire(await as.login(), kit.context);
    const forged = [
      await forge("access_token.expired", {}, kit.context),
      await forge("access_token.not_yet_valid", {}, kit.context),
    ];
    return [tokens.access_token, tokens.id_token, ...forged.map(({ token }) => token)];
  };
  try {
    assertEquals(await all(Date.UTC(2026, 0)), await all(Date.UTC(2090, 0)));
  } finally {
    Date.now = now;
  }
});

test("expire and forge: with a seed, the tokens have also expired by a fake time far behind its clock", async () => {
  const kit = startKit({ seed: 1 });
  await using as = kit.tenant;
  const keys = createLocalJWKSet(await (await kit.fetch(`${issuer}/oauth2/jwks`)).json() as JSONWebKeySet);
  const { id_token: expired } = await expire(await as.login(), kit.context);
  for (const token of [expired!, (await forge("access_token.expired", {}, kit.context)).token]) {
    const check = () => jwtVerify(token, keys, { currentDate: new Date("2000-01-01") });
    await assertRejects(check, errors.JWTExpired);
  }
});
