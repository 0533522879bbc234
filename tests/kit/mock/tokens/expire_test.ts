/** Tokens expire, or are not valid yet, by every clock: the mock's, at any time, and the machine's. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { type Clock, createMock, type Mock, type MockOptions } from "../../../../src/kit/mod.ts";
import { forgeries, type ForgeryName } from "../../../../src/kit/faults/names.ts";
import { present } from "../../../../src/ground/values/present.ts";
import { test } from "../../../runner.ts";

const quick: MockOptions = { alg: "ES256" };

const settings: Readonly<Record<string, (clock: Clock) => void>> = {
  "as the real one": () => {},
  "set far ahead": (clock) => clock.set("2150-01-01"),
  "set far back": (clock) => clock.set("2001-01-01"),
  "frozen while 1990 begins": (clock) => clock.freeze("1990-01-01T00:04:59Z"),
  "far back, with a server that is ahead"(clock) {
    clock.set("2001-01-01");
    clock.skew("20000d");
  },
};

/** The claims that jose refuses the token for: by the mock's clock and the real one, with and without a leeway. */
async function refusedFor(token: string, { clock, fetch, issuer }: Mock): Promise<ReadonlySet<string>> {
  const keys = createLocalJWKSet(await (await fetch(`${issuer}/oauth2/jwks`)).json() as JSONWebKeySet);
  const claims = [];
  for (const currentDate of [new Date(), clock.date]) {
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

async function refusedHere(token: string, as: Mock): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const result = await as.protect()(new Request("https://api.test/orders", { headers }));
  assert(result instanceof Response, "as.protect accepted the token");
  return (await result.json()).error_description;
}

for (const [name, set] of Object.entries(settings)) {
  test(`forge: expired and not-yet-valid hold by every clock, with the mock's ${name}`, async () => {
    await using as = await createMock(quick);
    set(as.clock);
    const forgeries = [
      ["access_token.expired", "exp", /expired \d+ (?:seconds|days) ago/],
      ["access_token.not_yet_valid", "nbf", /not valid yet/],
    ] as const;
    for (const [forgery, claim, said] of forgeries) {
      const { token } = await as.forge(forgery, {});
      assertEquals(await refusedFor(token, as), new Set([claim]));
      assert(said.test(await refusedHere(token, as)));
      assertInOrder(decodeJwt(token));
    }
  });

  test(`expire: the tokens have expired by every clock, with the mock's ${name}`, async () => {
    await using as = await createMock(quick);
    set(as.clock);
    as.clock.skew(0);
    const tokens = await as.login("bob", { nonce: "n-1" });
    set(as.clock);
    const expired = await as.expire(tokens);
    for (const token of ["access_token", "id_token"] as const) {
      assertEquals(await refusedFor(expired[token]!, as), new Set(["exp"]));
      const [was, is] = [decodeJwt(tokens[token]!), decodeJwt(expired[token]!)];
      assertInOrder(is);
      assertEquals(is.exp! - is.iat!, was.exp! - was.iat!);
    }
    assertEquals(expired.claims, decodeJwt(expired.id_token!) as typeof expired.claims);
    await refusedHere(expired.access_token, as);
  });
}

test("expire: a token that has expired by every clock stays as it is, one that has expired by the mock's alone does not", async () => {
  await using as = await createMock(quick);
  const fresh = await as.mint({ expiresIn: "1m" });
  as.clock.advance("1d");
  assertEquals(await refusedFor(await as.expire(fresh), as), new Set(["exp"]));
  as.clock.set("1985-01-01");
  const old = await as.mint({ expiresIn: "1m" });
  as.clock.advance("1d");
  assertEquals(decodeJwt(await as.expire(old)), decodeJwt(old));
});

test("forge: a time minutes or an hour away is so by the earliest of the clocks, or by the latest", async () => {
  const { now } = Date;
  const real = Date.UTC(2026, 0) / 1000;
  Date.now = () => real * 1000;
  try {
    await using as = await createMock(quick);
    const timeOf = async (name: ForgeryName, claim: "exp" | "nbf", variant?: string) =>
      decodeJwt((await as.forge(name, present({ variant }))).token)[claim]!;
    const requireTimes = async (earliest: number, latest: number) =>
      assertEquals([
        await timeOf("access_token.expired_minutes_ago", "exp") + 1200,
        // An hour lacks a minute, so that a leeway of an hour accepts it.
        await timeOf("access_token.expired", "exp", "hour_ago") + 3540,
        await timeOf("access_token.not_yet_valid", "nbf", "in_an_hour") - 3540,
      ], [earliest, earliest, latest]);
    as.clock.freeze("2030-01-01");
    await requireTimes(real, as.clock.now);
    as.clock.skew("1d");
    await requireTimes(real, as.clock.now + 86_400);
    as.clock.freeze("2010-01-01");
    as.clock.skew(0);
    await requireTimes(as.clock.now, real);
    as.clock.skew("-1d");
    await requireTimes(as.clock.now - 86_400, real);
  } finally {
    Date.now = now;
  }
});

test("expire and forge: a seed repeats every byte at any real time", async () => {
  const { now } = Date;
  // RSA-OAEP takes its randomness from the platform (RFC 8017 §7.1.1).
  const ofPlatform = ["access_token.encrypted_unsigned"];
  // Some minutes ago by the real time, too, because clients have no other.
  const ofRealTime = ["access_token.expired_minutes_ago"];
  const repeatable = forgeries.filter((name) => ![...ofPlatform, ...ofRealTime].includes(name));
  const all = async (realTime: number) => {
    Date.now = () => realTime;
    await using as = await createMock({ ...quick, seed: 1, alg: "EdDSA" });
    const tokens = await as.expire(await as.login());
    const forged: string[] = [];
    for (const name of repeatable) forged.push((await as.forge(name)).token);
    assertEquals(new Set(forged).size, repeatable.length);
    return [tokens.access_token, tokens.id_token, ...forged];
  };
  try {
    assertEquals(await all(Date.UTC(2026, 0)), await all(Date.UTC(2090, 0)));
  } finally {
    Date.now = now;
  }
});

test("expire and forge: with a seed, the tokens have also expired by a fake time far behind its clock", async () => {
  await using as = await createMock({ ...quick, seed: 1 });
  const keys = createLocalJWKSet(await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json() as JSONWebKeySet);
  const { id_token: expired } = await as.expire(await as.login());
  for (const token of [expired!, (await as.forge("access_token.expired", {})).token]) {
    const check = () => jwtVerify(token, keys, { currentDate: new Date("2000-01-01") });
    await assertRejects(check, errors.JWTExpired);
  }
});

test("expire: only the members that came are answered, and the key of the tokens stays known (RFC 9449 §7)", async () => {
  await using as = await createMock(quick);
  const { access_token, id_token } = await as.login("alice", { dpop: true, scope: "openid" });
  const expired = await as.expire({ access_token, id_token: id_token! });
  assertEquals(Object.keys(expired), ["access_token", "id_token"]);
  const { authorization } = await as.dpopHeaders(expired.access_token, "https://api.test/");
  assertEquals(authorization, `DPoP ${expired.access_token}`);
});
