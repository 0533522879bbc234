/** Careless comparisons: each falls for a neighbour of the right value, and a comparison of the whole text for none. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import {
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
} from "jose";
import { attempt } from "../../../src/ground/values/attempt.ts";
import { listVariants } from "../../../src/kit/faults/names.ts";
import {
  type Card,
  createMock,
  examine,
  examineApi,
  type MisbehaviourName,
  type Mock,
} from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { createApi } from "./apis/api.ts";
import { createClient } from "./clients/client.ts";
import { type Comparison, confidentialClient, type Habits, quick, quickAlg } from "./clients/habits.ts";

// In seconds. Nothing here waits so long, not even on a busy machine.
const within = 60;

const url = "https://api.test/orders";

const part = (read: (url: URL) => string): Comparison => (received, expected) => {
  const [one, other] = [received, expected].map((text) => attempt(() => read(new URL(text))));
  return received === expected || one !== undefined && one === other;
};

/** Each with the variants that it takes for the right value: of a name, and besides of a URL. */
const careless: Readonly<
  Record<string, readonly [comparison: Comparison, ofName: readonly string[], ofUrl?: readonly string[]]>
> = {
  "begins with": [
    (received, expected) => received.startsWith(expected),
    ["suffix", "white_space", "line_break"],
    ["slash"],
  ],
  "ends with": [(received, expected) => received.endsWith(expected), ["prefix"]],
  "contains": [
    (received, expected) => received.includes(expected),
    ["suffix", "prefix", "white_space", "line_break"],
    ["slash"],
  ],
  "is contained in": [
    (received, expected) => received !== "" && expected.includes(received),
    ["part", "first_character", "shorter", "scheme", "end"],
  ],
  // One character may be the last one of a random value, too.
  "is the end of": [(received, expected) => received.length > 1 && expected.endsWith(received), ["end"]],
  "ignores capitals": [
    (received, expected) => received.toLowerCase() === expected.toLowerCase(),
    ["capitals"],
  ],
  "trims": [(received, expected) => received.trim() === expected.trim(), ["white_space", "line_break"]],
  "decodes": [
    (received, expected) => (attempt(() => decodeURIComponent(received)) ?? received) === expected,
    ["encoded"],
  ],
  "is a regular expression": [
    (received, expected) => new RegExp(expected).test(received),
    ["suffix", "prefix", "white_space", "line_break"],
    // The host of the other server differs where the issuer has a dot.
    ["another", "similar_host", "slash"],
  ],
  "is an anchored regular expression": [
    (received, expected) => new RegExp(`^${expected}$`).test(received),
    [],
    ["similar_host"],
  ],
  "is a regular expression of a line": [
    (received, expected) => new RegExp(`^${expected}$`, "m").test(received),
    ["line_break"],
    ["similar_host"],
  ],
  "ignores the scheme": [
    (received, expected) => received.replace(/^https?:/, "") === expected.replace(/^https?:/, ""),
    [],
    ["other_scheme"],
  ],
  "ignores the port": [
    (received, expected) => received.replace(/:\d+(?=\/|$)/, "") === expected,
    [],
    ["other_port"],
  ],
  "is a host of the domain": [
    (received, expected) => {
      const [one, other] = [received, expected].map((text) => attempt(() => new URL(text)));
      if (received === expected) return true;
      return one !== undefined && other !== undefined && one.protocol === other.protocol &&
        one.host.endsWith(`.${other.host}`) && one.pathname === other.pathname;
    },
    [],
    ["subdomain"],
  ],
  "has the host": [part(({ host }) => host), [], [
    ...[
      "suffix",
      "prefix",
      "white_space",
      "line_break",
      "capitals",
      "slash",
      "after_question_mark",
      "after_hash",
    ],
  ]],
  "has the scheme, the name of the host and the path": [
    part(({ protocol, hostname, pathname }) => protocol + hostname + pathname),
    [],
    ["other_port", "white_space", "line_break", "capitals", "slash", "after_question_mark", "after_hash"],
  ],
  "has the origin": [part(({ origin }) => origin), [], [
    ...["suffix", "white_space", "line_break", "capitals", "slash", "after_question_mark", "after_hash"],
  ]],
};

const places = {
  url: [
    "metadata.issuer_slash",
    "metadata.issuer_mismatch",
    "authorization_response.iss_slash",
    "authorization_response.iss_wrong",
    "id_token.iss_part",
    "id_token.iss_slash",
    "id_token.iss_wrong",
    "jarm.issuer_other",
    "logout.issuer_wrong",
    "access_token.issuer_part",
    "access_token.issuer_slash",
    "access_token.issuer_wrong",
    "access_token.audience_wrong",
    "introspection.audience_other",
    "resource.description_mismatch",
    "proof.url_wrong",
  ],
  name: [
    "keys.kid_similar",
    "authorization_response.state_changed",
    "authorization_response.state_similar",
    "id_token.aud_wrong",
    "id_token.azp_wrong",
    "id_token.nonce_wrong",
    "userinfo.sub_similar",
    "jarm.audience_other",
    "logout.audience_wrong",
    "token_response.token_type_unknown",
    "access_token.scope_missing",
    "introspection.scope_narrower",
    "introspection.subject_other",
    "refresh.id_token_other_subject",
    "proof.token_hash_wrong",
    "proof.nonce_wrong",
  ],
} as const satisfies Readonly<Record<string, readonly MisbehaviourName[]>>;

const all: readonly MisbehaviourName[] = [...places.url, ...places.name];
/** What becomes of a client that falls for a neighbour, and of one that does not. */
const endsOf = (name: MisbehaviourName) =>
  name === "keys.kid_similar" ? ["broke", "tolerated"] as const : ["fooled", "noticed"] as const;

const isOfApi = (name: MisbehaviourName) => name.startsWith("proof.") || name.startsWith("access_token.");
const isOfState = (name: MisbehaviourName) => name.includes(".state_");

/** The variants of the row for which the comparison falls. */
function findTaken(name: MisbehaviourName, [, ofName, ofUrl = []]: (typeof careless)[string]) {
  const isUrl = places.url.some((each) => each === name);
  const taken = isUrl ? [...ofName, ...ofUrl] : ofName;
  return listVariants(name).filter((variant) => taken.includes(variant));
}

async function examineClient(habits: Habits): Promise<Card["rows"]> {
  const terms = { within, does: ["id_token_auth_time"] as const };
  const client = createClient({ ...habits, follows: true });
  const only = all.filter((name) => !isOfApi(name) && !isOfState(name));
  const others = await examine({ ...terms, client, only, options: { alg: quickAlg } });
  // PKCE and a nonce would protect the login, too.
  const ofState = await examine({
    ...terms,
    client: createClient({ ...habits, guards: [] }),
    only: all.filter(isOfState),
    options: { alg: quickAlg, clients: [confidentialClient] },
  });
  return [...others.rows, ...ofState.rows];
}

async function examineOwnApi(habits: Habits): Promise<Card["rows"]> {
  await using as = await createMock({ alg: quickAlg });
  const { fetch, issuer } = as;
  const terms = { habits, fetch, issuer, jwksUri: `${issuer}/oauth2/jwks`, audience: url, scope: "orders" };
  const ofTokens = createApi(terms);
  const call = async (token: string, proof?: string) => {
    const refusal = proof === undefined ? undefined : checkProof(token, proof, habits);
    if (refusal !== undefined) return refusal;
    return await ofTokens(new Request(url, { headers: { authorization: `Bearer ${token}` } }));
  };
  const { rows } = await examineApi({
    ...{ as, call, scope: "orders", audience: url, dpop: { url }, within },
    only: all.filter(isOfApi),
  });
  return rows;
}

const nonce = "A-Nonce-of-the-API";

/** Compares the URL, the hash of the token and the nonce only (RFC 9449 §4.3). */
function checkProof(token: string, proof: string, { compares }: Habits): Response | undefined {
  const claims = decodeJwt(proof);
  const isSame = compares ?? ((received, expected) => received === expected);
  const refuse = (error: string) =>
    new Response(null, {
      status: 401,
      headers: { "www-authenticate": `DPoP error="${error}"`, "dpop-nonce": nonce },
    });
  if (!isSame(`${claims["nonce"] ?? ""}`, nonce)) return refuse("use_dpop_nonce");
  const hash = createHash("sha256").update(token).digest("base64url");
  return isSame(`${claims["htu"]}`, url) && isSame(`${claims["ath"]}`, hash)
    ? undefined
    : refuse("invalid_dpop_proof");
}

async function examineAll(habits: Habits): Promise<Card["rows"]> {
  return [...await examineClient(habits), ...await examineOwnApi(habits)];
}

for (const [way, known] of Object.entries(careless)) {
  test(`comparisons: one that ${way} falls for the neighbours that it takes for the right value, and for no other`, async () => {
    const [compares] = known;
    const rows = await examineAll({ ...quick, compares });
    assertEquals(rows.map(({ name }) => name).sort(), all.toSorted());
    for (const { name, outcome, because, variant } of rows) {
      const taken = findTaken(name, known);
      const [fallen, right] = endsOf(name);
      assertEquals([name, outcome], [name, taken.length === 0 ? right : fallen], because);
      assert(taken.length === 0 || taken.includes(variant!), `${name}: ${because}`);
    }
  });
}

test("comparisons: one of the whole text falls for no neighbour", async () => {
  for (const { name, outcome, because } of await examineAll(quick)) {
    assertEquals([name, outcome], [name, endsOf(name)[1]], because);
  }
});

/** The rows that show each careless comparison, and the comparisons that no standard lets them show. */
const shown: Readonly<
  Record<string, readonly [names: readonly MisbehaviourName[], ...except: readonly string[]]>
> = {
  "the audience of an access token": [["access_token.audience_wrong"]],
  "the issuer of an access token": [[
    "access_token.issuer_wrong",
    "access_token.issuer_part",
    "access_token.issuer_slash",
  ]],
  // Spaces separate the names of scopes (RFC 6749 §3.3).
  "the scope of an access token": [
    ["access_token.scope_missing"],
    "trims",
    "is a regular expression of a line",
  ],
  // RFC 9449 §4.3: an API normalizes the URL, and a parser of URLs removes white space.
  "the URL of a proof": [["proof.url_wrong"], "trims"],
  "the client of an ID token": [["id_token.aud_wrong"]],
  "the issuer of an ID token": [["id_token.iss_wrong", "id_token.iss_part", "id_token.iss_slash"]],
  "the nonce of an ID token": [["id_token.nonce_wrong"]],
  "the issuer of the metadata": [["metadata.issuer_mismatch", "metadata.issuer_slash"], "is the end of"],
  "the issuer of a response": [["authorization_response.iss_wrong", "authorization_response.iss_slash"]],
  "the state": [["authorization_response.state_changed", "authorization_response.state_similar"]],
  "the person of userinfo": [["userinfo.sub_similar"]],
};

for (const [place, [names, ...except]] of Object.entries(shown)) {
  test(`comparisons: each careless one of ${place} falls for a neighbour`, () => {
    const isUrl = places.url.some((each) => names.includes(each));
    const blind = Object.entries(careless)
      .filter(([, [, ofName]]) => isUrl || ofName.length > 0)
      .filter(([, known]) => names.every((name) => findTaken(name, known).length === 0))
      .map(([way]) => way);
    assertEquals(blind, except);
  });
}

/** What a client compares of its state, and which row says so although PKCE and a nonce protect the login. */
const ofState: Readonly<Record<string, readonly [Comparison, outcome: string, variant?: string]>> = {
  "the whole": [(received, expected) => received === expected, "noticed"],
  "the beginning": [(received, expected) => received.startsWith(expected), "fooled", "suffix"],
  "as much as came": [(received, expected) => expected.startsWith(received.slice(0, 8)), "fooled", "suffix"],
  "small letters": [
    (received, expected) => received.toLowerCase() === expected.toLowerCase(),
    "fooled",
    "capitals",
  ],
  "nothing": [() => true, "unharmed", "suffix"],
};

for (const [what, [compares, outcome, variant]] of Object.entries(ofState)) {
  test(`comparisons: a client that PKCE protects, and that compares ${what} of its state, is ${outcome} (RFC 9700 §2.1)`, async () => {
    const { rows: [changed, similar] } = await examine({
      only: ["authorization_response.state_changed", "authorization_response.state_similar"],
      client: createClient({ ...quick, compares, guards: ["pkce"] }),
      options: { alg: quickAlg, clients: [confidentialClient] },
      within,
    });
    assertEquals([similar!.level, similar!.outcome, similar!.variant], ["hardening", outcome, variant]);
    assert(changed!.outcome !== "fooled", changed!.because);
    const protects = "PKCE or a nonce protects this login.";
    assertEquals(similar!.because.endsWith(protects), outcome === "fooled");
  });
}

for (
  const called of [
    "https://api.test",
    "https://api.test/",
    "http://127.0.0.1:8080/1",
    "https://api.test/Orders",
  ]
) {
  test(`comparisons: an API at ${called} that normalizes URLs refuses each other one, and goes on with each spelling (RFC 9449 §4.3)`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const { rows } = await examineApi({
      as,
      dpop: { url: called },
      only: ["proof.url_port", "proof.url_query", "proof.url_spelling", "proof.url_wrong"],
      call(_token, proof = "") {
        const htu = attempt(() => new URL(`${decodeJwt(proof)["htu"]}`));
        const isRight = htu !== undefined && htu.origin + htu.pathname === new URL(called).href;
        return new Response(null, { status: isRight ? 200 : 401 });
      },
    });
    const outcomes = Object.fromEntries(rows.map(({ name, outcome }) => [name, outcome]));
    assertEquals(outcomes, {
      "proof.url_port": new URL(called).port === "" ? "tolerated" : "not_applicable",
      "proof.url_query": "tolerated",
      "proof.url_spelling": "tolerated",
      "proof.url_wrong": "noticed",
    });
  });
}

/** Checks of the typ in a header (RFC 9068 §4; RFC 9449 §4.3 (4)), and the variant that each falls for. */
const typeChecks: Readonly<Record<string, readonly [Comparison, string | undefined]>> = {
  "begins with": [(received, expected) => received.startsWith(expected), "suffix"],
  "ends with": [(received, expected) => received.endsWith(expected), "prefix"],
  "is": [(received, expected) => received === expected, undefined],
};

for (const [way, [compares, variant]] of Object.entries(typeChecks)) {
  test(`comparisons: an API for which the typ ${way} the right one falls for ${variant ?? "no variant"}`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const has = (jwt: string, typ: string) => compares(`${decodeProtectedHeader(jwt).typ}`, typ);
    const { rows } = await examineApi({
      as,
      dpop: { url },
      only: ["access_token.type_wrong", "proof.type_wrong"],
      call(token, proof = "") {
        const isRight = has(token, "at+jwt") && has(proof, "dpop+jwt");
        return new Response(null, { status: isRight ? 200 : 401 });
      },
    });
    for (const { name, outcome, because } of rows) {
      assertEquals([name, outcome], [name, variant === undefined ? "noticed" : "fooled"], because);
      assert(variant === undefined || because.startsWith(`With the variant ${variant}: `), because);
    }
  });
}

test("comparisons: an API that looks a value up in an object falls for what each object inherits (RFC 7519 §2)", async () => {
  await using as = await createMock({ alg: quickAlg });
  const known: Record<string, unknown> = { [as.issuer]: {}, [url]: {} };
  for (const isCareless of [true, false]) {
    const isKnown = (name: string) => isCareless ? name in known : Object.hasOwn(known, name);
    const { rows } = await examineApi({
      as,
      audience: url,
      only: ["access_token.audience_wrong", "access_token.issuer_wrong"],
      call(token) {
        const { iss = "", aud = "" } = decodeJwt(token);
        return new Response(null, { status: isKnown(iss) && [aud].flat().some(isKnown) ? 200 : 401 });
      },
    });
    for (const { name, outcome, because } of rows) {
      assertEquals([name, outcome], [name, isCareless ? "fooled" : "noticed"]);
      assert(!isCareless || because.startsWith("With the variant constructor: "), because);
    }
  }
});

for (const [variant, joint] of [["comma", ","], ["space", " "]] as const) {
  test(`comparisons: one that splits an audience at each ${variant} falls for a text with two of them (RFC 7519 §4.1.3)`, async () => {
    const compares: Comparison = (received, expected) => received.split(joint).at(-1) === expected;
    const habits = { ...quick, compares };
    const only = [
      "id_token.aud_wrong",
      "introspection.audience_other",
      "jarm.audience_other",
      "logout.audience_wrong",
    ] as const;
    const { rows } = await examine({
      client: createClient(habits),
      only,
      options: { alg: quickAlg },
      within,
    });
    const ofApi = (await examineOwnApi(habits)).filter(({ name }) => name === "access_token.audience_wrong");
    assertEquals(rows.length + ofApi.length, only.length + 1);
    for (const row of [...rows, ...ofApi]) {
      assertEquals([row.name, row.outcome, row.variant], [row.name, "fooled", variant], row.because);
    }
  });
}

test("comparisons: an API that splits the scope at commas, too, falls for one scope with a comma (RFC 6749 §3.3)", async () => {
  await using as = await createMock({ alg: quickAlg });
  const { rows: [row] } = await examineApi({
    as,
    scope: "orders",
    only: ["access_token.scope_missing"],
    call(token) {
      const isRight = `${decodeJwt(token)["scope"] ?? ""}`.split(/[ ,]/).includes("orders");
      return new Response(null, { status: isRight ? 200 : 403 });
    },
  });
  assertEquals([row!.outcome, row!.because], ["fooled", "With the variant comma: The API answered 200."]);
});

const cutUrl = (scope: string) => scope.replace(/^https:\/\/[^/]+\//, "");

test("comparisons: one that cuts the URL before a scope falls for a scope of another API (RFC 6749 §3.3)", async () => {
  const compares: Comparison = (received, expected) => [received, cutUrl(received)].includes(expected);
  await using as = await createMock({ alg: quickAlg });
  const { rows: [row] } = await examineApi({
    ...{ as, scope: "orders" },
    only: ["access_token.scope_missing"],
    call(token) {
      const isRight = `${decodeJwt(token)["scope"] ?? ""}`.split(" ").some((each) =>
        compares(each, "orders")
      );
      return new Response(null, { status: isRight ? 200 : 403 });
    },
  });
  assertEquals([row!.outcome, row!.variant], ["fooled", "url_before"]);
  const { rows: [asked] } = await examine({
    client: createClient({ ...quick, compares }),
    only: ["introspection.scope_narrower"],
    options: { alg: quickAlg },
    within,
  });
  assertEquals([asked!.outcome, asked!.variant], ["fooled", "url_before"], asked!.because);
});

for (
  const [variant, separator] of [["after_colon", ":"], ["after_dot", "."], ["after_slash", "/"]] as const
) {
  test(`comparisons: an API that cuts a scope at "${separator}" falls for another one with the same beginning (RFC 6749 §3.3)`, async () => {
    await using as = await createMock({ alg: quickAlg });
    for (const scope of ["orders", `orders${separator}read`]) {
      const [needed = ""] = scope.split(separator);
      const { rows: [row] } = await examineApi({
        ...{ as, scope },
        only: ["access_token.scope_missing"],
        call(token) {
          const given = `${decodeJwt(token)["scope"] ?? ""}`.split(" ");
          const isRight = given.some((each) => each.split(separator)[0] === needed);
          return new Response(null, { status: isRight ? 200 : 403 });
        },
      });
      assertEquals(row!.outcome, "fooled");
      if (scope === needed) assertEquals(row!.because, `With the variant ${variant}: The API answered 200.`);
    }
  });
}

for (const [variant, separator] of [["after_question_mark", "?"], ["after_hash", "#"]] as const) {
  test(`comparisons: an API that cuts the audience at "${separator}" falls for the same URL with more (RFC 7519 §2)`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const { rows: [row] } = await examineApi({
      ...{ as, audience: url },
      only: ["access_token.audience_wrong"],
      call(token) {
        const isRight = [decodeJwt(token).aud].flat().some((each) => each?.split(separator)[0] === url);
        return new Response(null, { status: isRight ? 200 : 401 });
      },
    });
    assertEquals([row!.outcome, row!.because], [
      "fooled",
      `With the variant ${variant}: The API answered 200.`,
    ]);
  });
}

test("comparisons: an API that checks the scope of tokens that have one falls for a token without (RFC 6749 §7)", async () => {
  await using as = await createMock({ alg: quickAlg });
  const { rows: [row] } = await examineApi({
    as,
    scope: ["orders", "invoices"],
    only: ["access_token.scope_missing"],
    call(token) {
      const { scope = "orders invoices" } = decodeJwt(token);
      const isRight = `${scope}`.split(" ").includes("orders");
      return new Response(null, { status: isRight ? 200 : 403 });
    },
  });
  assertEquals([row!.outcome, row!.because], ["fooled", "With the variant absent: The API answered 200."]);
});

test("comparisons: an API that compares by an order of words falls for a character that none shows (RFC 7519 §2)", async () => {
  await using as = await createMock({ alg: quickAlg });
  const { rows } = await examineApi({
    as,
    audience: url,
    only: ["access_token.audience_wrong", "access_token.issuer_wrong"],
    call(token) {
      const { iss = "", aud = "" } = decodeJwt(token);
      const isRight = iss.localeCompare(as.issuer) === 0 && `${aud}`.localeCompare(url) === 0;
      return new Response(null, { status: isRight ? 200 : 401 });
    },
  });
  for (const { outcome, because } of rows) {
    assertEquals([outcome, because], [
      "fooled",
      "With the variant invisible_character: The API answered 200.",
    ]);
  }
});

/** Carefree readings of an iss that is a list, and the variant that each falls for (RFC 7519 §4.1.1). */
const lists: Readonly<Record<string, readonly [(iss: readonly unknown[]) => unknown, variant: string]>> = {
  first: [([first]) => first, "foreign_last"],
  last: [(iss) => iss.at(-1), "foreign_first"],
};

for (const [which, [choose, variant]] of Object.entries(lists)) {
  test(`comparisons: an API that compares the ${which} iss of a list falls for ${variant}`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.issuer_list"],
      call(token) {
        const iss = choose([decodeJwt(token).iss].flat());
        return new Response(null, { status: iss === as.issuer ? 200 : 401 });
      },
    });
    assertEquals([row!.outcome, row!.because], [
      "fooled",
      `With the variant ${variant}: The API answered 200.`,
    ]);
  });
}

test("comparisons: a slash at the end of an audience is advice, because both forms may be one server (MCP, Canonical Server URI)", async () => {
  await using as = await createMock({ alg: quickAlg });
  for (const audience of [url, `${url}/`, "orders"]) {
    const { rows: [row], ...card } = await examineApi({
      ...{ as, audience },
      only: ["access_token.audience_slash"],
      call(token) {
        const aud = `${decodeJwt(token).aud}`;
        const isRight = aud.replace(/\/$/, "") === audience.replace(/\/$/, "");
        return new Response(null, { status: isRight ? 200 : 401 });
      },
    });
    assertEquals([row!.level, row!.outcome, card.problem], ["hardening", "fooled", undefined]);
  }
});

/** Checks of the members of a proof that fall for one that is absent (RFC 9449 §4.3 (3)). */
test("comparisons: an API that compares what a proof has falls for a proof without it", async () => {
  await using as = await createMock({ alg: quickAlg });
  const { rows } = await examineApi({
    as,
    dpop: { url },
    only: ["proof.method_wrong", "proof.old", "proof.type_wrong", "proof.url_wrong"],
    call(_token, proof = "") {
      const [{ htm = "POST", htu = url, iat = Infinity }, { typ = "dpop+jwt" }] = [
        decodeJwt(proof) as { readonly htm?: string; readonly htu?: string; readonly iat?: number },
        decodeProtectedHeader(proof),
      ];
      const isRight = ["GET", "POST"].includes(htm) && htu === url && iat > Date.now() / 1000 - 300 &&
        typ === "dpop+jwt";
      return new Response(null, { status: isRight ? 200 : 401 });
    },
  });
  for (const { name, outcome, because } of rows) {
    assertEquals([name, outcome, because], [
      name,
      "fooled",
      "With the variant absent: The API answered 200.",
    ]);
  }
});

test("comparisons: an API that keeps accepted tokens without their case falls for other capitals (RFC 7515 §5.2)", async () => {
  await using as = await createMock({ alg: quickAlg });
  const accepted = new Set<string>();
  const { rows: [row] } = await examineApi({
    as,
    only: ["access_token.similar_to_accepted"],
    async call(token) {
      const key = token.toLowerCase();
      const isRight = accepted.has(key) ||
        await as.fetch(`${as.issuer}/oauth2/jwks`).then(async (response) =>
          await jwtVerify(token, createLocalJWKSet(await response.json())).then(() => true, () => false)
        );
      if (isRight) accepted.add(key);
      return new Response(null, { status: isRight ? 200 : 401 });
    },
  });
  assertEquals([row!.outcome, row!.because], ["fooled", "With the variant capitals: The API answered 200."]);
});

test("comparisons: an API with a leeway of hours accepts a token that is not valid yet (RFC 7519 §4.1.5)", async () => {
  await using as = await createMock({ alg: quickAlg });
  for (const [leeway, outcome] of [[7200, "fooled"], [300, "noticed"]] as const) {
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.not_yet_valid"],
      call(token) {
        const { nbf = 0 } = decodeJwt(token);
        return new Response(null, { status: nbf <= Date.now() / 1000 + leeway ? 200 : 401 });
      },
    });
    assertEquals(row!.outcome, outcome);
    if (leeway === 7200) assertStringIncludes(row!.because, "in_an_hour");
  }
});

/** Careless comparisons of the thumbprint to which a token is bound, and the variant that each falls for. */
const bindings: Readonly<Record<string, readonly [Comparison, variant: string | undefined]>> = {
  "begins with": [(received, expected) => received.startsWith(expected), "suffix"],
  "is contained in": [(received, expected) => expected.includes(received), "part"],
  "ignores capitals": [(received, expected) => received.toLowerCase() === expected.toLowerCase(), "capitals"],
  "is": [(received, expected) => received === expected, undefined],
};

for (const [way, [compares, variant]] of Object.entries(bindings)) {
  test(`comparisons: an API for which the jkt of a token ${way} the thumbprint of the proof (RFC 9449 §4.3 (12))`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const { rows: [row] } = await examineApi({
      as,
      dpop: { url },
      only: ["proof.key_other"],
      async call(token, proof = "") {
        const { cnf } = decodeJwt<{ readonly cnf: { readonly jkt: string } }>(token);
        const expected = await calculateJwkThumbprint(decodeProtectedHeader(proof).jwk!);
        return new Response(null, { status: compares(cnf.jkt, expected) ? 200 : 401 });
      },
    });
    assertEquals([row!.outcome, row!.variant], [variant === undefined ? "noticed" : "fooled", variant]);
  });
}

test("comparisons: an API that takes the kid of a proof for the thumbprint of its key falls for a foreign one (RFC 9449 §4.3 (12))", async () => {
  await using as = await createMock({ alg: quickAlg });
  for (const place of ["jwk", "header"] as const) {
    const { rows: [row] } = await examineApi({
      ...{ as, dpop: { url } },
      only: ["proof.key_other"],
      async call(token, proof = "") {
        const { cnf } = decodeJwt<{ readonly cnf: { readonly jkt: string } }>(token);
        const { jwk, kid } = decodeProtectedHeader(proof);
        await compactVerify(proof, await importJWK(jwk!, "ES256"));
        const named = place === "header" ? kid : (jwk as { readonly kid?: string }).kid;
        const isRight = cnf.jkt === (named ?? await calculateJwkThumbprint(jwk!));
        return new Response(null, { status: isRight ? 200 : 401 });
      },
    });
    assertEquals([row!.outcome, row!.variant], ["fooled", "kid_of_token"], row!.because);
  }
});

/** How many proofs an API remembers, and the replay for which it falls. */
const memories: readonly (readonly [length: number, variant: string | undefined])[] = [
  [0, "at_once"],
  [1, "after_one"],
  [20, "after_twenty"],
  [21, undefined],
];

for (const [length, variant] of memories) {
  test(`comparisons: an API that remembers ${length} proofs falls for a replay ${variant ?? "never"} (RFC 9449 §11.1)`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const known: string[] = [];
    const { rows: [row] } = await examineApi({
      ...{ as, dpop: { url } },
      only: ["proof.replayed"],
      call(_token, proof = "") {
        const { jti = "" } = decodeJwt(proof);
        if (known.includes(jti)) {
          const headers = { "www-authenticate": 'DPoP error="invalid_dpop_proof"' };
          return new Response(null, { status: 401, headers });
        }
        known.push(jti);
        known.splice(0, known.length - length);
        return new Response(null);
      },
    });
    assertEquals([row!.outcome, row!.variant], [variant === undefined ? "noticed" : "fooled", variant]);
  });
}

test("comparisons: an API with a leeway of exactly an hour takes old tokens and old proofs (RFC 7519 §4.1.4; RFC 9449 §11.1)", async () => {
  await using as = await createMock({ alg: quickAlg });
  const { rows } = await examineApi({
    as,
    dpop: { url },
    only: ["access_token.expired", "access_token.not_yet_valid", "proof.from_the_future", "proof.old"],
    call(token, proof = "") {
      const { exp = 0, nbf = 0 } = decodeJwt(token);
      const { iat = 0 } = decodeJwt(proof);
      const now = Date.now() / 1000;
      const isRight = exp + 3600 > now && nbf - 3600 <= now && Math.abs(now - iat) <= 3600;
      return new Response(null, { status: isRight ? 200 : 401 });
    },
  });
  assertEquals(rows.map(({ outcome }) => outcome), ["fooled", "fooled", "fooled", "fooled"]);
});

/** Checks of an audience that is a list, and the variant that each falls for (RFC 7519 §4.1.3). A text is compared rightly. */
const listChecks: Readonly<
  Record<string, readonly [isRight: (list: readonly string[]) => boolean, variant: string | undefined]>
> = {
  "has an item": [(list) => list.length > 0, "other_in_list"],
  "has an item that begins with the right one": [
    (list) => list.some((each) => each.startsWith(url)),
    "suffix_in_list",
  ],
  "has an item that ends with the right one": [
    (list) => list.some((each) => each.endsWith(url)),
    "prefix_in_list",
  ],
  "has the right one": [(list) => list.includes(url), undefined],
};

for (const [way, [isRight, variant]] of Object.entries(listChecks)) {
  test(`comparisons: an API for which a list of audiences ${way} falls for ${variant ?? "no variant"} (RFC 7519 §4.1.3)`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const { rows: [row] } = await examineApi({
      as,
      audience: url,
      only: ["access_token.audience_wrong"],
      call(token) {
        const { aud = "" } = decodeJwt(token);
        const passes = typeof aud === "string" ? aud === url : isRight(aud);
        return new Response(null, { status: passes ? 200 : 401 });
      },
    });
    const expected = variant === undefined ? ["noticed", undefined] : ["fooled", variant];
    assertEquals([row!.outcome, row!.variant], expected, row!.because);
  });
}

/** Keeps the keys of the server by their kid in small letters. */
const keepLast = ({ fetch }: Mock): Mock["fetch"] => async (...request) => {
  const response = await fetch(...request);
  if (!`${request[0]}`.endsWith("/jwks")) return response;
  const { keys }: { readonly keys: readonly { readonly kid: string }[] } = await response.json();
  const kept = new Map(keys.map((key) => [key.kid.toLowerCase(), key]));
  return Response.json({ keys: keys.map(({ kid }) => ({ ...kept.get(kid.toLowerCase()), kid })) });
};

test("comparisons: a client that keeps keys by their kid in small letters takes the last one (RFC 7517 §4.5)", async () => {
  for (const isCareless of [true, false]) {
    const { rows: [row] } = await examine({
      only: ["keys.kid_similar"],
      options: { alg: quickAlg },
      within,
      client: (as, scenario) =>
        createClient(quick)(isCareless ? { ...as, fetch: keepLast(as) } : as, scenario),
    });
    assertEquals(
      [row!.outcome, row!.variant],
      isCareless ? ["broke", "capitals_last"] : ["tolerated", undefined],
    );
  }
});
