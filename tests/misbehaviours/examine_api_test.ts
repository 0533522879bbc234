/** `examineApi`: each faulty token and proof tells APIs apart: one that checks, one that does not, one that startles. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { catalogue } from "../../src/misbehaviours/catalogue.ts";
import { isTolerance } from "../../src/misbehaviours/misbehaviour.ts";
import { type Card, createMock, examineApi, misbehaviourNames } from "../../src/mock/mod.ts";
import { test } from "../runner.ts";
import { type ApiTerms, createApi } from "./apis/api.ts";
import { brittle, type Habits, naive, strict } from "./clients/habits.ts";

const url = "https://api.test/orders";
const credentials = { client_id: "orders-api", client_secret: "secret-of-the-api" };

async function examine(habits: Habits): Promise<Card> {
  await using as = await createMock({
    clients: [
      { client_id: "app", redirect_uris: ["https://app.test/callback"] },
      { ...credentials, grant_types: ["client_credentials"], introspects: [url] },
    ],
  });
  const introspection: ApiTerms["introspection"] = {
    endpoint: `${as.issuer}/oauth2/introspect`,
    clientId: credentials.client_id,
    clientSecret: credentials.client_secret,
    ...{ wantsJwt: false, patience: 5000 },
  };
  const api = createApi({
    ...{ habits, fetch: as.fetch, issuer: as.issuer, jwksUri: `${as.issuer}/oauth2/jwks` },
    ...{ audience: url, scope: "orders" },
    ...(habits.checks ? { introspection } : {}),
  });
  return await examineApi({
    as,
    call: (token, proof) => {
      const headers = proof === undefined
        ? { authorization: `Bearer ${token}` }
        : { authorization: `DPoP ${token}`, dpop: proof };
      return api(new Request(url, { headers }));
    },
    scope: "orders",
    audience: url,
    dpop: { url },
  });
}

const cards = new Map<Habits, Promise<Card>>();

/** Examines an API with these habits, once for all tests. */
async function findRow(name: string, habits: Habits) {
  const examined = cards.get(habits) ?? examine(habits);
  cards.set(habits, examined);
  return (await examined).rows.find((row) => row.name === name)!;
}

for (const name of misbehaviourNames.filter((each) => catalogue.get(each)!.api !== undefined)) {
  test(`examineApi: ${name} tells the APIs apart`, async () => {
    const accepts = isTolerance(catalogue.get(name)!.level);
    const right = await findRow(name, strict);
    assertEquals(right.outcome, accepts ? "tolerated" : "noticed", right.because);
    const wrong = await findRow(name, accepts ? brittle : naive);
    assertEquals(wrong.outcome, accepts ? "broke" : "fooled", wrong.because);
  });
}

test("examineApi: the API of the test kit refuses every faulty token and proof, with a challenge", async () => {
  await using as = await createMock();
  const protect = as.protect({ scope: "orders", audience: url });
  const { rows } = await examineApi({
    as,
    call: async (token, proof) => {
      const scheme = proof === undefined ? "Bearer" : "DPoP";
      const headers = {
        authorization: `${scheme} ${token}`,
        ...(proof === undefined ? {} : { dpop: proof }),
      };
      const answer = await protect(new Request(url, { headers }));
      return answer instanceof Response ? answer : Response.json(answer);
    },
    ...{ scope: "orders", audience: url, dpop: { url } },
  });
  for (const { name, level, outcome, because } of rows) {
    assertEquals([name, outcome], [name, isTolerance(level) ? "tolerated" : "noticed"], because);
    assert(isTolerance(level) || because.includes("with the challenge"), because);
    assert(!because.includes("Expected"), because);
  }
});

test("examineApi: an answer that is no refusal counts for nothing", async () => {
  await using as = await createMock();
  const only = ["access_token.expired"] as const;
  const examineWith = async (call: (token: string) => Response | Promise<Response>) => {
    const { rows: [row] } = await examineApi({ as, call, only, within: 0.05 });
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
    await examineWith((token) => isRight(token) ? ok() : new Promise(() => {})),
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
  await using as = await createMock();
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

test("examineApi: without dpop no proof is sent, and opaque tokens have some faults only", async () => {
  await using as = await createMock({ accessTokens: "opaque" });
  const protect = as.protect({ scope: "orders" });
  const { rows } = await examineApi({
    as,
    call: async (token) => {
      const request = new Request(url, { headers: { authorization: `Bearer ${token}` } });
      const answer = await protect(request);
      return answer instanceof Response ? answer : Response.json(answer);
    },
    scope: "orders",
  });
  const outcomeOf = (name: string) => rows.find((row) => row.name === name)?.outcome;
  assertEquals(outcomeOf("proof.missing"), "not_reached");
  assertEquals(outcomeOf("access_token.alg_none"), "not_reached");
  assertEquals(outcomeOf("access_token.expired"), "noticed");
  assertEquals(outcomeOf("access_token.revoked"), "noticed");
});

test("misbehave: a faulty proof is no fault of the server", async () => {
  await using as = await createMock();
  let problem: unknown;
  try {
    as.misbehave("proof.old");
  } catch (error) {
    problem = error;
  }
  assert(problem instanceof TypeError && problem.message.includes("use examineApi"));
});
