/** `examineApi`: each faulty token and proof tells APIs apart: one that checks, one that does not, one that startles. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify } from "jose";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { formatBrief } from "../../../src/kit/examine/card/format_brief.ts";
import { createReport } from "../../../src/kit/examine/card/report.ts";
import { type Grade, gradeOf } from "../../../src/kit/examine/card/grade.ts";
import { isTolerance } from "../../../src/kit/faults/misbehaviour.ts";
import {
  type Card,
  createMock,
  examineApi,
  type ExamineApiTerms,
  formatCard,
  type MisbehaviourName,
  misbehaviourNames,
  type Mock,
  type RefusedBy,
} from "../../../src/kit/mod.ts";
import { present } from "../../../src/ground/values/present.ts";
import { test } from "../../runner.ts";
import { testUsing } from "../../test_in.ts";
import { createApi } from "./apis/api.ts";
import { answerObediently, type ObeyingApiOptions } from "./apis/obeying_api.ts";
import { brittle, type Habits, naive, quick, quickAlg } from "./clients/habits.ts";

const url = "https://api.test/orders";

const alg = quickAlg;

const it = testUsing(() => createMock({ alg }));

const apiMisbehaviours = misbehaviourNames.filter((name) => catalogue.get(name)!.api !== undefined);

/** How the API and its clients prove keys. */
type Binding = "dpop" | "certificate";

const bindingOf = (name: MisbehaviourName): Binding =>
  name.startsWith("certificate.") ? "certificate" : "dpop";

const accepts = (name: MisbehaviourName) => isTolerance(catalogue.get(name)!.level);

/** Examines an API with these habits. */
async function examine(habits: Habits, binding: Binding): Promise<Card> {
  await using as = await createMock({
    alg,
    mtls: {},
    clients: [
      { client_id: "app", redirect_uris: ["https://app.test/callback"] },
    ],
  });
  const api = createApi({
    habits: { ...habits, algs: [alg] },
    fetch: as.fetch,
    issuer: as.issuer,
    jwksUri: `${as.issuer}/oauth2/jwks`,
    ...{ audience: url, scope: "orders" },
  });
  return await examineApi({
    as,
    call: (token, proof, certificate) => api(createRequest(token, proof), certificate?.cert),
    only: habits === quick
      ? [...needless, ...unseen]
      : apiMisbehaviours.filter((name) => bindingOf(name) === binding && accepts(name) === habits.checks),
    ...await bindBy(binding, as),
  });
}

type AccessTokens = "jwt" | "opaque";

/** Examines the API of the test kit. */
async function examineKit(binding: Binding, accessTokens: AccessTokens): Promise<Card> {
  await using as = await createMock({ alg, mtls: {}, accessTokens });
  const dpop = binding === "dpop" ? { required: true, nonces: "rotating" } as const : {};
  const protect = as.protect({ scope: "orders", acr: "mfa", maxAge: "1h", audience: url, dpop });
  return await examineApi({
    as,
    call: async (token, proof, certificate) => {
      const request = createRequest(token, proof);
      const answer = await protect(request, certificate === undefined ? {} : { certificate });
      return answer instanceof Response ? answer : Response.json(answer);
    },
    // The faults of a token are the same with a certificate.
    ...(binding === "dpop" ? {} : { only: ["certificate", "proof"] }),
    ...await bindBy(binding, as),
  });
}

const bindBy = async (binding: Binding, as: Mock) => ({
  ...{ scope: "orders", audience: url, claims: { acr: "mfa", auth_time: Math.floor(Date.now() / 1000) } },
  ...(binding === "dpop" ? { dpop: { url } } : { certificate: await as.certificate("app") }),
});

function createRequest(token: string, proof: string | undefined): Request {
  return new Request(url, {
    headers: proof === undefined
      ? { authorization: `Bearer ${token}` }
      : { authorization: `DPoP ${token}`, dpop: proof },
  });
}

/** The API of the test kit knows the keys of its server, and their clocks are one, so it needs no tolerance here. */
const needless: readonly MisbehaviourName[] = ["access_token.kid_missing", "access_token.valid_in_a_moment"];

/** A published key signs these tokens, and says that it is for something else. */
const misused: readonly MisbehaviourName[] = [
  "access_token.key_alg_other",
  "access_token.key_operations_other",
  "access_token.key_use_enc",
];

/** The API of the test kit never loads the published keys, so it cannot show what it makes of them. */
const unseen: readonly MisbehaviourName[] = [
  ...misused,
  "access_token.hs256_alg_unpublished",
  "access_token.hs256_alg_unpublished_other_type",
  "access_token.key_replaced",
  "access_token.key_withdrawn",
  "access_token.keys_unavailable",
];

/** These APIs have one issuer. */
const ofSeveralIssuers: MisbehaviourName = "access_token.two_issuers_one_kid";

/** The answers of these APIs have the id of the token. `api_people_test.ts` has APIs that answer to people. */
const ofPeople: MisbehaviourName = "access_token.subject_similar";

/** For an API that checks no time, no token ends. `after_use_test.ts` has APIs that remember what they have accepted. */
const endingLate: MisbehaviourName = "access_token.expired_after_use";

const cards = new Map<string, Promise<Card>>();

/** Makes a card once for all tests. */
function share(name: string, make: () => Promise<Card>): Promise<Card> {
  const card = cards.get(name) ?? make();
  cards.set(name, card);
  return card;
}

const cardOfKit = (binding: Binding, accessTokens: AccessTokens) =>
  share(`kit, ${binding}, ${accessTokens}`, () => examineKit(binding, accessTokens));

for (const name of apiMisbehaviours) {
  test(`examineApi: ${name} tells the APIs apart`, async () => {
    const find = ({ rows }: Card) => rows.find((row) => row.name === name)!;
    const binding = bindingOf(name);
    const right = find(
      needless.includes(name) || unseen.includes(name)
        ? await share(`careful, ${binding}`, () => examine(quick, binding))
        : await cardOfKit(binding, "jwt"),
    );
    const refused = name === ofSeveralIssuers || name === ofPeople ? "not_applicable" : "noticed";
    assertEquals(right.outcome, accepts(name) ? "tolerated" : refused, right.because);
    const wrong = find(
      accepts(name)
        ? await share(`brittle, ${binding}`, () => examine(brittle, binding))
        : await share(`naive, ${binding}`, () => examine(naive, binding)),
    );
    const taken = name === endingLate || name === ofPeople ? "not_applicable" : "fooled";
    assertEquals(wrong.outcome, accepts(name) ? "broke" : taken, wrong.because);
  });
}

for (const binding of ["dpop", "certificate"] as const) {
  for (const accessTokens of ["jwt", "opaque"] as const) {
    test(`examineApi: the API of the test kit refuses every fault, with a challenge (${binding}, ${accessTokens})`, async () => {
      const { rows } = await cardOfKit(binding, accessTokens);
      const others = binding === "dpop" ? "certificate" : "proof";
      for (const { name, area, level, outcome, because, advised } of rows) {
        const isReached = area !== others && (accessTokens === "jwt" || because !== onlyJwt) &&
          name !== ofSeveralIssuers && name !== ofPeople;
        const expected = unseen.includes(name)
          ? "unknown"
          : isTolerance(level)
          ? needless.includes(name) ? "broke" : "tolerated"
          : "noticed";
        assertEquals([name, outcome], [name, isReached ? expected : "not_applicable"], because);
        const isJudged = isReached && !isTolerance(level) && !unseen.includes(name);
        assert(!isJudged || because.includes("with the challenge"), because);
        assertEquals(advised, undefined, because);
      }
    });
  }
}

const onlyJwt = "The access tokens are opaque (accessTokens), and this fault is in a part of a JWT.";

test("examineApi: a certain sign-in is for an API that needs the claim (RFC 9470 §3)", async () => {
  await using as = await createMock({ alg });
  const only = ["access_token.acr_weak", "access_token.auth_time_old"] as const;
  const outcomes = async (claims: Readonly<Record<string, unknown>>) => {
    const { rows } = await examineApi({ as, only, claims, call: () => Response.json({}) });
    return rows.map(({ outcome, because }) => [outcome, because]);
  };
  const passedWith = (variant: string) => ["fooled", `With the variant ${variant}: The API answered 200.`];
  const without = (claim: string) => [
    "not_applicable",
    `The API is examined without ${claim} among the claims that it needs.`,
  ];
  assertEquals(await outcomes({ acr: "mfa" }), [passedWith("another"), without("auth_time")]);
  assertEquals(await outcomes({ auth_time: 0 }), [without("acr"), passedWith("long_ago")]);
  const { verdict } = await as.forge("access_token.acr_weak");
  assertEquals([verdict.status, verdict.error, verdict.seenBy], [
    401,
    "insufficient_user_authentication",
    "authentication",
  ]);
});

type Claims = Readonly<Record<string, unknown>>;
const recently = Math.floor(Date.now() / 1000);

/** A check of the claims, and the row and the variant that find it. */
const claimChecks: Readonly<
  Record<string, readonly [isRight: (claims: Claims) => boolean, name: MisbehaviourName, variant?: string]>
> = {
  "the acr": [({ acr }) => acr === "mfa", "access_token.acr_weak"],
  "a part of the acr": [({ acr }) => `${acr}`.includes("mfa"), "access_token.acr_weak", "suffix"],
  "the end of the acr": [({ acr }) => `${acr}`.endsWith("mfa"), "access_token.acr_weak", "prefix"],
  "an acr in any letters": [
    ({ acr }) => `${acr}`.toLowerCase() === "mfa",
    "access_token.acr_weak",
    "capitals",
  ],
  "an acr if there is one": [({ acr = "mfa" }) => acr === "mfa", "access_token.acr_weak", "absent"],
  "the auth_time": [({ auth_time: time }) => Number(time) >= recently, "access_token.auth_time_old"],
  "an auth_time if there is one": [
    ({ auth_time: time = recently }) => Number(time) >= recently,
    "access_token.auth_time_old",
    "absent",
  ],
  "the aud": [({ aud }) => aud === url, "access_token.audience_wrong"],
  "the aud or the client of the token": [
    ({ aud, client_id: client }) => aud === url || aud === client,
    "access_token.audience_wrong",
    "client",
  ],
  // The client of the test may be the API, too.
  "an aud that is its own client": [
    ({ aud }) => aud === url || aud === "app",
    "access_token.audience_wrong",
  ],
};

for (const [what, [isRight, name, variant]] of Object.entries(claimChecks)) {
  it(`examineApi: an API that checks ${what} is ${variant ? "fooled" : "right"} (${name})`, async (as) => {
    const { rows: [row] } = await examineApi({
      as,
      only: [name],
      audience: url,
      claims: { acr: "mfa", auth_time: recently },
      call: (token) => new Response(null, { status: isRight(decodeJwt(token)) ? 200 : 401 }),
    });
    assertEquals([row!.outcome, row!.variant], [variant ? "fooled" : "noticed", variant], row!.because);
  });
}

it("examineApi: a token for the issuer is one for another API, unless the issuer is its name (RFC 9068 §4)", async (as) => {
  const outcomesOf = async (audience: string, names: readonly string[]) => {
    const { rows: [row] } = await examineApi({
      as,
      audience,
      only: ["access_token.audience_issuer"],
      call: (token) => new Response(null, { status: names.includes(`${decodeJwt(token).aud}`) ? 200 : 401 }),
    });
    return [row!.level, row!.outcome];
  };
  assertEquals(await outcomesOf(url, [url]), ["hardening", "noticed"]);
  assertEquals(await outcomesOf(url, [url, as.issuer]), ["hardening", "fooled"]);
  assertEquals(await outcomesOf(as.issuer, [as.issuer]), ["hardening", "not_applicable"]);
});

test("examineApi: without an audience, the tokens are for the only API of the server", async () => {
  await using as = await createMock({ alg, resources: [url] });
  const api = as.resource(url);
  const call = (token: string) => api.fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { problem, rows } = await examineApi({ as, only: ["access_token.audience_wrong"], call });
  assertEquals([problem, rows[0]!.outcome], [undefined, "noticed"]);
});

it("examineApi: a fault about a token without a key presents one (RFC 9449 §6)", async (as) => {
  const hasUnbound = async (only: MisbehaviourName) => {
    const bound: boolean[] = [];
    const call = (token: string, proof?: string) => {
      bound.push("cnf" in decodeJwt(token));
      return new Response(null, { status: proof === undefined ? 401 : 200 });
    };
    await examineApi({ as, call, dpop: { url }, only: [only] });
    return bound.includes(false);
  };
  assertEquals(await hasUnbound("proof.token_unbound"), true);
  assertEquals(await hasUnbound("proof.unbound_as_bearer"), true);
  assertEquals(await hasUnbound("proof.key_missing"), false);
});

it("examineApi: a proof is sent again only with a nonce that is new (RFC 9449 §9)", async (as) => {
  for (const [nonce, sent] of [[undefined, [undefined]], ["n", [undefined, "n"]]] as const) {
    const nonces: unknown[] = [];
    const headers = {
      "www-authenticate": 'DPoP error="use_dpop_nonce"',
      ...present({ "dpop-nonce": nonce }),
    };
    const call = (_token: string, proof = "") => {
      nonces.push(decodeJwt(proof)["nonce"]);
      return new Response(null, { status: 401, headers });
    };
    await assertRejects(
      () => examineApi({ as, call, dpop: { url }, only: ["proof"] }),
      Error,
      "use_dpop_nonce",
    );
    assertEquals(nonces, [...sent]);
  }
});

for (const binding of ["dpop", "certificate"] as const) {
  test(`examineApi: what is wrong with the proof of a key alone leaves the token right otherwise (${binding})`, async () => {
    await using as = await createMock({ alg, mtls: {} });
    const tokens: Claims[] = [];
    const dpop = binding === "dpop" ? { required: true } : {};
    const protect = as.protect({ scope: "orders", audience: url, dpop });
    const call: ExamineApiTerms["call"] = async (token, proof, certificate) => {
      tokens.push(decodeJwt(token));
      const answer = await protect(createRequest(token, proof), present({ certificate }));
      return answer instanceof Response ? answer : Response.json(answer);
    };
    await examineApi({
      ...{ as, call, only: ["proof", "certificate"], username: "bob" },
      ...await bindBy(binding, as),
    });
    assert(tokens.length > 2);
    for (const { sub, aud, scope, acr } of tokens) {
      assertEquals([sub, aud, scope, acr], [tokens[0]!["sub"], url, "orders", "mfa"]);
    }
  });
}

test("examineApi: a token is bound to a key or to a certificate", async () => {
  await using as = await createMock({ mtls: {} });
  const certificate = await as.certificate("app");
  const terms = { as, certificate, dpop: { url }, call: () => Response.json({}) };
  await assertRejects(() => examineApi(terms), TypeError, "both dpop and certificate");
  const wrong = { "must be a string, not 5": { thumbprint: 5 }, "is required": { cert: "" } };
  for (const [message, certificate] of Object.entries(wrong)) {
    const given = { as, call: terms.call, certificate: certificate as never };
    await assertRejects(() => examineApi(given), TypeError, `certificate.thumbprint ${message}`);
  }
  const noCall = "expected a function as call, which sends a token to the API";
  await assertRejects(() => examineApi({ as, call: "/orders" as never }), TypeError, noCall);
});

test("examineApi: the token of a certificate is shown with it, with none, and with another one (RFC 8705 §3)", async () => {
  await using as = await createMock({ mtls: {} });
  const certificate = await as.certificate("app");
  const calls: string[] = [];
  const terms = {
    as,
    only: ["certificate"],
    call(_token: string, _proof?: string, shown?: { readonly cert: string }) {
      calls.push(shown === undefined ? "none" : shown.cert === certificate.cert ? "right" : "other");
      return new Response(null, { status: calls.at(-1) === "right" ? 200 : 401 });
    },
  } as const;
  await examineApi({ ...terms, certificate });
  assertEquals(calls, ["right", "none", "other", "right", "other", "other", "right"]);
  const { rows } = await examineApi({ ...terms, call: () => Response.json({}) });
  assertEquals(rows.map(({ outcome }) => outcome), ["not_applicable", "not_applicable"]);
});

const ways: Readonly<Record<string, (as: Mock) => Promise<ObeyingApiOptions["load"]>>> = {
  // deno-lint-ignore require-await -- the others wait
  "as.fetch": async (as) => as.fetch,
  // deno-lint-ignore require-await -- the others wait
  "an intercepted fetch": async (as) => (as.intercept(), fetch),
  async "a port"(as) {
    await as.listen();
    return fetch;
  },
};

for (const [way, open] of Object.entries(ways)) {
  it(`examineApi: an API that loads a key from the URL in a token is fooled, whatever it answers, over ${way} (RFC 8725 §3.10)`, async (as) => {
    const load = await open(as);
    for (const status of [200, 401, 500]) {
      const { rows: [row] } = await examineApi({
        as,
        call: async (token) =>
          new Response(null, {
            status: await answerObediently(token, { load, issuer: as.issuer, status, alg }),
          }),
        only: ["access_token.key_by_url"],
      });
      assertEquals(row!.outcome, "fooled", row!.because);
      assertMatch(
        row!.because,
        new RegExp(`^With the variant jku: The API called .*/jwks\\. The API answered ${status}\\.`),
      );
      assertEquals(row!.requests.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`), [
        "GET jwks",
      ]);
    }
  });
}

it("examineApi: an API that breaks after it has loaded the key from the URL in a token is fooled, too", async (as) => {
  let isBroken = false;
  const { rows: [row] } = await examineApi({
    as,
    call: async (token) => {
      if (isBroken) return new Response(null, { status: 401 });
      const status = await answerObediently(token, { load: as.fetch, issuer: as.issuer, status: 202, alg });
      isBroken = status === 202;
      return new Response(null, { status });
    },
    only: ["access_token.key_by_url"],
  });
  assertEquals(row!.outcome, "fooled", row!.because);
});

const otherError = {
  mend: "Refuses some requests with another error than the standards recommend",
  remedy: /A correct API also answers with the right status and error \(RFC 6750 §3\.1, RFC 9449 §7\.1\)/,
};

const lacking = {
  "WWW-Authenticate": {
    change: (headers: Headers) => headers.delete("www-authenticate"),
    mend: "Refuses some requests without the header WWW-Authenticate",
    remedy: /A correct API also sends the header WWW-Authenticate with the status 401 \(RFC 9110 §15\.5\.2,/,
  },
  "an error": {
    change: (headers: Headers) => headers.set("www-authenticate", 'Bearer realm="api"'),
    ...otherError,
    mend: "Refuses some requests without an error code",
  },
  "the right error": {
    change: (headers: Headers) => headers.set("www-authenticate", 'Bearer error="other"'),
    ...otherError,
  },
  // It is for a request that cannot be read, and these tokens can be read.
  "the right status, with invalid_request,": {
    change: (headers: Headers) => headers.set("www-authenticate", 'Bearer error="invalid_request"'),
    status: 400,
    ...otherError,
  },
} as const;

for (const [name, { change, mend, remedy, ...other }] of Object.entries(lacking)) {
  it(`examineApi: an API that refuses without ${name} has refused, and each card says what lacks (RFC 6750 §3)`, async (as) => {
    const protect = as.protect({ scope: "orders", audience: url });
    const card = await examineApi({
      as,
      scope: "orders",
      audience: url,
      only: [
        "access_token.alg_none",
        "access_token.issuer_wrong",
        "access_token.audience_wrong",
        "access_token.expired",
      ],
      call: async (token) => {
        const answer = await protect(createRequest(token, undefined));
        if (!(answer instanceof Response)) return Response.json(answer);
        const headers = new Headers(answer.headers);
        change(headers);
        return new Response(answer.body, { status: answer.status, ...other, headers });
      },
    });
    assertEquals(
      card.rows.map(({ outcome, advised }) => [outcome, advised]),
      Array(4).fill(["noticed", true]),
    );
    const summary = `Nothing failed. 4 ${mend.replace("Refuses some requests", "refused")}, 0 passed.`;
    const text = await formatCard(card, "text");
    assertMatch(text, /\npassed or refused +must .*\naccess_token +4\/4\n/);
    assertMatch(text, remedy);
    const brief = formatBrief(createReport(card));
    assertStringIncludes(brief, `\n  ${mend}: 4 rows (must)\n`);
    for (const form of [text, brief, await formatCard(card, "markdown"), await formatCard(card, "html")]) {
      assertStringIncludes(form, summary);
    }
    assertMatch(
      await formatCard(card, "markdown"),
      /\| passed or refused \| must \|.*\n.*\n\| `access_token` \| 4\/4 \|/,
    );
    assertMatch(await formatCard(card, "html"), /misbehaviours were passed or refused:[^]*>4 of 4<\/td>/);
    const junit = await formatCard(card, "junit");
    assertMatch(junit, /tests="4" failures="0" errors="0" skipped="4"/);
    assertEquals(
      junit.match(/\(The API refused it, and only its answer is not as recommended\.\)/g)?.length,
      4,
    );
  });
}

it("examineApi: an answer that is no refusal counts for nothing", async (as) => {
  const only = ["access_token.expired"] as const;
  const examineWith = async (call: (token: string) => Response | Promise<Response>, within = 60) => {
    const { rows: [row] } = await examineApi({ as, call, only, within });
    return [row!.outcome, row!.because];
  };
  const right = await as.mint();
  const isRight = (token: string) => JSON.parse(atob(token.split(".")[1]!)).exp > Date.now() / 1000;
  assert(isRight(right));
  const ok = new Response("ok").clone.bind(new Response("ok"));
  assertEquals(
    await examineWith((token) => isRight(token) ? ok() : Promise.reject(new TypeError("fetch failed"))),
    ["unknown", "The call failed: TypeError: fetch failed"],
  );
  assertEquals(
    await examineWith((token) => isRight(token) ? ok() : new Promise(() => {}), 0.05),
    ["hung", "With the variant long_ago: The API did not answer within the limit."],
  );
  let wasWrong = false;
  const locks = (token: string) => {
    wasWrong ||= !isRight(token);
    return wasWrong ? new Response(null, { status: 401 }) : ok();
  };
  assertEquals(await examineWith(locks), [
    "unknown",
    "Afterwards the API does not accept the right token: The API answered 401.",
  ]);
});

it("examineApi: an API that accepts a forgery is fooled, even if it refuses the right token from then on", async (as) => {
  const only = ["access_token.expired", "access_token.issuer_missing", "access_token.scope_missing"] as const;
  let isBroken = false;
  const { rows } = await examineApi({
    as,
    only,
    call(token) {
      if (isBroken) return new Response(null, { status: 401 });
      isBroken = !("iss" in JSON.parse(atob(token.split(".")[1]!)));
      return isExpired(token) ? new Response(null, { status: 401 }) : new Response("ok");
    },
  });
  assertEquals(rows.map(({ outcome }) => outcome), ["unknown", "fooled", "unknown"]);
  const broken = "Afterwards the API does not accept the right token: The API answered 401.";
  assertEquals(rows.slice(1).map(({ because }) => because), [`The API answered 200. ${broken}`, broken]);
});

it("examineApi: an API that accepts a forgery is not said to have broken by it, but by a later one", async (as) => {
  let isBroken = false;
  const { rows } = await examineApi({
    as,
    only: ["access_token.issuer_missing", "access_token.subject_missing"],
    call(token) {
      isBroken ||= decodeJwt(token).sub === undefined;
      return new Response(null, { status: isBroken ? 401 : 200 });
    },
  });
  assertEquals(rows.map(({ outcome, because }) => [outcome, because]), [
    ["fooled", "The API answered 200."],
    ["unknown", "Afterwards the API does not accept the right token: The API answered 401."],
  ]);
});

/** How many requests an API refuses after it has seen a token without an issuer, and what its rows say then. */
const pauses: Readonly<Record<number, readonly string[]>> = {
  0: ["noticed", "noticed", "noticed"],
  // Each of the three is sent again between two right tokens. The second one breaks the API again, also for the third.
  2: ["noticed", "unknown", "unknown"],
  1000: ["unknown", "unknown", "unknown"],
};

for (const [refused, outcomes] of Object.entries(pauses)) {
  it(`examineApi: an API that breaks for ${refused} requests is not judged by them`, async (as) => {
    const only = [
      "access_token.expired",
      "access_token.issuer_missing",
      "access_token.subject_missing",
    ] as const;
    let left = 0;
    const { rows } = await examineApi({
      as,
      only,
      call(token) {
        const isBroken = left-- > 0;
        const { iss, sub } = decodeJwt(token);
        if (iss === undefined && !isBroken) left = Number(refused);
        const isRight = !isBroken && !isExpired(token) && iss !== undefined && sub !== undefined;
        return new Response(null, { status: isRight ? 200 : 401 });
      },
    });
    assertEquals(rows.map(({ outcome }) => outcome), outcomes);
  });
}

it("examineApi: an API that hangs at a row has not hung at the rows before", async (as) => {
  let hangs = false;
  const { rows } = await examineApi({
    as,
    within: 0.3,
    only: ["access_token.expired", "access_token.issuer_missing", "access_token.subject_missing"],
    call(token) {
      const { iss, sub } = decodeJwt(token);
      hangs ||= sub === undefined;
      if (hangs) return new Promise(() => {});
      return new Response(null, { status: isExpired(token) || iss === undefined ? 401 : 200 });
    },
  });
  assertEquals(rows.map(({ outcome }) => outcome), ["unknown", "unknown", "hung"]);
});

it("examineApi: at most three refused rows stand between two right tokens", async (as) => {
  const wanted = ["iss", "sub", "exp", "aud", "jti", "iat", "client_id"] as const;
  let calls = "";
  const { rows } = await examineApi({
    as,
    only: [
      "access_token.issuer_missing",
      "access_token.subject_missing",
      "access_token.expiry_missing",
      "access_token.audience_missing",
      "access_token.id_missing",
      "access_token.issued_at_missing",
      "access_token.client_id_missing",
    ],
    call(token) {
      const isRight = wanted.every((claim) => claim in decodeJwt(token));
      calls += isRight ? "right " : "- ";
      return new Response(null, { status: isRight ? 200 : 401 });
    },
  });
  assertEquals(rows.map(({ outcome }) => outcome), wanted.map(() => "noticed"));
  assertEquals(calls, "right - - - right - - - right - right ");
});

/** Rows that an API may not survive, whether it accepts the token or refuses it. */
for (const [name, status] of [["expiry_huge", 200], ["kid_unusual", 401]] as const) {
  it(`examineApi: an API that breaks by ${name} had noticed the row before`, async (as) => {
    const right = await as.mint();
    const { kid } = decodeProtectedHeader(right);
    const farAway = decodeJwt(right).exp! + 1e6;
    let isBroken = false;
    const { rows } = await examineApi({
      as,
      only: ["access_token.expired", `access_token.${name}`],
      call(token) {
        if (isBroken) return new Response(null, { status: 500 });
        if (isExpired(token)) return new Response(null, { status: 401 });
        isBroken = decodeJwt(token).exp! > farAway || decodeProtectedHeader(token).kid !== kid;
        return new Response(null, { status: isBroken ? status : 200 });
      },
    });
    assertEquals(rows.map(({ outcome }) => outcome), ["noticed", "broke"]);
  });
}

const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
const isExpired = (token: string) =>
  isJwt(token) && JSON.parse(atob(token.split(".")[1]!)).exp < Date.now() / 1000;

/** An API that gives this answer to a faulty token, and how its row is graded. */
const answers: Readonly<Record<string, Answered>> = {
  "the right error": { error: "invalid_token", grade: "passed" },
  "another error (RFC 6750 §3.1)": {
    error: "insufficient_scope",
    grade: "advice",
    because: "Expected the error invalid_token.",
  },
  "an error in the description only (RFC 6750 §3)": {
    challenge: 'Bearer error_description="error=invalid_token"',
    grade: "advice",
    because: "Expected the error invalid_token.",
  },
  "another status (RFC 6750 §3.1)": {
    status: 403,
    error: "invalid_token",
    grade: "advice",
    because: "Expected the status 401.",
  },
  "no challenge (RFC 6750 §3)": {
    grade: "advice",
    because: "The answer lacks the header WWW-Authenticate.",
  },
  "one of several challenges": {
    challenge: 'DPoP algs="ES256", Bearer error=invalid_token',
    grade: "passed",
  },
  "a failure": { status: 500, grade: "unjudged" },
  "a failure where it must not fail": { status: 500, only: "access_token.unreadable", grade: "failed" },
  "an answer after which it is down": {
    error: "invalid_token",
    only: "access_token.unreadable",
    isDown: true,
    grade: "failed",
  },
  "a redirect": { status: 302, grade: "unjudged" },
  "a redirect that is declared": { status: 302, refusedBy: "redirect", grade: "passed" },
  "a status that is declared": { status: 404, refusedBy: ["redirect", "status:404"], grade: "passed" },
  "another status than the declared one": { status: 405, refusedBy: "status:404", grade: "unjudged" },
  "a text that is declared": { status: 200, refusedBy: "body:access denied", grade: "passed" },
  "another text than the declared one": { status: 200, refusedBy: "body:not allowed", grade: "failed" },
};

interface Answered extends Pick<ExamineApiTerms, "refusedBy"> {
  readonly status?: number;
  readonly error?: string;
  readonly challenge?: string;
  readonly isDown?: true;
  readonly only?: MisbehaviourName;
  readonly grade: Grade;
  readonly because?: string;
}

for (const [what, { grade, because = "", ...answered }] of Object.entries(answers)) {
  it(`examineApi: ${what} is ${grade}`, async (as) => {
    const { status = 401, error, challenge = error && `Bearer error="${error}"`, isDown, refusedBy } =
      answered;
    let isAttacked = false;
    const { rows: [row] } = await examineApi({
      as,
      only: [answered.only ?? "access_token.expired"],
      ...present({ refusedBy }),
      call(token) {
        const isRight = isJwt(token) && !isExpired(token) && !(isDown && isAttacked);
        isAttacked ||= !isRight;
        const headers: HeadersInit = challenge === undefined ? {} : { "www-authenticate": challenge };
        return isRight ? new Response("ok") : new Response("Sorry: access denied", { status, headers });
      },
    });
    assertEquals(gradeOf(row!), grade, row!.because);
    assert(row!.because.endsWith(because), row!.because);
  });
}

/** The errors in the challenge for a proof of another key, and how the row is graded (RFC 9449 §4.3 (12), §7.1). */
const misfits: Readonly<Record<string, Grade>> = {
  invalid_token: "passed",
  invalid_dpop_proof: "passed",
  invalid_request: "advice",
};

for (const [error, grade] of Object.entries(misfits)) {
  it(`examineApi: ${error} for a proof that does not fit the token is ${grade}`, async (as) => {
    let right: string | undefined;
    const { rows: [row] } = await examineApi({
      as,
      only: ["proof.key_other"],
      dpop: { url },
      call(token, proof = "") {
        const { jwk } = decodeProtectedHeader(proof);
        const { cnf } = decodeJwt(token);
        const both = JSON.stringify([jwk?.x, cnf]);
        right ??= both;
        return both === right
          ? new Response("ok")
          : new Response(null, { status: 401, headers: { "www-authenticate": `DPoP error="${error}"` } });
      },
    });
    assertEquals(gradeOf(row!), grade, row!.because);
  });
}

for (
  const [what, keeps, outcome, because] of [
    ["each time", false, "fooled", "The API loaded the keys 50 times for 50 tokens."],
    ["once", true, "noticed", "The API answered 401. The answer lacks the header WWW-Authenticate."],
  ] as const
) {
  it(`examineApi: an API that loads the keys ${what} for tokens with an unknown kid is ${outcome}`, async (as) => {
    let keys: { readonly keys: readonly { readonly kid: string }[] } | undefined;
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.kid_unknown_many"],
      async call(token) {
        if (!keeps || keys === undefined) keys = await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
        const { kid } = JSON.parse(atob(token.split(".")[0]!));
        return new Response(null, { status: keys!.keys.some((key) => key.kid === kid) ? 200 : 401 });
      },
    });
    assertEquals([row!.outcome, row!.because], [outcome, because]);
  });
}

for (const [what, reads, outcome] of [["obeys", true, "noticed"], ["overlooks", false, "fooled"]] as const) {
  it(`examineApi: an API that ${what} what a published key is for is ${outcome} (RFC 7517 §4.2, §4.3)`, async (as) => {
    const before = await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
    let keys: { readonly keys: JWK[] } | undefined;
    const { rows } = await examineApi({
      as,
      only: [...misused, "access_token.key_other"],
      async call(token) {
        // Once, as most APIs do.
        keys ??= await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
        const { kid } = decodeProtectedHeader(token);
        const { alg: _alg, use: _use, key_ops: _operations, ...key } = keys!.keys.find((each) =>
          each.kid === kid
        )!;
        const options = { algorithms: [alg] };
        const verified = reads
          ? jwtVerify(token, createLocalJWKSet(keys!), options)
          : jwtVerify(token, await importJWK(key, alg), options);
        return new Response(null, { status: await verified.then(() => 200, () => 401) });
      },
    });
    const expected = Object.fromEntries(misused.map((name) => [name, outcome]));
    assertEquals(Object.fromEntries(rows.map((row) => [row.name, row.outcome])), {
      ...expected,
      "access_token.key_other": "noticed",
    });
    // The server publishes them for the examination only.
    assertEquals(await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json(), before);
  });
}

it("examineApi: an API that loaded the keys in an examination that failed needs not load them again", async (as) => {
  let keys: { readonly keys: JWK[] } | undefined;
  const examineAgain = (isReady: boolean) =>
    examineApi({
      as,
      only: misused,
      async call(token) {
        keys ??= await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
        if (!isReady) return new Response(null, { status: 503 });
        const verified = jwtVerify(token, createLocalJWKSet(keys!), { algorithms: [alg] });
        return new Response(null, { status: await verified.then(() => 200, () => 401) });
      },
    });
  await assertRejects(() => examineAgain(false), Error, "does not accept the right token");
  const { rows } = await examineAgain(true);
  assertEquals(rows.map(({ outcome }) => outcome), misused.map(() => "noticed"));
});

it("examineApi: an API that tries every published key is fooled only by tokens that one of them has signed", async (as) => {
  let keys: { readonly keys: readonly JWK[] } | undefined;
  const { rows } = await examineApi({
    as,
    only: ["access_token"],
    async call(token) {
      keys ??= await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
      // It overlooks key_ops.
      const fitting = keys!.keys.filter((key) => key.alg === alg && key.use !== "enc");
      const tries = fitting.map(async ({ key_ops: _operations, ...key }) =>
        await jwtVerify(token, await importJWK(key, alg), { algorithms: [alg] })
      );
      const isAccepted = (await Promise.allSettled(tries)).some(({ status }) => status === "fulfilled");
      return new Response(null, { status: isAccepted ? 200 : 401 });
    },
  });
  const outcomes = new Map(rows.map(({ name, outcome }) => [name, outcome]));
  for (const part of ["key_embedded", "certificate_embedded", "key_by_url", "key_other", "kid_unknown"]) {
    assertEquals([part, outcomes.get(`access_token.${part}` as MisbehaviourName)], [part, "noticed"]);
  }
  assertEquals(outcomes.get("access_token.kid_missing"), "tolerated");
});

it("forge: the key of the token is published if the fault is what it is published for, once and until a reset", async (as) => {
  const load = async () => (await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json()).keys as readonly JWK[];
  const { length: usual } = await load();
  const { token } = await as.forge("access_token.key_use_enc");
  await as.forge("access_token.key_use_enc");
  const { kid } = decodeProtectedHeader(token);
  assertEquals((await load()).filter((key) => key.kid === kid).map(({ use }) => use), ["enc"]);
  await as.reset();
  assertEquals((await load()).length, usual);
});

it("examineApi: what the API is examined without is named once, and not counted", async (as) => {
  const headers = { "www-authenticate": 'Bearer error="invalid_token"' };
  const card = await examineApi({
    as,
    only: ["access_token.expired", "proof", "certificate"],
    call: (token) => isExpired(token) ? new Response(null, { status: 401, headers }) : new Response("ok"),
  });
  const text = await formatCard(card, "text");
  assertMatch(
    text,
    /\n {3}\d\d {2}The API is examined without DPoP, which dpop \(or the flag --dpop\) switches on\./,
  );
  assertMatch(text, /\n {4}2 {2}The API is examined without certificates, which certificate switches on\./);
  assertMatch(text, /\nNothing failed\. 1 passed, \d\d not applicable\.\n$/);
});

it("examineApi: what is declared as a refusal is one of the forms", async (as) => {
  for (const refusedBy of ["redirects", "status:40", "status:4000", "body:", ""]) {
    const wrong = () => examineApi({ as, call: () => Response.json({}), refusedBy: refusedBy as RefusedBy });
    await assertRejects(wrong, TypeError, "expected redirect, status:NUMBER or body:TEXT as refusedBy");
  }
});

it("examineApi: an API that refuses the right token is not examined", async (as) => {
  await assertRejects(
    () => examineApi({ as, call: () => new Response(null, { status: 401 }) }),
    Error,
    "Cannot examine an API, because it does not accept the right token: The API answered 401.",
  );
  await assertRejects(
    () => examineApi({ as, call: () => Response.json({}), only: ["metadata"] }),
    TypeError,
    "no chosen misbehaviour is about APIs",
  );
});

test("misbehave: a faulty proof is no fault of the server", async () => {
  await using as = await createMock();
  assertThrows(() => as.misbehave("proof.old"), TypeError, "use examineApi");
});
