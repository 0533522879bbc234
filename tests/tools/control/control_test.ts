/** The control plane: whole flows, tenants, and paths that it does not serve. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { createControl } from "../../../src/tools/control/control.ts";
import { fromRequest } from "../../../src/ground/http/message.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { origin, withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: a flow from the login to the timeline, in JSON only", async ({ ask }) => {
  for (const path of ["", "/"]) {
    const { body } = await ask("GET", path);
    assertEquals(body, { issuer: origin, openapi: "/_postern/openapi.json" });
  }
  assertEquals((await ask("GET", "/env")).body.OAUTH_ISSUER, origin);
  await ask("POST", "/clock", { body: { freeze: "2030-01-01T12:00:00Z" } });
  const login = await ask("POST", "/login", { body: { username: "bob" } });
  assertEquals([login.status, decodeJwt(login.body.id_token).sub], [200, "bob"]);
  assertEquals(decodeJwt(login.body.access_token).iat, 1_893_499_200);

  const later = await ask("POST", "/clock", { body: { advance: "1h" } });
  assertEquals([later.body.now, later.body.date], [1_893_502_800, "2030-01-01T13:00:00.000Z"]);
  const { refresh_token } = login.body;
  const refreshed = await ask("POST", "/refresh", { body: { refresh_token } });
  assertEquals(decodeJwt(refreshed.body.access_token).iat, 1_893_502_800);
  assertEquals((await ask("POST", "/revoke", { body: refreshed.body.refresh_token })).status, 400);
  const token: string = refreshed.body.refresh_token;
  assertEquals((await ask("POST", "/revoke", { body: { token } })).status, 204);

  const again = await ask("POST", "/refresh", { body: { refresh_token: token } });
  assertEquals([again.status, again.body.error], [422, "refused"]);
  assertEquals(again.body.refusal.error, "invalid_grant");
  assertEquals((await ask("GET", "/explain")).body.explanation.split(" ")[0], "invalid_grant");
  const timeline = await ask("GET", "/timeline");
  assertMatch(timeline.headers.get("content-type")!, /^text\/plain/);
  assertMatch(timeline.body, /POST \/oauth2\/revoke/);
  assertEquals((await ask("GET", "/timeline?form=har")).body.log.entries.length, 5);

  assertEquals((await ask("POST", "/reset")).status, 204);
  assertEquals((await ask("GET", "/requests")).body, { requests: [], dropped: 0 });
  assertEquals((await ask("GET", "/explain")).body, {});
});

it("control: the first POST makes a tenant, and it shares nothing", async ({ ask, as }) => {
  const acme = "/tenants/acme";
  assertEquals((await ask("POST", acme)).body, { issuer: `${origin}/acme` });
  assertEquals((await ask("GET", acme)).body, { issuer: `${origin}/acme` });
  await ask("POST", `${acme}/people`, { body: { username: "carol" } });
  await ask("POST", `${acme}/clock`, { body: { freeze: 2_000_000_000 } });
  const login = await ask("POST", `${acme}/login`, { body: { username: "carol", browser: "hers" } });
  assertEquals(decodeJwt(login.body.access_token).iss, `${origin}/acme`);
  assertEquals((await ask("POST", "/login", { body: { username: "carol" } })).status, 400);
  assertEquals(as.requests.token.length, 0);
  assert(as.clock.now < 2_000_000_000);
  const { refresh_token } = login.body;
  assertEquals((await ask("POST", "/refresh", { body: { refresh_token, client: "app" } })).status, 422);
  assertEquals((await ask("POST", `${acme}/refresh`, { body: { refresh_token } })).status, 200);
  await ask("POST", `${acme}/gates`, { body: { endpoint: "token", kind: "drop" } });
  assertEquals((await ask("GET", "/gates")).body.gates, []);
  await ask("POST", "/reset");
  assertEquals((await ask("POST", "/tenants/oauth2")).status, 400);
  assertEquals((await ask("GET", "/tenants/")).status, 404);
  assertEquals((await ask("GET", `${acme}/tenants`)).status, 404);
  assertEquals((await ask("GET", "/tenants/a%/clock")).status, 400);
});

it("control: only a POST makes a tenant; tenants are listed, and a removed one is made anew", async ({ ask }) => {
  const calls = [["GET", ""], ["HEAD", "/clock"], ["DELETE", ""], ["DELETE", "/people/bob"]];
  for (const [method, path] of calls) {
    assertEquals((await ask(method!, `/tenants/acme${path}`)).status, 404, path);
  }
  const patch = await ask("PATCH", "/tenants/acme/people/bob", { body: { claims: {} } });
  assertMatch(
    patch.body.error_description,
    /^There is no tenant "acme": there are none\. The first POST to it creates it$/,
  );
  assertEquals((await ask("GET", "/tenants")).body, { tenants: [] });

  await ask("POST", "/tenants/acme/people", { body: { username: "carol" } });
  await ask("POST", "/tenants/globex");
  assertEquals((await ask("GET", "/tenants")).body, { tenants: ["acme", "globex"] });
  await ask("POST", "/tenants/acme/gates", { body: { endpoint: "token", kind: "drop" } });
  assertEquals((await ask("DELETE", "/tenants/acme")).status, 204);
  assertEquals((await ask("GET", "/tenants")).body, { tenants: ["globex"] });
  assertEquals((await ask("DELETE", "/tenants/acme")).status, 404);

  assertEquals((await ask("POST", "/tenants/acme/login", { body: {} })).status, 200);
  assertEquals((await ask("GET", "/tenants/acme/gates")).body, { gates: [] });
  const { people } = (await ask("GET", "/tenants/acme/people")).body;
  assertEquals(people.map((each: { username: string }) => each.username), ["alice", "bob"]);
  for (const method of ["POST", "DELETE"]) assertEquals((await ask(method, "")).status, 405);
});

it("control: a reset of the server removes its tenants, and a reset of a tenant its own parts only", async ({ ask, as }) => {
  const browser = "one";
  const fill = async (below: string) => {
    await ask("POST", `${below}/login`, { body: { browser } });
    const parts = {
      gates: { endpoint: "page", kind: "hold" },
      hooks: { name: "userinfo", patch: {} },
      routes: { route: `GET /of${below}` },
      client_documents: {},
    };
    for (const [list, body] of Object.entries(parts)) {
      assertEquals((await ask("POST", `${below}/${list}`, { body })).status, 201, list);
    }
  };
  const count = async (below: string) => {
    const lists = ["gates", "hooks", "routes", "client_documents"];
    const counts = lists.map(async (list) => (await ask("GET", `${below}/${list}`)).body[list].length);
    const { status } = await ask("POST", `${below}/end_session`, { body: { browser } });
    return [...await Promise.all(counts), status];
  };
  const full = [1, 1, 1, 1, 204], empty = [0, 0, 0, 0, 400];
  for (const below of ["", "/tenants/acme"]) await fill(below);
  await ask("POST", "/tenants/acme/reset");
  assertEquals([await count(""), await count("/tenants/acme")], [full, empty]);
  await fill("/tenants/acme");
  assertEquals((await ask("POST", "/reset")).status, 204);
  assertEquals((await ask("GET", "/tenants")).body, { tenants: [] });
  assertEquals((await ask("GET", "/tenants/acme/gates")).status, 404);
  const metadata = await as.fetch(`${origin}/.well-known/oauth-authorization-server/acme`);
  assertEquals((await metadata.json()).issuer, undefined);
  await ask("POST", "/tenants/acme");
  assertEquals([await count(""), await count("/tenants/acme")], [empty, empty]);
  // An id of before the reset never names another hook.
  assertEquals((await ask("POST", "/hooks", { body: { name: "userinfo", patch: {} } })).body.id, "hook-2");
});

it("control: a refused call makes no tenant, unless the tenant has answered a request", async ({ ask, as }) => {
  const names = async () => (await ask("GET", "/tenants")).body.tenants;
  const refused: readonly (readonly [path: string, body: unknown])[] = [
    ["clock", { advance: "foo" }],
    ["people", { username: "alice" }],
    ["gates/gate-1/release", {}],
    ["refresh", { refresh_token: "unknown" }],
  ];
  for (const [path, body] of refused) {
    assert((await ask("POST", `/tenants/acme/${path}`, { body })).status >= 400, path);
    assertEquals(await names(), [], path);
  }
  const refuse = () => ask("POST", "/tenants/acme/clock", { body: { advance: "foo" } });
  const together = await Promise.all([refuse(), refuse()]);
  assertEquals([together.map(({ status }) => status), await names()], [[400, 400], []]);
  const metadata = await as.fetch(`${origin}/acme/.well-known/openid-configuration`);
  assertEquals(metadata.status, 404);
  await metadata.body?.cancel();

  // Calls at the same time: as long as one runs that may succeed, no other one ends the tenant.
  const [login, ...others] = await Promise.all([
    ask("POST", "/tenants/acme/login", { body: {} }),
    ...Array.from({ length: 3 }, () => ask("POST", "/tenants/acme/clock", { body: { advance: "foo" } })),
  ]);
  assertEquals([login.status, ...others.map(({ status }) => status)], [200, 400, 400, 400]);
  assertEquals(await names(), ["acme"]);
  assertEquals((await ask("POST", "/tenants/acme/clock", { body: { advance: "foo" } })).status, 400);
  assertEquals(await names(), ["acme"]);

  await ask("POST", "/tenants/initech/people", { body: { username: "carol" } });
  await ask("POST", "/tenants/initech/people", { body: { username: "carol" } });
  assertEquals(await names(), ["acme", "initech"]);
  await ask("POST", "/tenants/acme/hooks", { body: { name: "userinfo", patch: {} } });
  assertEquals((await ask("POST", "/tenants/wrong/clock", { body: { advance: "foo" } })).status, 400);
  assertEquals((await ask("GET", "/tenants/acme/hooks")).body.hooks.length, 1);
  const answer = await ask("POST", "/tenants/globex/login", { body: { deny: true } });
  assertEquals([answer.status, await names()], [422, ["acme", "initech", "globex"]]);
  assertMatch((await ask("GET", "/tenants/globex/explain")).body.explanation, /^access_denied/);
});

it("control: an unknown path is 404, and another method 405 with the allowed ones", async ({ ask }) => {
  const ending = ", which ends with /, or has . or .. in the place of a name.";
  for (const [path, end] of [["/nothing", "."], ["//", ending]] as const) {
    const { status, body } = await ask("GET", path);
    assertEquals(status, 404, path);
    assertEquals(body.error_description.split(/(?<=\.) (?=\/)/)[0], `There is no call at this path${end}`);
  }
  assertEquals((await ask("GET", "/people/")).status, 404);
  await ask("POST", "/tenants/acme");
  const misspelt = [
    ["/nextSignIn", "/next_sign_in"],
    ["/tenants/acme/endSession", "/tenants/acme/end_session"],
    ["/resource", "/resources"],
    ["/clock/advance", "/clock"],
    ["/tenant/acme", "/tenants"],
    ["/tenants/acme/tenant", undefined],
    ["/tenants/a%20b%2Fc/endSession", "/tenants/a%20b%2Fc/end_session"],
    ["/openapi", "/openapi.json"],
    ["/nothing", undefined],
  ] as const;
  for (const [path, right] of misspelt) {
    const { status, body } = await ask("POST", path, { body: {} });
    assertEquals([status, body.expected], [404, right && `/_postern${right}`], path);
  }
  assertEquals((await ask("PUT", "/tenants/acme")).headers.get("allow"), "GET, HEAD, POST, DELETE");
  const wrong = await ask("PUT", "/tenants/acme/people", { body: {} });
  assertEquals([wrong.status, wrong.headers.get("allow")], [405, "GET, HEAD, POST"]);
  const options = await ask("OPTIONS", "/login");
  assertEquals([options.status, options.headers.get("access-control-allow-origin")], [405, null]);
  const head = await ask("HEAD", "/clock");
  assertEquals([head.status, head.body], [200, ""]);
  const other = await createStartedMock();
  await using _other = other.mock;
  const control = createControl(other);
  for (const path of ["/_posternx", "/x/_postern"]) {
    assertEquals(control.answer(fromRequest(new Request(origin + path), "127.0.0.1")), undefined, path);
  }
});

test("control: with navikt's paths, calls find the issuers that requests have created, and a reset removes them", () =>
  withControl(async ({ ask, as }) => {
    assertEquals((await ask("GET", "/tenants/azuread/requests")).status, 404);
    await as.fetch(`${origin}/azuread/jwks`);
    assertEquals((await ask("GET", "/tenants")).body, { tenants: ["azuread"] });
    const { body } = await ask("GET", "/tenants/azuread/requests");
    assertEquals(body.requests.map(({ endpoint }: { endpoint: string }) => endpoint), ["jwks"]);
    // A refused call removes only a tenant that it has created.
    assertEquals((await ask("POST", "/tenants/azuread/people", { body: { nonsense: true } })).status, 400);
    assertEquals(as.tenants, ["azuread"]);
    await ask("POST", "/reset");
    assertEquals(as.tenants, []);
  }, { options: { paths: "navikt" } }));

test("control: a new tenant has no records of a removed one, also in a store that lasts", () =>
  withControl(async ({ ask }) => {
    const { body: { refresh_token } } = await ask("POST", "/tenants/acme/login", { body: {} });
    assertEquals((await ask("DELETE", "/tenants/acme")).status, 204);
    const { status, body } = await ask("POST", "/tenants/acme/refresh", {
      body: { refresh_token, client: "app" },
    });
    assertEquals([status, body.refusal.error], [422, "invalid_grant"]);
  }, { store: memoryStore() }));
