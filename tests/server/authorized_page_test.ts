/** The callback page inside another application: it shows the outcome, and starts the next flow. */

import { assertEquals, assertThrows } from "@std/assert";
import { authorizedPage } from "../../src/mod.ts";
import { readCurlCommand } from "../flows/curl_command.ts";
import { assertTokens } from "./oauth/refusals.ts";
import { byId, findAll, findById, readHtml, textOf } from "./pages/read_html.ts";
import { test } from "../runner.ts";
import { inWorld, type World } from "../world.ts";

const applicationUri = "https://app.example/authorized";

/** Follows redirects between the application's page and the server. */
async function followRedirects(
  link: string,
  app: (request: Request) => Response,
  world: World,
): Promise<Response> {
  let url = new URL(link, applicationUri).href;
  let cookie = "";
  for (let step = 0; step < 6; step++) {
    const isApp = url.startsWith(applicationUri);
    const request = new Request(url, { headers: isApp && cookie !== "" ? { cookie } : {} });
    const response = isApp ? app(request) : await world.fetch(request);
    if (isApp) cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    const location = response.headers.get("location");
    if (location === null) return response;
    url = new URL(location, url).href;
  }
  throw new Error(`too many redirects, the last one to ${url}`);
}

for (const named of [{ clientId: "app" }, {}]) {
  test(`authorized page: ${named.clientId ?? "no client named"}: it starts a new flow of its client, which works`, () =>
    inWorld({
      clients: [
        { client_id: "first", redirect_uris: ["https://as.test/authorized"] },
        { client_id: "app", redirect_uris: [applicationUri] },
      ],
    }, async (world) => {
      const tokenEndpoint = `${world.issuer}/oauth2/token`;
      const app = authorizedPage({ tokenEndpoint, issuer: world.issuer, ...named });
      const failure = readHtml(await app(new Request(`${applicationUri}?error=access_denied`)).text());
      assertEquals(textOf(findAll(failure, "h1")[0]!), "Authorization Failed");
      const link = byId(failure, "start").attributes.get("href")!;
      const page = await followRedirects(link, app, world);
      assertEquals([page.status, page.headers.get("cache-control")], [200, "no-store"]);
      const document = readHtml(await page.text());
      assertEquals(textOf(findAll(document, "h1")[0]!), "Authorization Successful!");
      assertEquals(byId(document, "start").attributes.get("href"), link);
      const command = textOf(byId(document, "example-public")).replace("<CLIENT_ID>", "app");
      await assertTokens(await world.fetch(readCurlCommand(command)));
    }));
}

test("authorized page: it shows a verifier only for a flow that it started in this browser", () =>
  inWorld({ clients: [{ client_id: "app", redirect_uris: [applicationUri] }] }, async (world) => {
    const app = authorizedPage({ tokenEndpoint: `${world.issuer}/oauth2/token` });
    const started = app(new Request(`${applicationUri}?start`));
    const state = new URL(started.headers.get("location")!).searchParams.get("state")!;
    const cookie = started.headers.get("set-cookie")!.split(";")[0]!;
    const shows = async (query: Record<string, string>, headers: HeadersInit) => {
      const url = `${applicationUri}?${new URLSearchParams({ code: "c", ...query })}`;
      return findById(readHtml(await app(new Request(url, { headers })).text()), "code-verifier") !==
        undefined;
    };
    assertEquals(await shows({ state }, { cookie }), true);
    assertEquals(await shows({ state }, {}), false);
    assertEquals(await shows({ state: "the-application's-own" }, { cookie }), false);
    assertEquals(await shows({ state: `x${state}` }, { cookie }), false);
    assertEquals(await shows({ state }, { cookie: `${cookie}; ${cookie}` }), false);
  }));

test("authorized page: a cookie that it has not set is replaced", () => {
  const app = authorizedPage({ tokenEndpoint: "https://as.test/oauth2/token", clientId: "app" });
  const setsCookie = (cookie?: string) => {
    const request = new Request(`${applicationUri}?start`, {
      headers: cookie === undefined ? {} : { cookie },
    });
    return app(request).headers.get("set-cookie")?.split(";")[0];
  };
  const own = setsCookie()!;
  assertEquals(setsCookie(own), undefined);
  for (const other of [`${own}x`, own.replace("=", "=x"), own.slice(0, -1), `${own.slice(0, -1)}!`]) {
    assertEquals(setsCookie(other)?.length, own.length, other);
  }
});

test("authorized page: the login has the other parameters of its start address (OpenID Connect Core §3.1.2.1)", () => {
  const app = authorizedPage({ tokenEndpoint: "https://as.test/oauth2/token", clientId: "app" });
  const query = "start&prompt=select_account&resource=https://a.test/&resource=https://b.test/";
  const replaced = "client_id=other&redirect_uri=https://x.test/&state=s&code_challenge=c";
  const { headers } = app(new Request(`${applicationUri}?${query}&${replaced}`));
  const params = new URL(headers.get("location")!).searchParams;
  assertEquals(params.getAll("prompt"), ["select_account"]);
  assertEquals(params.getAll("resource"), ["https://a.test/", "https://b.test/"]);
  assertEquals([params.getAll("client_id"), params.getAll("redirect_uri")], [["app"], [applicationUri]]);
  for (const [name, value] of [["state", "s"], ["code_challenge", "c"]] as const) {
    assertEquals([params.getAll(name).length, params.get(name) === value], [1, false], name);
  }
  assertEquals(params.has("start"), false);
  // 16 random octets, and 16 of their signature, in base64url.
  assertEquals(params.get("state")!.split(".").map(({ length }) => length), [22, 22]);
});

test("authorized page: startUrl is used unchanged, and without it another kind of server has no start link", async () => {
  const linkOf = async (options: Parameters<typeof authorizedPage>[0]) => {
    const page = authorizedPage(options)(new Request(`${applicationUri}?error=x`));
    return findById(readHtml(await page.text()), "start")?.attributes.get("href");
  };
  const tokenEndpoint = "https://as.example/token";
  assertEquals(await linkOf({ tokenEndpoint, startUrl: "/login" }), "/login");
  assertEquals(await linkOf({ tokenEndpoint }), undefined);
});

test("authorized page: the address of the token endpoint is absolute", () => {
  const create = () => authorizedPage({ tokenEndpoint: "/oauth2/token" });
  assertThrows(create, TypeError, "tokenEndpoint must be an absolute URL");
});
