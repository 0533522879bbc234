/** The page `/clients`: clients of every origin, why no link can start one, and what ends with a client. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { defaultFeatures } from "../../../src/server/features/mod.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import { readSettings } from "../../../src/server/setup/read_settings.ts";
import type { ClientMetadata } from "../../../src/server/setup/client_metadata.ts";
import { attribute, findAll, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import {
  formTokenOf,
  key,
  load,
  openControlled,
  type OpenedDashboard,
  openPlain,
  origin,
} from "./open_dashboard.ts";
import { authorizePath } from "./spa.ts";

const clients: readonly ClientMetadata[] = [
  { client_id: "web", client_name: "The shop", redirect_uris: ["https://shop.test/cb"] },
  { client_id: "secret", client_secret: "the-secret-of-the-client", redirect_uris: ["https://shop.test/cb"] },
  { client_id: "worker", client_secret: "another-secret", grant_types: ["client_credentials"] },
  {
    client_id: "pushing",
    redirect_uris: ["https://push.test/cb"],
    require_pushed_authorization_requests: true,
  },
  {
    client_id: "local",
    client_secret: "a-secret-of-the-till",
    redirect_uris: ["http://till.local/cb"],
    allow_private_http: true,
    require_pkce: false,
    remember_consent: false,
    subject_type: "pairwise",
    scope: "openid orders",
    oauth_version: "2.1",
  },
];

const clientPath = (id: string) => `/clients/client?${new URLSearchParams({ id })}`;

test("clients: no page has the secret of a client", async () => {
  const dashboard = openPlain({ clients });
  for (const path of ["/clients", ...clients.map(({ client_id: id }) => clientPath(id))]) {
    const page = await load(dashboard, path);
    assert(!page.includes("the-secret-of-the-client") && !page.includes("another-secret"));
  }
});

test("clients: an id that is only refused is no client", async () => {
  const dashboard = openPlain({ clients });
  const form = { grant_type: "client_credentials", client_id: "nobody", client_secret: "a-guess" };
  assertEquals((await dashboard.post("/oauth2/token", form)).status, 401);
  const page = await load(dashboard, "/clients");
  assertEquals([page.includes("nobody"), page.includes("web")], [false, true]);
});

test("clients: the row of a client says where a login ends that the page starts", async () => {
  const page = await load(openPlain({ clients }), "/clients");
  assert(page.includes("A login ends at"));
  assert(page.includes("<code>https://shop.test/cb</code>"));
});

test("clients: people sign in to a client for devices with a code, which the playground begins", async () => {
  const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
  const tv = { client_id: "tv", grant_types: [deviceGrant] };
  const dashboard = openPlain({ clients: [tv] });
  const href = "/playground?kind=device_authorization&client_id=tv";
  const [list, search, page, home] = await Promise.all(
    ["/clients", "/search?q=tv", clientPath("tv"), "/"].map((path) => load(dashboard, path)),
  );
  const inList = "Start a device login with tv";
  for (const [html, text] of [[list!, inList], [search!, inList], [page!, "Start a device login"]] as const) {
    const link = findAll(readHtml(html), "a").find((each) => attribute(each, "href") === href);
    assertEquals(link && textOf(link), text);
    assert(!html.includes("cannot sign in"));
  }
  assertStringIncludes(textOf(readHtml(page!)), "People sign in to it with a code at /device.");
  assertStringIncludes(textOf(readHtml(home!)), "People sign in with a code at /device.");
  assertStringIncludes(
    await load(dashboard, href),
    'name="client_id" aria-describedby="client_id-about" value="tv"',
  );
  // The name breaks at its colons, and the id can be copied.
  assertStringIncludes(page!, "urn:<wbr/>ietf:<wbr/>params:<wbr/>oauth:<wbr/>grant-type:<wbr/>device_code");
  assertStringIncludes(page!, 'data-copy="client-id"');
  assert(page!.indexOf("details-heading") < page!.indexOf("grants-heading"));
});

test("clients: a link that starts a login and names no client leads to the page", async () => {
  const { status, headers } = await openPlain({ clients }).send("/start");
  assertEquals([status, headers.get("location")], [303, "/clients"]);
});

test("clients: a button lets a client begin a sign-in, and gives it the issuer (OpenID Connect Core §4)", async () => {
  const uris = { begins: "https://shop.test/login", asks: "https://shop.test/login?tenant=1" };
  const dashboard = openPlain({
    clients: [
      ...clients,
      ...Object.entries(uris).map(([client_id, initiate_login_uri]) => ({
        ...{ client_id, initiate_login_uri, redirect_uris: ["https://shop.test/cb"] },
      })),
    ],
  });
  const linkOf = async (id: string) => {
    const page = readHtml(await load(dashboard, clientPath(id)));
    const link = findById(page, "begin");
    return link === undefined ? undefined : [textOf(link), attribute(link, "href")];
  };
  const iss = encodeURIComponent(origin);
  assertEquals(await linkOf("begins"), ["Let the client begin", `${uris.begins}?iss=${iss}`]);
  assertEquals(await linkOf("asks"), ["Let the client begin", `${uris.asks}&iss=${iss}`]);
  assertEquals(await linkOf("web"), undefined);
  const facts = await Promise.all(["begins", "web"].map((id) => load(dashboard, clientPath(id))));
  assertEquals(facts.map((page) => page.includes("Begins a login at")), [true, false]);
});

test("clients: the server fetches no document for a page about an unknown client", async () => {
  const fetched: string[] = [];
  await using dashboard = await openControlled({
    fetch: (url) => Promise.resolve(void fetched.push(`${url}`) as never),
  });
  assertEquals((await dashboard.send(clientPath("https://client.example/document"))).status, 404);
  assertEquals(fetched, []);
});

test("clients: registered, first-use and document clients can be removed, and their tokens end", async () => {
  const dashboard = await openControlled({ firstUse: true, registration: true });
  await using as = dashboard.as;
  const registered = await as.register();
  const { client_id: documented } = as.clientDocument();
  const newcomer = "newcomer";
  const asked = authorizePath({ client_id: newcomer, redirect_uri: "http://localhost:3000/cb" });
  await as.authorize(as.issuer + asked);
  const logins = [
    await as.login("alice", { client: registered.client_id }),
    await as.login("alice", { client: documented }),
  ];
  const html = await load(dashboard, "/clients");
  for (const tag of ["Registered", "With a document", "First use"]) assertStringIncludes(html, `>${tag}<`);

  for (const id of [registered.client_id, documented, newcomer]) {
    const page = await load(dashboard, clientPath(id));
    assertStringIncludes(page, 'id="grants"');
    const fields = { id, form_token: formTokenOf(page, "/clients/remove") };
    const removed = await dashboard.post("/clients/remove", fields);
    assertEquals(removed.headers.get("location"), "/clients?done=client_removed");
    assertEquals((await dashboard.send(clientPath(id))).status, 404);
    assertEquals(
      (await dashboard.post("/clients/remove", fields)).headers.get("location"),
      "/clients?done=gone",
    );
  }
  for (const { access_token } of logins) {
    const headers = { authorization: `Bearer ${access_token}` };
    assertEquals((await as.fetch(`${as.issuer}/userinfo`, { headers })).status, 401);
  }
});

test("clients: a client of the configuration has no button that removes it", async () => {
  const dashboard = await openControlled({ clients });
  await using as = dashboard.as;
  const page = await load(dashboard, clientPath("web"));
  assert(!page.includes('action="/clients/remove"'));
  const token = formTokenOf(await load(dashboard, clientPath("web")), "/clients/remove");
  assertEquals((await dashboard.post("/clients/remove", { id: "web", form_token: token })).status, 403);
  assertEquals(as.clients.all.length, clients.length);
});

test("clients: the export is a configuration, and only secrets are missing", async () => {
  const dashboard = openPlain({ clients });
  assertEquals((await dashboard.send("/clients/export")).status, 403);
  await dashboard.enter(key);
  const { clients: exported } = await (await dashboard.post("/clients/export", {})).json();
  assert(!JSON.stringify(exported).includes("secret-of"), JSON.stringify(exported));
  const complete = exported.map((client: ClientMetadata) => ({
    ...client,
    ...(client.token_endpoint_auth_method === "none" ? {} : { client_secret: "given again" }),
  }));
  const slots = gatherSlots(defaultFeatures({}));
  const read = (list: readonly ClientMetadata[]) =>
    [...readSettings({ clients: list }, slots).clients.values()].map((
      { epoch: _, authentication, ...client },
    ) => ({
      ...client,
      method: authentication?.method,
    }));
  assertEquals(read(complete), read(clients));
});

test("clients: without --control the page ends nothing", async () => {
  const dashboard = openPlain({ clients });
  assert(!(await load(dashboard, clientPath("web"))).includes('method="post"'));
  for (const action of ["remove", "end"]) {
    assertEquals((await dashboard.post(`/clients/${action}`, { id: "web" })).status, 403, action);
  }
});

test("sign-in page: on loopback with --control, it links to the form that adds a person", async () => {
  const asked = authorizePath({ client_id: "web", redirect_uri: "https://shop.test/cb" });
  await using controlled = await openControlled({ clients });
  const linksToForm = async (dashboard: OpenedDashboard) =>
    (await load(dashboard, asked)).includes('href="/people/add?next=');
  assertEquals(await linksToForm(controlled), true);
  assertEquals(await linksToForm(openPlain({ clients })), false);
  await using reached = await openControlled({ clients }, { isReached: true });
  assertEquals(await linksToForm(reached), false);
});
