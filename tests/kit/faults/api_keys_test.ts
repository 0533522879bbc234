/** `examineApi`: what APIs make of keys that change, of keys without `alg`, of odd kids, and of tokens that resemble others. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHmac, createPublicKey, X509Certificate } from "node:crypto";
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
} from "jose";
import { createMock, examineApi, type ForgeryName, type Mock } from "../../../src/kit/mod.ts";
import { listVariants } from "../../../src/kit/faults/names.ts";
import { test } from "../../runner.ts";
import { testUsing } from "../../test_in.ts";
import { quickAlg } from "./clients/habits.ts";

const alg = quickAlg;
const it = testUsing(() => createMock({ alg }));

type Verify = (token: string) => Promise<unknown>;

/** Examines an API that accepts what `verify` resolves for. Returns the outcomes by their names without the area. */
async function examine(as: Mock, only: readonly ForgeryName[], verify: Verify) {
  const { rows } = await examineApi({
    as,
    only,
    call: async (token) =>
      new Response(null, { status: await verify(token).then((is) => is === false ? 401 : 200, () => 401) }),
  });
  return Object.fromEntries(rows.map(({ name, outcome }) => [name.replace("access_token.", ""), outcome]));
}

async function loadFrom({ fetch, issuer }: Mock, url = `${issuer}/oauth2/jwks`): Promise<JSONWebKeySet> {
  return await (await fetch(url)).json();
}

/** How an API keeps the keys that it has loaded. */
interface Cache {
  find(kid: string | undefined): Promise<JWK | undefined>;
}

/** Loads the keys at the first token and, if `loadsAgain`, for an unknown kid. `forgets`: keys that are gone. */
function createCache(as: Mock, { loadsAgain, forgets }: { loadsAgain: boolean; forgets: boolean }): Cache {
  const kept = new Map<string | undefined, JWK>();
  let isLoaded = false;
  return {
    async find(kid) {
      if (!isLoaded || loadsAgain && !kept.has(kid)) {
        const { keys } = await loadFrom(as);
        if (forgets) kept.clear();
        for (const key of keys) kept.set(key.kid, key);
        isLoaded = true;
      }
      return kept.get(kid);
    },
  };
}

const verifyWith = async (token: string, key: JWK | undefined) =>
  await jwtVerify(token, createLocalJWKSet({ keys: key === undefined ? [] : [key] }), { algorithms: [alg] });

const changing = ["access_token.key_replaced", "access_token.key_withdrawn"] as const;

const caches = {
  "loads the keys for an unknown kid, and forgets those that are gone": {
    loadsAgain: true,
    forgets: true,
    outcomes: { key_replaced: "tolerated", key_withdrawn: "noticed" },
  },
  "loads the keys for an unknown kid, and keeps those that are gone": {
    loadsAgain: true,
    forgets: false,
    outcomes: { key_replaced: "tolerated", key_withdrawn: "fooled" },
  },
  "loads the keys once": {
    loadsAgain: false,
    forgets: true,
    outcomes: { key_replaced: "unknown", key_withdrawn: "unknown" },
  },
} as const;

for (const [what, { outcomes, ...options }] of Object.entries(caches)) {
  it(`examineApi: keys change for an API that ${what} (OpenID Connect Core §10.1.1)`, async (as) => {
    const cache = createCache(as, options);
    const verify: Verify = async (token) =>
      await verifyWith(token, await cache.find(decodeProtectedHeader(token).kid));
    const before = await loadFrom(as);
    assertEquals(await examine(as, changing, verify), outcomes);
    // The server publishes them for the time of a row only.
    assertEquals(await loadFrom(as), before);
  });
}

it("examineApi: an API that loads the keys again a moment too late keeps a withdrawn key within its time", async (as) => {
  let keys: JSONWebKeySet | undefined;
  const verify: Verify = async (token) => {
    const { kid } = decodeProtectedHeader(token);
    const isKnown = keys?.keys.some((key) => key.kid === kid);
    // It loads them again only once.
    if (!isKnown && as.requests.jwks.length < 2) keys = await loadFrom(as);
    return await jwtVerify(token, createLocalJWKSet(keys!), { algorithms: [alg] });
  };
  assertEquals(await examine(as, ["access_token.key_withdrawn"], verify), { key_withdrawn: "unknown" });
});

for (const [most, outcome] of [[5, "noticed"], [6, "fooled"]] as const) {
  it(`examineApi: an API that loads the keys ${most} times for unknown kids is ${outcome}`, async (as) => {
    const keys = createLocalJWKSet(await loadFrom(as));
    let loads = 0;
    const verify: Verify = async (token) => {
      const isUnknown = await keys(decodeProtectedHeader(token)).then(() => false, () => true);
      if (isUnknown && loads++ < most) await loadFrom(as);
      return await jwtVerify(token, keys, { algorithms: [alg] });
    };
    assertEquals(await examine(as, ["access_token.kid_unknown_many"], verify), { kid_unknown_many: outcome });
  });
}

it("examineApi: an API that has loaded the key of one examination has not seen that of the next", async (as) => {
  const keys = createLocalJWKSet(await loadFrom(as));
  const verify: Verify = async (token) => {
    const isUnknown = await keys(decodeProtectedHeader(token)).then(() => false, () => true);
    if (isUnknown && as.requests.jwks.length < 2) await loadFrom(as);
    return await jwtVerify(token, keys, { algorithms: [alg] });
  };
  assertEquals(await examine(as, ["access_token.key_alg_other"], verify), { key_alg_other: "noticed" });
  assertEquals(await examine(as, ["access_token.key_use_enc"], verify), { key_use_enc: "unknown" });
});

it("examineApi: an API that does not take a new key has broken, if it has loaded it", async (as) => {
  const [first] = (await loadFrom(as)).keys;
  const verify: Verify = async (token) => (await loadFrom(as), await verifyWith(token, first));
  assertEquals(await examine(as, changing, verify), { key_replaced: "broke", key_withdrawn: "noticed" });
});

it("examineApi: an API that never answers is not one that keeps its keys, and the keys are as before", async (as) => {
  const before = await loadFrom(as);
  let isRight = true;
  const { rows: [row] } = await examineApi({
    as,
    only: ["access_token.key_replaced"],
    within: 0.05,
    call() {
      const answered = isRight ? new Response("ok") : new Promise<Response>(() => {});
      isRight = false;
      return answered;
    },
  });
  assertEquals([row!.outcome, await loadFrom(as)], ["hung", before]);
});

it("examineApi: the keys change early, after the token that one key must fit, the many tokens come last, and the rows keep their order", async (as) => {
  const only = ["key_other", "key_replaced", "kid_missing", "kid_unknown_many", "type_wrong"] as const;
  const sent: (string | undefined)[] = [];
  const cache = createCache(as, { loadsAgain: true, forgets: true });
  const names = only.toReversed().map((name) => `access_token.${name}` as const);
  const outcomes = await examine(as, names, async (token) => {
    const { kid, typ } = decodeProtectedHeader(token);
    sent.push(typ === "JWT" ? typ : kid);
    if (kid === undefined) return await jwtVerify(token, createLocalJWKSet(await loadFrom(as)));
    return await verifyWith(token, await cache.find(kid));
  });
  assertEquals(Object.keys(outcomes), [...only]);
  const [right] = sent;
  const [replaced] = sent.filter((kid) => kid !== right && kid !== undefined);
  // The API accepts the token without a kid. A right token stands after key_replaced, and key_other has its kid.
  assertEquals(sent.slice(0, 6), [right, undefined, replaced, right, right, "JWT"]);
});

/** Keys of a cache of accepted tokens, and whether two tokens can have the same one. */
const cacheKeys: Readonly<Record<string, (token: string) => string | undefined>> = {
  "its first 200 characters": (token) => token.slice(0, 200),
  "its last 100 characters": (token) => token.slice(-100),
  "its header and claims": (token) => token.slice(0, token.lastIndexOf(".")),
  "its signature": (token) => token.split(".")[2],
  "its jti": (token) => decodeJwt(token).jti,
  "its jti and its signature": (token) => `${decodeJwt(token).jti} ${token.split(".")[2]}`,
  "its claims": (token) => token.split(".")[1],
};

for (const [what, keyOf] of Object.entries({ ...cacheKeys, "its whole text": (token: string) => token })) {
  const isRight = !(what in cacheKeys);
  it(`examineApi: an API that knows an accepted token by ${what} is ${isRight ? "right" : "fooled"} (CVE-2026-35039)`, async (as) => {
    const accepted = new Set<string | undefined>();
    const cache = createCache(as, { loadsAgain: false, forgets: true });
    const outcomes = await examine(as, ["access_token.similar_to_accepted"], async (token) => {
      if (accepted.has(keyOf(token))) return;
      await verifyWith(token, await cache.find(decodeProtectedHeader(token).kid));
      accepted.add(keyOf(token));
    });
    assertEquals(outcomes, { similar_to_accepted: isRight ? "noticed" : "fooled" });
  });
}

/** How an API names a key of an issuer in its cache. */
const keyNames: Readonly<Record<string, (issuer: string, kid: string) => string>> = {
  "by the kid": (_issuer, kid) => kid,
  ...Object.fromEntries(
    [":", "", "/", "|"].map((joint) => [
      `by the kid and the issuer, joined by "${joint}"`,
      (issuer: string, kid: string) => kid + joint + issuer,
    ]),
  ),
  ...Object.fromEntries(
    ["", "/", ":"].map((joint) => [
      `by the issuer and the kid, joined by "${joint}"`,
      (issuer: string, kid: string) => issuer.replace(/\/$/, "") + joint + kid,
    ]),
  ),
  "by both apart": (issuer, kid) => JSON.stringify([kid, issuer]),
};

for (const [what, nameOf] of Object.entries(keyNames)) {
  it(`examineApi: an API loads the keys of any issuer, keeps them ${what}, and compares the issuer later (CVE-2025-59936)`, async (as) => {
    const kept = new Map<string, JWK | undefined>();
    const outcomes = await examine(as, ["access_token.two_issuers_one_kid"], async (token) => {
      const { kid = "" } = decodeProtectedHeader(token);
      const issuer = `${decodeJwt(token).iss}`.replace(/\/?$/, "/");
      const name = nameOf(issuer, kid);
      if (!kept.has(name)) {
        const own = issuer === `${as.issuer}/` ? `${issuer}oauth2/jwks` : `${issuer}.well-known/jwks.json`;
        kept.set(name, (await loadFrom(as, own)).keys.find((key) => key.kid === kid));
      }
      const key = await importJWK(kept.get(name)!, alg);
      await jwtVerify(token, key, { algorithms: [alg], issuer: as.issuer });
    });
    assertEquals(outcomes, { two_issuers_one_kid: what === "by both apart" ? "noticed" : "fooled" });
  });
}

it("examineApi: an API that asks no other issuer for keys cannot mix up any, so that its refusal says nothing", async (as) => {
  for (const [isFooled, outcome] of [[false, "not_applicable"], [true, "fooled"]] as const) {
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.two_issuers_one_kid"],
      async call(token) {
        const key = (await loadFrom(as)).keys.find(({ kid }) => kid === decodeProtectedHeader(token).kid);
        return new Response(null, { status: isFooled || key !== undefined ? 200 : 401 });
      },
    });
    assertEquals(row!.outcome, outcome);
    if (!isFooled) {
      assertEquals(
        row!.because,
        "The API loads the keys of one issuer only, so it cannot mix them up.",
      );
    }
  }
});

it("examineApi: an API that keeps the keys of the other issuer from a first variant is still judged", async (as) => {
  let asked = 0;
  const outcomes = await examine(as, ["access_token.two_issuers_one_kid"], async (token) => {
    const iss = `${decodeJwt(token).iss}`;
    if (iss !== as.issuer && asked === 0) {
      asked = (await loadFrom(as, `${iss}/.well-known/jwks.json`)).keys.length;
    }
    return iss === as.issuer &&
      (await loadFrom(as)).keys.some(({ kid }) => kid === decodeProtectedHeader(token).kid);
  });
  assertEquals([asked > 0, outcomes], [true, { two_issuers_one_kid: "noticed" }]);
});

/** The signature algorithms that a program knows. It leaves out keys with another one. */
const known: Readonly<Record<string, string>> = {
  RS256: "RSA",
  RS512: "RSA",
  PS256: "RSA",
  ES256: "EC",
  ES384: "EC",
  EdDSA: "OKP",
};

for (const alg of ["RS256", "PS256", "ES256", "EdDSA"] as const) {
  for (const compares of [true, false]) {
    test(`examineApi: an API that ${compares ? "compares the alg of a key" : "only leaves out keys of an unknown alg"} (${alg}, RFC 8725 §3.1)`, async () => {
      await using as = await createMock({ alg });
      const cache = createCache(as, { loadsAgain: false, forgets: true });
      const { rows: [row] } = await examineApi({
        as,
        only: ["access_token.key_alg_other"],
        async call(token) {
          const header = decodeProtectedHeader(token);
          const key = await cache.find(header.kid);
          const isTaken = key !== undefined &&
            (compares ? key.alg === header.alg : known[`${key.alg}`] !== undefined);
          if (!isTaken) return new Response(null, { status: 401 });
          await jwtVerify(token, await importJWK({ ...key, alg }, alg), { algorithms: [alg] });
          return new Response();
        },
      });
      const { outcome, variant } = row!;
      assertEquals(
        [outcome, variant],
        compares ? ["noticed", undefined] : ["fooled", "for_signatures"],
        row!.because,
      );
    });
  }
}

const isHmacOf = (token: string, secret: string | Uint8Array, bits = 256) => {
  const at = token.lastIndexOf(".");
  const made = createHmac(`sha${bits}`, secret).update(token.slice(0, at)).digest("base64url");
  return decodeProtectedHeader(token).alg === `HS${bits}` && made === token.slice(at + 1);
};

const exported = (jwk: JWK, format: "pem" | "der") =>
  createPublicKey({ key: { ...jwk } as never, format: "jwk" }).export({ type: "spki", format } as never);

/** What a program takes as a secret if a key has no `alg`. */
const secrets: Readonly<Record<string, (jwk: JWK) => string | Uint8Array>> = {
  empty: () => "",
  spki_pem: (jwk) => `${exported(jwk, "pem")}`,
  spki_pem_trimmed: (jwk) => `${exported(jwk, "pem")}`.trim(),
  spki_der: (jwk) => Uint8Array.from(exported(jwk, "der") as unknown as Uint8Array),
  jwk: (jwk) => JSON.stringify(jwk),
  modulus_octets: (jwk) =>
    jwk.kty === "EC"
      ? Uint8Array.from(exported(jwk, "der") as unknown as Uint8Array).slice(-65)
      : Uint8Array.from(atob(`${jwk.n ?? jwk.x}`.replaceAll("-", "+").replaceAll("_", "/")), (each) =>
        each.charCodeAt(0)),
};

const withoutAlg = [
  "access_token.hs256_alg_unpublished",
  "access_token.hs256_alg_unpublished_other_type",
] as const;

for (const alg of ["RS256", "ES256", "EdDSA"] as const) {
  test(`examineApi: an API that takes a key without alg as the secret of an HMAC is fooled (${alg}, CVE-2026-44699)`, async () => {
    const cases = [
      ...Object.keys(secrets).map((form) => [form, 256] as const),
      ...[384, 512].map((bits) => ["jwk", bits] as const),
    ];
    for (const [form, bits] of cases) {
      await using as = await createMock({ alg });
      const cache = createCache(as, { loadsAgain: true, forgets: true });
      const verify: Verify = async (token) => {
        const header = decodeProtectedHeader(token);
        const key = await cache.find(header.kid);
        if (key === undefined) return false;
        // It lets the token choose only if the key has no alg.
        if ((key.alg ?? header.alg) === `HS${bits}`) return isHmacOf(token, secrets[form]!(key), bits);
        return await jwtVerify(token, await importJWK(key, alg), { algorithms: [alg] });
      };
      const outcomes = await examine(as, withoutAlg, verify);
      const expected = { hs256_alg_unpublished: "fooled", hs256_alg_unpublished_other_type: "fooled" };
      assertEquals([form, bits, outcomes], [form, bits, expected]);
    }
  });
}

it("examineApi: an API that has kept a key without alg since an earlier examination is fooled again", async (as) => {
  const cache = createCache(as, { loadsAgain: true, forgets: false });
  const verify: Verify = async (token) => {
    const { kid, alg } = decodeProtectedHeader(token);
    const key = await cache.find(kid);
    return alg === "HS256" && key?.alg === undefined ? isHmacOf(token, "") : await verifyWith(token, key);
  };
  for (let time = 1; time <= 2; time++) {
    const outcomes = await examine(as, ["access_token.hs256_alg_unpublished"], verify);
    assertEquals([time, outcomes], [time, { hs256_alg_unpublished: "fooled" }]);
  }
});

it("examineApi: an API that chooses the algorithm before it loads a key has seen the key without alg (RFC 7517 §4.4)", async (as) => {
  const cache = createCache(as, { loadsAgain: true, forgets: true });
  const accepted = new Set<string | undefined>();
  const outcomes = await examine(as, withoutAlg, async (token) => {
    const header = decodeProtectedHeader(token);
    if (header.alg !== alg) return false;
    const key = await cache.find(header.kid);
    await verifyWith(token, key);
    accepted.add(key?.alg);
  });
  assertEquals(outcomes, { hs256_alg_unpublished: "noticed", hs256_alg_unpublished_other_type: "noticed" });
  assertEquals([...accepted], [alg, undefined]);
});

it("examineApi: an API that loads the keys once is judged by a key without alg of another type only", async (as) => {
  const cache = createCache(as, { loadsAgain: false, forgets: true });
  const outcomes = await examine(
    as,
    [...withoutAlg, "access_token.kid_missing"],
    async (token) => {
      const { kid } = decodeProtectedHeader(token);
      if (kid === undefined) return await jwtVerify(token, createLocalJWKSet(await loadFrom(as)));
      return await verifyWith(token, await cache.find(kid));
    },
  );
  assertEquals(outcomes, {
    hs256_alg_unpublished: "unknown",
    hs256_alg_unpublished_other_type: "noticed",
    // jose refuses a token without kid if two keys fit.
    kid_missing: "tolerated",
  });
});

/** What a careless look-up of a kid finds. */
const lookUps: Readonly<Record<string, (kid: string) => string>> = {
  file_empty: (kid) => Deno.readTextFileSync(`/etc/keys/${kid}`.replace(/^.*(\/dev\/null)$/, "$1")),
  query: (kid) => /^(\w+)' UNION SELECT '(\w+)$/.exec(kid)?.[2] ?? raise(),
  // Deno has no `__proto__`.
  prototype: (kid) => kid === "__proto__" ? `${Object.prototype}` : raise(),
  constructor: (kid: string) => kid === "constructor" ? `${{}[kid]}` : raise(),
  empty: (kid) => kid === "" ? "" : raise(),
  long: (kid) => kid.length > 1000 ? "" : raise(),
  file_known: (kid) => kid.endsWith("/proc/sys/kernel/randomize_va_space") ? "2\n" : raise(),
};

function raise(): never {
  throw new Error("no such key");
}

it("examineApi: each odd kid finds what a careless look-up makes of it (CVE-2025-65945)", async (as) => {
  assertEquals(Object.keys(lookUps), [...listVariants("access_token.kid_odd")]);
  for (const [variant, lookUp] of Object.entries(lookUps)) {
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.kid_odd"],
      call: (token) => {
        const { alg, kid = "" } = decodeProtectedHeader(token);
        if (alg !== "HS256") return new Response("ok");
        try {
          return new Response(null, { status: isHmacOf(token, lookUp(kid)) ? 200 : 401 });
        } catch {
          return new Response(null, { status: 401 });
        }
      },
    });
    assertEquals(row!.outcome, "fooled", variant);
    if (variant !== "file_empty") assertStringIncludes(row!.because, `With the variant ${variant}:`);
  }
});

it("examineApi: an API that fails at an odd kid has broken, and one that refuses HS256 by failing is not judged", async (as) => {
  for (const [variant, odd] of [["prototype", "__proto__"], ["query", "x' UNION SELECT 'x"]] as const) {
    const { rows } = await examineApi({
      as,
      only: ["access_token.kid_odd", "access_token.kid_unusual"],
      call: (token) => {
        const { alg, kid } = decodeProtectedHeader(token);
        const isUsual = kid?.length === 43;
        return new Response(null, { status: alg === "HS256" || kid === odd ? 500 : isUsual ? 200 : 401 });
      },
    });
    assertEquals(rows.map(({ outcome }) => outcome), ["unknown", "broke"]);
    assertStringIncludes(rows[1]!.because, `With the variant ${variant}: The API answered 500.`);
  }
});

/** The longest header that the server of an API takes, how it refuses a longer one, and what becomes of a token of many dots. */
const lengths: Readonly<
  Record<
    string,
    { most?: number; longer?: number; challenge?: string; dots?: number; outcome: string; variant?: string }
  >
> = {
  "refuses each": { outcome: "noticed" },
  "takes each": { dots: 200, outcome: "fooled" },
  "fails at each": { dots: 500, outcome: "broke" },
  "refuses each with another status": { dots: 413, outcome: "unknown" },
  "has a server that takes the length of a million": { most: 1e6, longer: 400, outcome: "noticed" },
  "has a server that takes a little less": {
    most: 1e6 - 10,
    longer: 400,
    outcome: "not_reached",
    variant: "dots_1m",
  },
  "takes each, in a server that takes a short one": { most: 1e5, longer: 400, dots: 200, outcome: "fooled" },
  "has a server that answers 400": { most: 8000, longer: 400, outcome: "not_reached" },
  "limits the length of a token": {
    most: 8000,
    longer: 401,
    challenge: 'Bearer error="invalid_token"',
    outcome: "noticed",
  },
  "has a server that drops the header": {
    most: 8000,
    longer: 401,
    challenge: "Bearer",
    outcome: "not_reached",
  },
  "has a server that answers 413": { most: 8000, longer: 413, outcome: "not_reached" },
  "has a server that answers 500": { most: 8000, longer: 500, outcome: "not_reached" },
  "has a server that ends the connection": { most: 8000, outcome: "not_reached" },
};

for (
  const [what, { most = Infinity, longer, challenge, dots = 401, outcome, variant }] of Object.entries(
    lengths,
  )
) {
  it(`examineApi: the dots of a token are many for an API that ${what}`, async (as) => {
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.huge"],
      claims: { team: "blue" },
      call(token) {
        if (token.length > most) {
          if (longer === undefined) throw new TypeError("the connection was reset");
          const headers = challenge === undefined ? {} : { "www-authenticate": challenge };
          return new Response(null, { status: longer, headers });
        }
        const isRight = !token.startsWith(".") && decodeJwt(token)["team"] === "blue";
        return new Response(null, { status: isRight ? 200 : dots });
      },
    });
    assertEquals([row!.outcome, variant], [outcome, variant && row!.variant], row!.because);
  });
}

it("examineApi: an API that answers no token of many dots hangs, and one that answers no long token is not reached", async (as) => {
  for (
    const [isLate, outcome] of [[(token: string) => token.startsWith("."), "hung"], [
      (token: string) => token.length > 8000,
      "not_reached",
    ]] as const
  ) {
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.huge"],
      within: 0.5,
      call: (token) => isLate(token) ? new Promise(() => {}) : new Response("ok"),
    });
    assertEquals(row!.outcome, outcome, row!.because);
  }
});

it("examineApi: an API that ends at a token of many dots has broken", async (as) => {
  let isDown = false;
  const { rows: [row] } = await examineApi({
    as,
    only: ["access_token.huge"],
    call(token) {
      isDown ||= token.startsWith(".");
      if (isDown) throw new TypeError("connection refused");
      return new Response("ok");
    },
  });
  assertEquals(row!.outcome, "broke", row!.because);
});

it("examineApi: an API that trusts an embedded key by its kid is fooled (CVE-2025-24976)", async (as) => {
  const { keys: [key] } = await loadFrom(as);
  const outcomes = await examine(as, ["access_token.key_embedded"], async (token) => {
    const { jwk = key!, kid } = decodeProtectedHeader(token);
    assert(kid === key!.kid && jwk.kid === key!.kid, "the key is unknown");
    await jwtVerify(token, await importJWK(jwk, alg), { algorithms: [alg] });
  });
  assertEquals(outcomes, { key_embedded: "fooled" });
});

/** What an API does that cannot load the keys of a token. */
const withoutKeys: Readonly<Record<string, readonly [status: number | undefined, outcome: string]>> = {
  "refuses it": [401, "noticed"],
  "says that it cannot know": [503, "unknown"],
  "takes it": [200, "fooled"],
  "does not ask for them": [undefined, "unknown"],
};

for (const [what, [status, outcome]] of Object.entries(withoutKeys)) {
  it(`examineApi: an API that cannot load the keys of a token, and ${what} (RFC 9068 §4)`, async (as) => {
    const before = await loadFrom(as);
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.keys_unavailable"],
      call: async (token) => {
        const { kid } = decodeProtectedHeader(token);
        if (before.keys.some((key) => key.kid === kid)) return new Response("ok");
        if (status === undefined) return new Response(null, { status: 401 });
        const answer = await as.fetch(`${as.issuer}/oauth2/jwks`);
        await answer.body?.cancel();
        return new Response(null, { status: answer.ok ? 401 : status });
      },
    });
    assertEquals([row!.level, row!.outcome], ["must", outcome], row!.because);
    assertEquals(await loadFrom(as), before);
  });
}

/** Which key of the header an API takes, and when. A right one takes none. */
const embedded: Readonly<
  Record<string, readonly [name: ForgeryName, find: (header: Header, known: boolean) => unknown]>
> = {
  "takes the key in the header if its own keys have not the kid": [
    "access_token.key_embedded",
    ({ jwk, kid }, known) => kid === undefined || known ? undefined : jwk,
  ],
  "takes the key in the header if the kid is its thumbprint": [
    "access_token.key_embedded",
    async ({ jwk, kid }) => jwk !== undefined && await calculateJwkThumbprint(jwk) === kid ? jwk : undefined,
  ],
  "takes the certificate in the header if its own keys have not the kid": [
    "access_token.certificate_embedded",
    ({ x5c, kid }, known) => kid === undefined || known ? undefined : x5c?.[0],
  ],
};

type Header = ReturnType<typeof decodeProtectedHeader>;

for (const [how, [name, find]] of Object.entries(embedded)) {
  for (const isCareless of [true, false]) {
    it(`examineApi: an API that ${isCareless ? "" : "no longer "}${how} is ${isCareless ? "fooled" : "right"} (RFC 9068 §4)`, async (as) => {
      const { keys } = await loadFrom(as);
      const { rows: [row] } = await examineApi({
        as,
        only: [name],
        call: async (token) => {
          const header = decodeProtectedHeader(token);
          const known = keys.find(({ kid }) => kid === header.kid);
          const other = isCareless ? await find(header, known !== undefined) : undefined;
          const key = other === undefined
            ? known && await importJWK(known, alg)
            : typeof other === "string"
            ? new X509Certificate(Buffer.from(other, "base64")).publicKey
            : await importJWK(other as JWK, alg);
          const isRight = key !== undefined && await jwtVerify(token, key).then(() => true, () => false);
          return new Response(null, { status: isRight ? 200 : 401 });
        },
      });
      const expected = isCareless ? ["fooled", "kid_own"] : ["noticed", undefined];
      assertEquals([row!.level, row!.outcome, row!.variant], ["must", ...expected], row!.because);
    });
  }
}

/** How an API that loads the keys from the URL in a token compares it with that of its server. */
const allowedUrls: Readonly<Record<string, readonly [(url: string, issuer: string) => boolean, boolean]>> = {
  "begins with the issuer": [(url, issuer) => url.startsWith(issuer), true],
  "contains the issuer": [(url, issuer) => url.includes(`${issuer}/`), true],
  "has a host that ends with the right one": [
    (url, issuer) => new URL(url).host.endsWith(new URL(issuer).host),
    true,
  ],
  "matches the issuer as a regular expression": [(url, issuer) => new RegExp(`^${issuer}/`).test(url), true],
  "has the origin of the issuer": [(url, issuer) => new URL(url).origin === new URL(issuer).origin, false],
};

for (const name of ["jku", "x5u"] as const) {
  for (const [how, [isAllowed, isFooled]] of Object.entries(allowedUrls)) {
    it(`examineApi: an API is ${isFooled ? "fooled" : "right"} that follows a ${name} which ${how} (RFC 8725 §3.10)`, async (as) => {
      const outcomes = await examine(as, ["access_token.key_by_url"], async (token) => {
        const { [name]: url } = decodeProtectedHeader(token);
        const isFollowed = url !== undefined && isAllowed(url, as.issuer);
        if (url !== undefined && !isFollowed) return false;
        const key = url === undefined
          ? await createCache(as, { loadsAgain: true, forgets: true }).find(decodeProtectedHeader(token).kid)
          : (await as.fetch(url), undefined);
        return key !== undefined && await verifyWith(token, key);
      });
      assertEquals(outcomes, { key_by_url: isFooled ? "fooled" : "noticed" });
    });
  }
}

it("examineApi: an API that loads the keys from a kid that is a URL is fooled (RFC 8725 §3.10)", async (as) => {
  const { rows: [row] } = await examineApi({
    as,
    only: ["access_token.key_by_url"],
    async call(token) {
      const { kid = "", jku, x5u } = decodeProtectedHeader(token);
      if (jku !== undefined || x5u !== undefined) return new Response(null, { status: 401 });
      if (!URL.canParse(kid)) return new Response("ok");
      await as.fetch(kid);
      return new Response(null, { status: 401 });
    },
  });
  assertEquals(row!.outcome, "fooled");
  assertStringIncludes(
    row!.because,
    "With the variant kid: The API called the URL in the header: GET /jwks.",
  );
});
