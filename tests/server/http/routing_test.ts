/** Routes: exact paths and paths with a variable, their methods, and the refusal of everything else. */

import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { memoryStore, type Store } from "../../../src/mod.ts";
import { createRouter } from "../../../src/ground/http/router.ts";
import type { Endpoint } from "../../../src/server/oauth/contracts/feature.ts";
import { createEndpointRouter } from "../../../src/server/pipeline/endpoint_router.ts";
import { attribute, byId, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { addresses, everyAddress, paths } from "../../security/site.ts";
import { inWorld, navigationHeaders, withoutClients } from "../../world.ts";

const nowhere = [
  ...[
    "/nothing",
    "/oauth2",
    "/oauth2/",
    "/oauth2/token/",
    "/OAuth2/token",
    "/oauth2//token",
    "//oauth2/token",
  ],
  ...["/oauth2/t%6Fken", "/static/", "/static/../deno.json", "/static/..%2f..%2fdeno.json", "/connect"],
  ...["/static/nothing.css", "/.well-known/openid-configuration/", "/userinfo/", "/favicon.ico"],
];

const it = testInWorld({});

it("routing: an address that is almost that of an endpoint is none", async (world) => {
  for (const path of nowhere) {
    const response = await world.get(path);
    assertEquals([response.status, (await response.json()).error], [404, "not_found"], path);
    assertEquals(world.lastRefusal()?.reason, "path_unknown", path);
  }
});

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
/** Of a browser without fetch metadata, or of one on http beyond this machine. */
const oldNavigation = { ...html, "upgrade-insecure-requests": "1" };

/** Programs and scripts that accept HTML, and a navigation that does not. */
const noNavigations: readonly Readonly<Record<string, string>>[] = [
  { accept: "text/html" },
  html,
  { ...html, "upgrade-insecure-requests": "0" },
  { ...html, "sec-fetch-mode": "cors" },
  { ...html, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
  { ...oldNavigation, "sec-fetch-mode": "cors" },
  { accept: "*/*", "sec-fetch-mode": "navigate" },
  { accept: "application/json", "upgrade-insecure-requests": "1" },
];

it("routing: an unknown path is refused on a page for a navigation, in JSON for a program", async (world) => {
  for (const headers of [navigationHeaders, oldNavigation]) {
    const page = await world.get("/nothing", headers);
    assertEquals([page.status, page.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
    assertStringIncludes(await page.text(), "There is nothing here");
  }
  for (const headers of [{ accept: "*/*" }, ...noNavigations]) {
    const json = await world.get("/nothing", headers);
    assertEquals([json.status, json.headers.get("content-type")], [404, "application/json"]);
  }
});

test("routing: a program that accepts HTML gets at each address what another program gets", () =>
  inWorld(everyAddress, async (world) => {
    for (const path of paths) {
      const isPage = addresses.some((each) => each.path === path && each.refusal === "page");
      if (isPage) continue;
      const read = async (headers?: Readonly<Record<string, string>>) => {
        const response = await world.get(path, headers);
        return [response.status, response.headers.get("content-type"), (await response.text()).length];
      };
      const usual = await read();
      for (const headers of noNavigations) {
        assertEquals(await read(headers), usual, `${path} ${JSON.stringify(headers)}`);
      }
    }
  }));

it("routing: a browser that opens userinfo gets a page with the same status and challenge (RFC 6750 §3)", async (world) => {
  const ask = (headers: Record<string, string>) => world.get("/userinfo", headers);
  const seen = ({ status, headers }: Response) => [status, headers.get("www-authenticate")];
  const forProgram = await ask({});
  const forPerson = await ask(navigationHeaders);
  assertEquals([forProgram.status, await forProgram.text()], [401, ""]);
  assertEquals(seen(forPerson), seen(forProgram));
  assertEquals(forPerson.headers.get("access-control-allow-origin"), null);
  const page = readHtml(await forPerson.text());
  assertMatch(textOf(byId(page, "send")), /Authorization *Bearer <access token>/);
  for (const headers of [...noNavigations, { ...navigationHeaders, authorization: "Bearer x" }]) {
    const type = (await ask(headers)).headers.get("content-type");
    assertEquals(type?.startsWith("text/html") ?? false, false);
  }
});

it("routing: a script gets JSON with a wrong method, whatever it accepts", async (world) => {
  const headers = { accept: "text/html", "sec-fetch-mode": "cors", origin: "https://spa.example" };
  const response = await world.get("/oauth2/token", headers);
  assertEquals([response.status, response.headers.get("content-type")], [405, "application/json"]);
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
});

it("routing: an endpoint that takes GET alone answers the form of a page with a page", async (world) => {
  const request = new Request(`${world.issuer}/oauth2/jwks`, {
    method: "POST",
    headers: navigationHeaders,
  });
  const response = await world.fetch(request);
  assertEquals([response.status, response.headers.get("allow")], [405, "GET, HEAD"]);
  assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
});

test("router: two handlers for one path and method are refused at start", () => {
  const route = { method: "GET", path: "/x", handler: 1 } as const;
  assertThrows(() => createRouter([route, route]), TypeError, "GET /x");
  const router = createRouter([route, { ...route, method: "POST", handler: 2 }]);
  assertEquals(router("POST", "/x"), { handler: 2, variable: "" });
});

const variable = createRouter([
  { method: "GET", path: "/x/{id}", handler: "get" },
  { method: "DELETE", path: "/x/{id}", handler: "delete" },
  { method: "POST", path: "/x", handler: "post" },
]);

const matches = [
  ["GET", "/x/1", { handler: "get", variable: "1" }],
  ["HEAD", "/x/1", { handler: "get", variable: "1" }],
  ["DELETE", "/x/a%2Fb%C3%A9", { handler: "delete", variable: "a/bé" }],
  ["POST", "/x", { handler: "post", variable: "" }],
  ["POST", "/x/1", { allow: "GET, DELETE, HEAD", anyHandler: "get" }],
  ["GET", "/x/", undefined],
  ["GET", "/x/1/", undefined],
  ["GET", "/x/1/2", undefined],
  ["GET", "/x/%", undefined],
  ["GET", "/x/%FF", undefined],
  ["GET", "/y/1", undefined],
] as const;
for (const [method, path, match] of matches) {
  test(`router: ${method} ${path} at /x/{id} is ${JSON.stringify(match)}`, () =>
    assertEquals(variable(method, path), match));
}

test("router: a variable is the whole last segment, and no other path may match the same addresses", () => {
  const refused = ["/{id}", "/x/{id}/y", "/x/a{id}", "/x/{}", "/x/{a}{b}", "/{a}/{b}"].map((path) => [path]);
  for (const paths of [...refused, ["/x/{id}", "/x/y"], ["/x/{id}", "/x/{other}"]]) {
    const routes = paths.map((path) => ({ method: "GET", path, handler: 1 } as const));
    assertThrows(() => createRouter(routes), TypeError, paths.at(-1));
  }
});

it("static files: are revalidated by their ETag, also in a list (RFC 9110 §13.1.2)", async (world) => {
  const file = await world.get("/static/postern.css");
  assertMatch(file.headers.get("content-type")!, /^text\/css/);
  const etag = file.headers.get("etag")!;
  for (const known of [etag, `W/${etag}`, `"other" , ${etag}`, "*"]) {
    const again = await world.get("/static/postern.css", { "if-none-match": known });
    assertEquals([again.status, await again.text(), again.headers.get("etag")], [304, "", etag]);
  }
  assertEquals((await world.get("/static/postern.css", { "if-none-match": '"other"' })).status, 200);
});

it("routing: the page of an unknown address lists the endpoints, and links to nothing that the address names", async (world) => {
  const page = await (await world.get("//evil.example/x?y", navigationHeaders)).text();
  const document = readHtml(page);
  assertStringIncludes(textOf(byId(document, "endpoints")), "https://as.test/oauth2/token");
  assertEquals(findById(document, "try-again"), undefined);
});

test("refusal: a page offers to try again after a fault, except where sign-in is automatic", async () => {
  const store: Store = { ...memoryStore(), get: () => Promise.reject(new Error("No store")) };
  const people = [{ username: "alice" }];
  for (const login of ["picker", "auto"]) {
    await withoutClients({ login, people, store }, async (world) => {
      const changed = { client_id: "newcomer", state: "a b&c" };
      const response = await world.authorize(changed);
      assertEquals(response.status, 500);
      const url = new URL(world.authorizeUrl(changed));
      const link = findById(readHtml(await response.text()), "try-again");
      assertEquals(
        link && attribute(link, "href"),
        login === "picker" ? url.pathname + url.search : undefined,
      );
    });
  }
});

test("refusal: a page does not offer to try again what is refused again", () =>
  inWorld({ login: "picker", people: [{ username: "alice" }] }, async (world) => {
    const unknown = { client_id: "newcomer", redirect_uri: "https://unknown.example/" };
    for (const changed of [unknown, { client_id: undefined }]) {
      const document = readHtml(await (await world.authorize(changed)).text());
      assertEquals(findById(document, "try-again"), undefined);
    }
  }));

const endpointAt = (path: string, more: Partial<Endpoint> = {}): Endpoint => ({
  ...{ method: "GET", path, refusal: "json", ...more },
  handle: () => Promise.reject(new Error("No request comes here")),
});

const everyPlace = {
  front: endpointAt("/"),
  token: endpointAt("/token"),
  client: endpointAt("/register/{client_id}"),
  announced: endpointAt("/.well-known/server", { wellKnown: true }),
  after: endpointAt("/.well-known/server"),
  fixed: endpointAt("/a/api", { atOrigin: true }),
};
const endpoints = Object.values(everyPlace);

test("routing: issuers with paths share a router, and each finds the endpoints at its own paths", () => {
  const { front, token, client, announced, after, fixed } = everyPlace;
  for (const basePath of ["/b", "/b/c", "/a/api/d"]) {
    const router = createEndpointRouter(endpoints, { basePath });
    const find = (path: string) => {
      const match = router("GET", path);
      return match !== undefined && "handler" in match ? match.handler : match;
    };
    const own: readonly (readonly [string, Endpoint])[] = [
      ...[[basePath, front], [`${basePath}/`, front], [`${basePath}/token`, token]] as const,
      ...[[`${basePath}/register/x`, client], [`/.well-known/server${basePath}`, announced]] as const,
      ...[[`${basePath}/.well-known/server`, after], ["/a/api", fixed]] as const,
    ];
    for (const [path, endpoint] of own) assertEquals(find(path) === endpoint, true, path);
    const foreign = [
      "/token",
      "/",
      "/.well-known/server",
      "/z/token",
      `${basePath}x/token`,
    ];
    for (const path of [...foreign, `/token${basePath}`, `${basePath}${basePath}/token`]) {
      assertEquals(find(path), undefined, path);
    }
    assertEquals(router("POST", `${basePath}/token`), { allow: "GET, HEAD", anyHandler: token });
  }
});

test("routing: a further issuer with the same endpoints compares their paths, and compiles none", () => {
  let count = 0;
  const counted = endpoints.map((endpoint) => ({
    ...endpoint,
    get path() {
      count++;
      return endpoint.path;
    },
  }));
  const readsFor = (basePath: string) => {
    count = 0;
    createEndpointRouter(counted, { basePath });
    return count;
  };
  const first = readsFor("/b");
  assertEquals(["/c", "/d/e", "/a/ap"].map(readsFor), Array(3).fill(counted.length));
  assert(first > 2 * counted.length, `${first} reads`);
});

test("routing: an issuer whose path makes two paths equal is refused, also after another with these endpoints", () => {
  createEndpointRouter(endpoints, { basePath: "/b" });
  const equal: readonly (readonly [string, Endpoint])[] = [
    ["/a", endpointAt("/api")],
    ["/a", endpointAt("/{name}")],
    ["/.well-known/server", endpointAt("/.well-known/server")],
  ];
  for (const [basePath, more] of equal) {
    const all = [everyPlace.fixed, everyPlace.announced, more];
    createEndpointRouter(all, { basePath: "/b" });
    assertThrows(() => createEndpointRouter(all, { basePath }), TypeError, "two features answer");
  }
});
