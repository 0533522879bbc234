/** The look-alike of GitHub answers by GraphQL who the person is, and refuses what it lacks in the form of GraphQL. */

import { assertEquals, assertMatch } from "@std/assert";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const redirect_uri = "http://localhost:3000/callback";

async function createShop(host = "github.com") {
  const as = await createMock();
  as.lookLike("github", { host });
  const base = `https://${host}/login/oauth`;
  const query = new URLSearchParams({ client_id: "shop", redirect_uri, scope: "read:user" });
  const callback = await as.authorize(`${base}/authorize?${query}`, { username: "alice" });
  const form = { client_id: "shop", client_secret: "x".repeat(20), redirect_uri };
  const answer = await as.fetch(`${base}/access_token`, {
    ...{ method: "POST", headers: { accept: "application/json" } },
    body: new URLSearchParams({ ...form, code: callback.searchParams.get("code")! }),
  });
  return { as, token: String((await answer.json()).access_token) };
}

async function ask(as: Mock, token: string, query: unknown, url = "https://api.github.com/graphql") {
  const headers = { authorization: `bearer ${token}`, "content-type": "application/json" };
  const answer = await as.fetch(url, { method: "POST", headers, body: JSON.stringify({ query }) });
  return [answer.status, await answer.json(), as.requests.at(-1)?.refusal?.reason];
}

test("GraphQL of GitHub: the viewer has the fields that the query names, under its own names for them", async () => {
  const { as, token } = await createShop();
  await using _as = as;
  const query = `query Me($first: Int) { # who
    viewer { login, mail: email
      organizations(first: $first) { nodes { login } totalCount } } }`;
  const viewer = { login: "alice", mail: "alice@example.com", organizations: { nodes: [], totalCount: 0 } };
  assertEquals(await ask(as, token, query), [200, { data: { viewer } }, undefined]);
  assertEquals(as.requests.userinfo.last?.person, "alice");
  assertEquals(await ask(as, token, "{viewer{login}}"), [
    200,
    { data: { viewer: { login: "alice" } } },
    undefined,
  ]);
});

test("GraphQL of GitHub: fragments on User have their fields, inline, by a name, and in one another", async () => {
  const { as, token } = await createShop();
  await using _as = as;
  const query = `fragment Names on User { login, ...More }
    query Me { viewer { ...Names ... on User { isViewer } __typename } limit: rateLimit { cost } }
    fragment More on User { mail: email organizations { nodes { login } } }`;
  const organizations = { nodes: [] };
  const viewer = {
    login: "alice",
    mail: "alice@example.com",
    organizations,
    isViewer: true,
    __typename: "User",
  };
  assertEquals((await ask(as, token, query))[1], { data: { viewer, limit: { cost: 1 } } });
});

test("GraphQL of GitHub: a server of an enterprise has it below /api", async () => {
  const { as, token } = await createShop("git.acme.test");
  await using _as = as;
  const url = "https://git.acme.test/api/graphql";
  assertEquals((await ask(as, token, "{ viewer { login } }", url))[0], 200);
});

test("GraphQL of GitHub: another query, an unknown field and text that is no query get errors, and a wrong token the message", async () => {
  const { as, token } = await createShop();
  await using _as = as;
  const queries = [
    "{ repository { name } }",
    "{ viewer { login shoes } }",
    "{ viewer { ...who } }",
    "{ viewer { login",
    "{ viewer }",
    "{ viewer { login { first } } }",
    "{ viewer ".repeat(50),
    "{ viewer { ... on User ".repeat(50),
    "{ viewer { ... on Bot { login } } }",
    "{ rateLimit { ... on RateLimit { cost } } }",
    "{ viewer { ...A } } fragment A on User { ...A }",
    `{ viewer { ...A } } fragment A on User { ${"...A ".repeat(100)} }`,
    "{ viewer { ...A } } fragment A of User { login }",
    "{ viewer { ...A } } fragment A on User login",
    "fragment A on User { login }",
    "query Me of { viewer { login } }",
    "",
    "mutation { viewer { login } }",
    "{ viewer { login } }}}} garbage",
    "query A { viewer { login } } query B { nope }",
    { toString: 1, valueOf: 1 },
  ];
  for (const query of queries) {
    const [status, { errors }, reason] = await ask(as, token, query);
    assertEquals([status, reason], [501, "provider_query_unknown"], `${JSON.stringify(query)}`);
    assertMatch(errors[0].message, /^This look-alike answers only a query for the viewer/);
  }
  const [status, { message }] = await ask(as, "wrong", "{ viewer { login } }");
  assertEquals([status, message], [401, "Bad credentials"]);
});

test("GraphQL of GitHub: the rate limit is reset in an hour, and a query of a thousand words is the longest", async () => {
  const { as, token } = await createShop();
  await using _as = as;
  as.clock.freeze();
  const [, { data: { rateLimit } }] = await ask(as, token, "{ rateLimit { resetAt remaining } }");
  const resetAt = new Date(as.clock.date.getTime() + 3_600_000).toISOString();
  assertEquals(rateLimit, { resetAt, remaining: 5000 });
  // With the braces around them.
  const statusOf = async (fields: number) =>
    (await ask(as, token, `{ viewer { ${"login ".repeat(fields)} } }`))[0];
  assertEquals([await statusOf(998), await statusOf(999)], [200, 501]);
});
