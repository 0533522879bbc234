/** People and clients over HTTP. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { testIn } from "../../test_in.ts";
import { withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: people and clients are listed without secrets, added, changed and removed", async ({ ask, as }) => {
  const carol = { username: "carol", password: "open sesame" };
  const made = await ask("POST", "/people", { body: carol });
  assertEquals([made.status, made.body], [201, { username: "carol" }]);
  const changed = await ask("PATCH", "/people/carol", { body: { claims: { name: "Carol Clark" } } });
  assertEquals(changed.body, { username: "carol", claims: { name: "Carol Clark" } });
  assertEquals(as.people.get("carol")?.password, "open sesame");
  const { people } = (await ask("GET", "/people")).body;
  assertEquals(people.at(-1), { username: "carol", claims: { name: "Carol Clark" } });
  const twice = await ask("POST", "/people", { body: carol });
  assertEquals(twice.status, 400);
  assertMatch(
    twice.body.error_description,
    /^Cannot add to people: username must be unique: two people are called carol/,
  );
  assertEquals(
    [twice.body.place, twice.body.expected],
    ["username", "must be unique: two people are called carol"],
  );
  const renamed = await ask("PATCH", "/clients/app", { body: { client_id: "app-confidential" } });
  assertMatch(renamed.body.error_description, /^Cannot change clients: client_id must be unique/);
  assertEquals(renamed.body.place, "client_id");
  assertMatch(renamed.body.expected, /^must be unique: two clients are called app-confidential$/);
  const other = await ask("PATCH", "/clients/app", {
    body: { token_endpoint_auth_method: "private_key_jwt" },
  });
  assertEquals([other.status, other.body.place], [400, "jwks"]);
  assertEquals((await ask("DELETE", "/people/carol")).status, 204);
  const gone = await ask("DELETE", "/people/carol");
  assertEquals([gone.status, gone.body.error], [404, "not_found"]);
  assertEquals(gone.body.error_description, 'The person "carol" is not known: known are alice, bob');

  const shop = { client_id: "a/b", client_secret: "canary", redirect_uris: ["https://shop.test/cb"] };
  assertEquals((await ask("POST", "/clients", { body: shop })).status, 201);
  assert(!JSON.stringify((await ask("GET", "/clients")).body).includes("canary"));
  assertEquals((await ask("GET", "/clients?raw=true")).body.clients.at(-1), shop);
  const environment = (await ask("GET", "/env?client=a/b")).body;
  assertEquals([environment.OAUTH_CLIENT_ID, environment.OAUTH_CLIENT_SECRET], ["a/b", undefined]);
  assertEquals((await ask("GET", "/env?client=a/b&raw=true")).body.OAUTH_CLIENT_SECRET, "canary");
  const named = await ask("PATCH", "/clients/a%2Fb", { body: { client_id: "shop" } });
  assertEquals(named.body.client_id, "shop");
  assertEquals((await ask("POST", "/login", { body: { client: "shop" } })).status, 200);
  assertEquals((await ask("DELETE", "/clients/shop")).status, 204);
  assertEquals(as.clients.get("shop"), undefined);
});

for (const [list, id] of [["people", "username"], ["clients", "client_id"]] as const) {
  it(`control: a dot segment is no name of ${list}, and a path with one is not the path of the tenant (RFC 3986 §5.2.4)`, async ({ ask }) => {
    assertEquals((await ask("POST", `/tenants/one/${list}`, { body: { [id]: "a.b" } })).status, 201);
    for (const name of [".", ".."]) {
      const made = await ask("POST", `/tenants/one/${list}`, { body: { [id]: name } });
      assertEquals([made.status, made.body.place], [400, id]);
      assertMatch(made.body.expected, / \. or \.\./);
      const renamed = await ask("PATCH", `/tenants/one/${list}/a.b`, { body: { [id]: name } });
      assertEquals([renamed.status, renamed.body.place], [400, id]);
    }
    for (const written of ["..", "%2e%2e", ".%2E"]) {
      const refused = await ask("DELETE", `/tenants/one/${list}/${written}`);
      assertEquals([refused.status, refused.body.error], [404, "not_found"]);
      assertMatch(refused.body.error_description, /ends with \/, or has \. or \.\. in the place of a name/);
    }
    assertEquals((await ask("DELETE", `/tenants/one/${list}/a.b`)).status, 204);
    assertEquals((await ask("GET", "/tenants")).body.tenants, ["one"]);
  });
}

it("control: a claim beside the username is refused with the body to send", async ({ ask }) => {
  const body = { username: "carol", email: "carol@example.com", roles: ["admin"] };
  const refused = await ask("POST", "/people", { body });
  assertEquals([refused.status, refused.body.place, refused.body.expected], [
    400,
    "email",
    "must be in claims",
  ]);
  assertEquals(
    refused.body.error_description,
    'email belongs in claims: write "claims": { "email": "carol@example.com", "roles": ["admin"] }',
  );
});
