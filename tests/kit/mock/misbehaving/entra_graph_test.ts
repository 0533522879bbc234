/** People and their groups in Microsoft Graph, at the look-alike of Entra, as an application and as a person see them. */

import { assertEquals } from "@std/assert";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const graph = "https://graph.microsoft.com/v1.0";
const admins = "5ea5ba62-6ba4-4a0e-a6a0-3d5ee8b6e3a4";

async function createDirectory(
  scope = "https://graph.microsoft.com/.default",
  grant_type = "client_credentials",
) {
  const as = await createMock({
    lookLike: "entra",
    clients: [{ client_id: "daemon", client_secret: "the secret", grant_types: ["client_credentials"] }],
    people: [
      { username: "alice", claims: { name: "Alice", email: "alice@shop.test", groups: ["Staff", admins] } },
      { username: "bob", claims: { name: "Bob O'Hara", email: "bob@shop.test", groups: ["Staff"] } },
      { username: "carol", claims: { name: "Carol" } },
    ],
  });
  const body = new URLSearchParams({
    ...{ grant_type, client_id: "daemon", client_secret: "the secret", scope },
    ...{ username: "alice", password: "any" },
  });
  const token = "https://login.microsoftonline.com/common/oauth2/v2.0/token";
  const { access_token } = await (await as.fetch(token, { method: "POST", body })).json();
  return { as, ask: (path: string, sent?: unknown) => ask(as, path, access_token, sent) };
}

async function ask(as: Mock, path: string, accessToken: string, sent?: unknown) {
  const answer = await as.fetch(path.startsWith("https:") ? path : graph + path, {
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
    ...(sent === undefined ? {} : { method: "POST", body: JSON.stringify(sent) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const names = ({ body }: { body: { value: readonly { displayName: string }[] } }) =>
  body.value.map(({ displayName }) => displayName);

test("Graph: an application lists the people in pages, with the members that it selects", async () => {
  const { as, ask } = await createDirectory();
  await using _as = as;
  const first = await ask("/users?$top=2&$count=true&$select=displayName,jobTitle,accountEnabled,userType");
  assertEquals([names(first), first.body["@odata.count"]], [["Alice", "Bob O'Hara"], 3]);
  const [{ id, ...alice }] = first.body.value;
  assertEquals(alice, { displayName: "Alice", jobTitle: null, accountEnabled: true, userType: "Member" });
  const last = await ask(first.body["@odata.nextLink"]);
  assertEquals([names(last), last.body["@odata.nextLink"]], [["Carol"], undefined]);
  const { body } = await ask(`/users/${id}?$select=mail`);
  assertEquals([body.mail, body.displayName, body.id], ["alice@shop.test", undefined, id]);
});

test("Graph: two slashes before .default mean the same permissions", async () => {
  const { as, ask } = await createDirectory("https://graph.microsoft.com//.default");
  await using _as = as;
  assertEquals(names(await ask("/users?$select=displayName")), ["Alice", "Bob O'Hara", "Carol"]);
});

test("Graph: a filter compares members with a text or with its start, and another one is refused", async () => {
  const { as, ask } = await createDirectory();
  await using _as = as;
  const filter = async (text: string) => names(await ask(`/users?$filter=${encodeURIComponent(text)}`));
  assertEquals(await filter("mail eq 'ALICE@shop.test'"), ["Alice"]);
  assertEquals(await filter("displayName eq 'Bob O''Hara'"), ["Bob O'Hara"]);
  assertEquals(await filter("startswith(displayName, 'C') or userPrincipalName eq 'bob@shop.test'"), [
    ...["Bob O'Hara", "Carol"],
  ]);
  assertEquals(await filter("startswith(mail,'alice') and displayName eq 'Bob'"), []);
  for (const [joint, found] of [["AND", []], ["OR", ["Alice", "Bob O'Hara"]]] as const) {
    assertEquals(await filter(`StartsWith(mail,'alice') ${joint} mail EQ 'bob@shop.test'`), [...found]);
  }
  assertEquals(await filter("displayName eq 'x or mail eq '"), []);
  const counted = await ask(
    "/users?$count=true&$top=1&$filter=startswith(mail,'alice') or displayName eq 'Carol'",
  );
  assertEquals([counted.body["@odata.count"], names(counted)], [2, ["Alice"]]);
  for (const text of ["endswith(mail,'test')", "accountEnabled eq true", "mail eq 'a' and not(x eq 'y')"]) {
    const { status, body } = await ask(`/users?$filter=${encodeURIComponent(text)}`);
    assertEquals([status, body.error.code], [400, "BadRequest"], text);
  }
});

test("Graph: the groups of a person are those of the claim groups, by their ids or by their names", async () => {
  const { as, ask } = await createDirectory();
  await using _as = as;
  const memberships = (await ask("/users/alice@shop.test/memberOf")).body.value;
  assertEquals(memberships.map((each: { displayName: string }) => each.displayName), ["Staff", admins]);
  const staff = memberships[0].id;
  assertEquals((await ask("/users/bob@shop.test/getMemberGroups", {})).body.value, [staff]);
  const asked = { groupIds: [admins, staff, "8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d"] };
  assertEquals((await ask("/users/alice@shop.test/checkMemberGroups", asked)).body.value, [admins, staff]);
  assertEquals((await ask("/users/carol/checkMemberObjects", { ids: [staff] })).body.value, []);
  assertEquals(names(await ask("/groups?$filter=displayName eq 'Staff'")), ["Staff"]);
  assertEquals((await ask(`/groups/${admins}`)).body.id, admins);
  assertEquals(names(await ask(`/groups/${staff}/members`)), ["Alice", "Bob O'Hara"]);
  assertEquals(names(await ask(`/groups/${staff}/transitiveMembers/microsoft.graph.user`)).length, 2);
  const roles = await ask("/users/alice@shop.test/memberOf/microsoft.graph.directoryRole");
  assertEquals(roles.body.value, []);
  for (const path of ["/groups/8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d", "/users/alice@shop.test/manager"]) {
    const { status, body } = await ask(path);
    assertEquals([status, body.error.code], [404, "Request_ResourceNotFound"], path);
  }
});

test("Graph: an application is no person, and changes nothing", async () => {
  const { as, ask } = await createDirectory();
  await using _as = as;
  for (const [path, sent] of [["/me"], ["/me/memberOf"], ["/me/getMemberGroups", {}]] as const) {
    const { status, body } = await ask(path, sent);
    assertEquals([status, body.error.code], [400, "BadRequest"], path);
    assertEquals(body.error.message, "/me request is only valid with delegated authentication flow");
  }
  for (const path of ["/me/photo/$value", "/users/bob@shop.test/photo/$value"]) {
    assertEquals((await as.fetch(graph + path)).status, 401, path);
  }
  as.clock.freeze();
  const { body: { error } } = await ask("/users/bob@shop.test/photo/$value");
  const date = as.clock.date.toISOString().slice(0, 19);
  assertEquals([error.code, error.innerError.date], ["ImageNotFound", date]);
  const { status, body } = await ask("/users", { displayName: "Dave" });
  assertEquals([status, body.error.code], [405, "Request_BadRequest"]);
});

test("Graph: each answer names what it is of, with the members that the request selects", async () => {
  const { as, ask } = await createDirectory();
  await using _as = as;
  const alice = "/users/alice@shop.test";
  for (
    const [path, context, sent] of [
      [alice, "users/$entity"],
      ["/users?$select=mail,id", "users(mail,id)"],
      ["/groups", "groups"],
      [`/groups/${admins}?$select=id`, "groups(id)/$entity"],
      [`/groups/${admins}/members`, "directoryObjects"],
      [`/groups/${admins}/members/microsoft.graph.user`, "users"],
      [`${alice}/memberOf`, "directoryObjects"],
      [`${alice}/memberOf/microsoft.graph.group`, "groups"],
      [`${alice}/directReports`, "directoryObjects"],
      [`${alice}/getMemberGroups`, "Collection(Edm.String)", {}],
      [`${alice}/checkMemberGroups`, "Collection(Edm.String)", { groupIds: [] }],
    ] as const
  ) {
    assertEquals((await ask(path, sent)).body["@odata.context"], `${graph}/$metadata#${context}`, path);
  }
});

test("Graph: a batch answers each request as its own address does, and a batch of another form is refused", async () => {
  const { as, ask } = await createDirectory();
  await using _as = as;
  const { body } = await ask("/$batch", {
    requests: [
      { id: "1", method: "GET", url: "/users?$top=1" },
      { id: "2", method: "GET", url: "users/nobody" },
      {
        id: "3",
        method: "POST",
        url: "/users/bob@shop.test/checkMemberGroups",
        body: { groupIds: [admins] },
      },
      { id: "4", method: "TRACE", url: "/users" },
      { id: "5", method: "no method", url: "/users" },
    ],
  });
  const parts = body.responses.map((each: { id: string; status: number }) => [each.id, each.status]);
  assertEquals(parts, [["1", 200], ["2", 404], ["3", 200], ["4", 400], ["5", 400]]);
  assertEquals(names(body.responses[0]), ["Alice"]);
  assertEquals(body.responses[2].body.value, []);
  const most = await ask("/$batch", { requests: Array(20).fill({ id: "1", method: "GET", url: "/users" }) });
  assertEquals([most.status, most.body.responses.length], [200, 20]);
  for (const sent of [{}, { requests: ["/me"] }, { requests: Array(21).fill({ id: "1", url: "/users" }) }]) {
    const { status, body } = await ask("/$batch", sent);
    assertEquals([status, body.error.code], [400, "BadRequest"]);
  }
  assertEquals((await as.fetch(`${graph}/$batch`, { method: "POST", body: "{}" })).status, 401);
});

test("Graph: people and groups need the scopes that Microsoft names", async () => {
  const { as, ask } = await createDirectory("https://graph.microsoft.com/User.Read.All", "password");
  await using _as = as;
  assertEquals((await ask("/users")).status, 200);
  for (const path of ["/groups", `/groups/${admins}`, "/users/alice@shop.test/memberOf"]) {
    const { status, body } = await ask(path);
    assertEquals([status, body.error.code], [403, "Authorization_RequestDenied"], path);
  }
});

const [me, own, people, group] = [
  ["/me"],
  ["/users/alice@shop.test"],
  ["/users", "/users/bob@shop.test", "/users/bob@shop.test/directReports"],
  ["/groups", `/groups/${admins}`, "/me/memberOf", "/users/bob@shop.test/memberOf"],
];

/** What a person may read with each permission. */
const permissions: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(["User.Read", "User.ReadWrite"].map((name) => [name, [...me!, ...own!]])),
  ...Object.fromEntries(
    ["User.ReadBasic.All", "User.Read.All", "User.ReadWrite.All", "Directory.ReadWrite.All"]
      .map((name) => [name, [...me!, ...own!, ...people!]]),
  ),
  ...Object.fromEntries(["GroupMember.Read.All", "Group.Read.All"].map((name) => [name, group!])),
  "Directory.Read.All": [...me!, ...own!, ...people!, ...group!],
};

test("Graph: each permission lets a person read what Microsoft names, with the address of Graph and without", async () => {
  for (const [name, paths] of Object.entries(permissions)) {
    for (const scope of [name, `https://graph.microsoft.com/${name}`]) {
      const { as, ask } = await createDirectory(scope, "password");
      await using _as = as;
      for (const path of paths) assertEquals([scope, path, (await ask(path)).status], [scope, path, 200]);
    }
  }
  const { as, ask } = await createDirectory("Mail.Read", "password");
  await using _as = as;
  for (const path of Object.values(permissions).flat()) {
    assertEquals([path, (await ask(path)).status], [path, 403]);
  }
});

test("Graph: a page has a hundred people, unless the request names another number", async () => {
  const { as, ask } = await createDirectory();
  await using _as = as;
  const link = async () => (await ask("/users")).body["@odata.nextLink"];
  for (let index = 0; index < 97; index++) as.people.add({ username: `person${index}` });
  assertEquals(await link(), undefined);
  as.people.add({ username: "last" });
  assertEquals(names(await ask(await link())), ["last"]);
});
