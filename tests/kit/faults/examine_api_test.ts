/** `examineApi`: each faulty token and proof tells APIs apart: one that checks, one that does not, one that startles. */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { isTolerance } from "../../../src/kit/faults/misbehaviour.ts";
import {
  type Card,
  createMock,
  examineApi,
  type MisbehaviourName,
  misbehaviourNames,
  type Mock,
} from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { type ApiOptions, createApi } from "./apis/api.ts";
import { answerObediently, type ObeyingApiOptions } from "./apis/obeying_api.ts";
import { brittle, type Habits, naive, quickAlg } from "./clients/habits.ts";

const url = "https://api.test/orders";
const credentials = { client_id: "orders-api", client_secret: "secret-of-the-api" };

const alg = quickAlg;

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
      { ...credentials, grant_types: ["client_credentials"], introspects: [url] },
    ],
  });
  const introspection: ApiOptions["introspection"] = {
    endpoint: `${as.issuer}/oauth2/introspect`,
    clientId: credentials.client_id,
    clientSecret: credentials.client_secret,
    ...{ wantsJwt: false, patience: 5000 },
  };
  const api = createApi({
    habits: { ...habits, algs: [alg] },
    fetch: as.fetch,
    issuer: as.issuer,
    jwksUri: `${as.issuer}/oauth2/jwks`,
    ...{ audience: url, scope: "orders" },
    ...(habits.checks ? { introspection } : {}),
  });
  return await examineApi({
    as,
    call: (token, proof, certificate) => api(createRequest(token, proof), certificate?.cert),
    only: apiMisbehaviours.filter((name) => bindingOf(name) === binding && accepts(name) === habits.checks),
    ...await bindBy(binding, as),
  });
}

type AccessTokens = "jwt" | "opaque";

/** Examines the API of the test kit. */
async function examineKit(binding: Binding, accessTokens: AccessTokens): Promise<Card> {
  await using as = await createMock({ alg, mtls: {}, accessTokens });
  const protect = as.protect({ scope: "orders", audience: url });
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
  ...{ scope: "orders", audience: url },
  ...(binding === "dpop" ? { dpop: { url } } : { certificate: await as.certificate("app") }),
});

function createRequest(token: string, proof: string | undefined): Request {
  return new Request(url, {
    headers: proof === undefined
      ? { authorization: `Bearer ${token}` }
      : { authorization: `DPoP ${token}`, dpop: proof },
  });
}

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
    const right = find(await cardOfKit(binding, "jwt"));
    assertEquals(right.outcome, accepts(name) ? "tolerated" : "noticed", right.because);
    const wrong = find(
      accepts(name)
        ? await share(`brittle, ${binding}`, () => examine(brittle, binding))
        : await share(`naive, ${binding}`, () => examine(naive, binding)),
    );
    assertEquals(wrong.outcome, accepts(name) ? "broke" : "fooled", wrong.because);
  });
}

for (const binding of ["dpop", "certificate"] as const) {
  for (const accessTokens of ["jwt", "opaque"] as const) {
    test(`examineApi: the API of the test kit refuses every fault, with a challenge (${binding}, ${accessTokens})`, async () => {
      const { rows } = await cardOfKit(binding, accessTokens);
      const others = binding === "dpop" ? "certificate" : "proof";
      for (const { name, area, level, outcome, because } of rows) {
        const isReached = area !== others && (accessTokens === "jwt" || because !== onlyJwt);
        const expected = isTolerance(level) ? "tolerated" : "noticed";
        assertEquals([name, outcome], [name, isReached ? expected : "not_reached"], because);
        assert(!isReached || isTolerance(level) || because.includes("with the challenge"), because);
        assert(!because.includes("Expected"), because);
      }
    });
  }
}

const onlyJwt = "Only a JWT can have this fault, but the tokens are opaque.";

test("examineApi: a token is bound to a key or to a certificate", async () => {
  await using as = await createMock({ mtls: {} });
  const certificate = await as.certificate("app");
  const terms = { as, certificate, dpop: { url }, call: () => Response.json({}) };
  await assertRejects(() => examineApi(terms), TypeError, "both dpop and certificate");
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
  test(`examineApi: an API that loads a key from the URL in a token is fooled, whatever it answers, over ${way} (RFC 8725 §3.10)`, async () => {
    await using as = await createMock({ alg });
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
      assertMatch(row!.because, new RegExp(`^The API called .*/jwks\\. The API answered ${status}\\.`));
      assertEquals(row!.requests.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`), [
        "GET jwks",
      ]);
    }
  });
}

test("examineApi: an API that breaks after it has loaded the key from the URL in a token is fooled, too", async () => {
  await using as = await createMock({ alg });
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

test("examineApi: an answer that is no refusal counts for nothing", async () => {
  await using as = await createMock({ alg });
  const only = ["access_token.expired"] as const;
  const examineWith = async (call: (token: string) => Response | Promise<Response>, within = 60) => {
    const { rows: [row] } = await examineApi({ as, call, only, within });
    return [row!.outcome, row!.because];
  };
  const right = await as.mint();
  const isRight = (token: string) => JSON.parse(atob(token.split(".")[1]!)).exp > Date.now() / 1000;
  assert(isRight(right));
  const ok = new Response("ok").clone.bind(new Response("ok"));
  assertEquals(await examineWith((token) => isRight(token) ? ok() : new Response(null, { status: 500 })), [
    "unknown",
    "The API answered 500.",
  ]);
  assertEquals(
    await examineWith((token) => isRight(token) ? ok() : Promise.reject(new TypeError("fetch failed"))),
    ["unknown", "The call failed: TypeError: fetch failed"],
  );
  assertEquals(
    await examineWith((token) => isRight(token) ? ok() : new Promise(() => {}), 0.05),
    ["hung", "The API did not answer within the limit."],
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

test("examineApi: an API that refuses the right token is not examined", async () => {
  await using as = await createMock({ alg });
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
