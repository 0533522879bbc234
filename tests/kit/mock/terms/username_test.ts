/** A person has a username in all terms. The names of earlier versions, `as` and `person`, compile and work as before. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, examineApi, type MockOptions } from "../../../../src/kit/mod.ts";
import { judgeRecipient } from "../../../../src/kit/runners/judgements.ts";
import { test } from "../../../runner.ts";
import { authorizeUrl } from "../authorize_url.ts";

const options: MockOptions = { alg: "ES256", people: [{ username: "alice" }, { username: "bob" }] };

const subjectOf = (token: string) => decodeJwt(token).sub;

test("username: as and person of earlier versions mean the same person", async () => {
  await using as = await createMock(options);
  const url = authorizeUrl(as.issuer);
  await as.authorize(url, { as: "bob" });
  await as.authorize(url, { username: "bob" });
  assertEquals(as.requests.authorize.map(({ person }) => person), ["bob", "bob"]);
  assertEquals(subjectOf(await as.mint({ person: "bob" })), subjectOf(await as.mint({ username: "bob" })));
  const forged = [await as.forge("access_token.expired", { person: "bob" })];
  forged.push(await as.forge("access_token.expired", { username: "bob" }));
  assertEquals(new Set(forged.map(({ token }) => subjectOf(token))).size, 1);
  const terms = { audience: "https://b.test", client: "agent" };
  const jags = [await as.idJag({ ...terms, person: "bob" }), await as.idJag({ ...terms, username: "bob" })];
  assertEquals(new Set(jags.map(({ token }) => subjectOf(token))).size, 1);
});

test("username: hooks, misbehaviours and lists of requests take both names", async () => {
  await using as = await createMock(options);
  for (const named of [{ person: "bob" }, { username: "bob" }]) {
    const hook = as.on("id_token", (claims) => ({ ...claims, changed: true }), named);
    assertEquals(
      [(await as.login("alice")).claims?.["changed"], (await as.login("bob")).claims?.["changed"]],
      [
        undefined,
        true,
      ],
    );
    hook[Symbol.dispose]();
    const misbehaving = as.misbehave("id_token.nonce_wrong", named);
    await as.login("alice", { nonce: "n" });
    assertEquals(misbehaving.count, 0);
    await as.login("bob", { nonce: "n" });
    assertEquals(misbehaving.count, 1);
    misbehaving[Symbol.dispose]();
    assertEquals(new Set(as.requests.token.of(named).map(({ person }) => person)), new Set(["bob"]));
    const { access_token } = await as.login("bob");
    assertEquals(judgeRecipient(access_token, { by: as, ...named }).passed, true);
  }
});

test("username: examineApi takes both names", async () => {
  await using as = await createMock(options);
  const protect = as.protect();
  for (const named of [{ person: "bob" }, { username: "bob" }]) {
    const seen = new Set<unknown>();
    await examineApi({
      as,
      ...named,
      only: ["access_token.expired"],
      async call(token) {
        seen.add(subjectOf(token));
        const headers = { authorization: `Bearer ${token}` };
        const checked = await protect(new Request("https://api.test", { headers }));
        return checked instanceof Response ? checked : Response.json(checked);
      },
    });
    assertEquals(seen, new Set([subjectOf(await as.mint(named))]));
  }
});

test("username: both names at once are an error", async () => {
  await using as = await createMock(options);
  const both = { username: "bob", person: "bob" };
  const problem = (doing: string, earlier: string) =>
    `Cannot ${doing} with both username and ${earlier}: they mean the same, so leave out ${earlier}`;
  await assertRejects(
    () => as.authorize(authorizeUrl(as.issuer), { username: "bob", as: "bob" }),
    TypeError,
    problem("authorize", "as"),
  );
  await assertRejects(() => as.mint(both), TypeError, problem("mint", "person"));
  assertThrows(
    () => as.misbehave("id_token.nonce_wrong", both),
    TypeError,
    "with both username and person",
  );
  assertThrows(() => as.on("id_token", () => {}, both), TypeError, "with both username and person");
  assertThrows(() => as.requests.of(both), TypeError, problem("narrow a list of requests", "person"));
});
