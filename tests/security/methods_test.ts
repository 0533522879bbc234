/** Wrong methods, types and headers are refused and change nothing. */

import { assert, assertEquals, assertLess } from "@std/assert";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import {
  basic,
  codeForm,
  createBrowser,
  createWorld,
  encodeForm,
  redirectUri,
  verifier,
  type World,
} from "../world.ts";
import { countingStore } from "./counting_store.ts";
import { addresses, bodyType, everyAddress, formType, paths, readRefusal } from "./site.ts";

const methods = [
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY", "get ", "gEt"],
];

/** `undefined` if the runtime refuses the method, or replaces it, as Bun does with GET. */
function requestBy(method: string, url: string): Request | undefined {
  try {
    const request = new Request(url, { method });
    return request.method.toLowerCase() === method.toLowerCase() ? request : undefined;
  } catch {
    return undefined;
  }
}

test("every method at every path: others than the path's own get 405 with Allow (RFC 9110 §15.5.6)", async () => {
  const store = countingStore();
  await using world = createWorld({ store, login: "picker", ...everyAddress });
  for (const path of paths) {
    // Two features may have the same path.
    const own = [
      ...new Set(addresses.flatMap((each) => each.path === path ? [each.method as string] : [])),
    ];
    const isOpen =
      (await world.fetch(new Request(world.issuer + path, { method: "OPTIONS" }))).status === 204;
    for (const method of methods) {
      const request = requestBy(method, world.issuer + path);
      if (request === undefined) continue;
      const { status, headers } = await world.fetch(request);
      const because = `${method} ${path}`;
      const isHead = request.method === "HEAD" && own.includes("GET");
      if (own.includes(request.method) || (isHead && status !== 405)) {
        assert(status < 405, `${because}: ${status}`);
      } else if (method === "OPTIONS" && isOpen) assertEquals(status, 204, because);
      else {
        // HEAD is allowed where GET is, unless GET has effects.
        const allow = headers.get("allow")?.split(", ").filter((each) => each !== "HEAD").sort();
        assertEquals([status, allow], [405, [...own].sort()], because);
        assert(!isHead || !headers.get("allow")!.includes("HEAD"), because);
      }
    }
    for (const method of methods) {
      // Two segments, because the last segment of a path may be a variable.
      const request = requestBy(method, `${world.issuer}${path === "/" ? "" : path}/no/where`);
      if (request !== undefined) {
        assertEquals((await world.fetch(request)).status, 404, `${method} ${path}/no/where`);
      }
    }
  }
  assertEquals(store.writes, []);
});

test("limits: HEAD and OPTIONS of a valid request change nothing, even where GET gives a code", async () => {
  const store = countingStore();
  const options = {
    store,
    ...everyAddress,
    clients: [{ client_id: "public", redirect_uris: ["https://as.test/authorized", redirectUri] }],
  };
  await using world = createWorld(options);
  const urls = [
    world.authorizeUrl(),
    `${world.issuer}/start?client_id=public`,
    ...paths.map((path) => world.issuer + path),
  ];
  for (const url of urls) {
    for (const method of ["HEAD", "OPTIONS"]) {
      const response = await world.fetch(new Request(url, { method }));
      if (method === "HEAD") assertEquals(await response.text(), "", url);
      assertEquals(store.writes, [], `${method} ${url}`);
      assert(!(response.headers.get("location") ?? "").includes("code="), `${method} ${url}`);
    }
  }
});

const types: readonly (readonly [type: string | undefined, good: boolean])[] = [
  ["application/x-www-form-urlencoded", true],
  ["application/x-www-form-urlencoded;charset=UTF-8", true],
  ['Application/X-WWW-Form-Urlencoded ; Charset="utf-8"', true],
  ["application/x-www-form-urlencoded; charset=utf8", true],
  ["application/x-www-form-urlencoded;", true],
  ["application/x-www-form-urlencoded; charset=ISO-8859-1", true],
  ["application/x-www-form-urlencoded;charset=US-ASCII", true],
  ["application/x-www-form-urlencoded; charset=windows-1252", true],
  ["application/x-www-form-urlencoded; charset=utf-16", false],
  ["application/x-www-form-urlencoded; charset=utf-7", false],
  ["application/x-www-form-urlencoded, application/x-www-form-urlencoded", false],
  ["application/json, application/x-www-form-urlencoded", false],
  ["application/x-www-form-urlencoded, application/json", false],
  ["application/x-www-form-urlencodedx", false],
  ["x-application/x-www-form-urlencoded", false],
  ["application/json", false],
  ["application/jwt", false],
  ["text/plain", false],
  ["text/plain;application/x-www-form-urlencoded", false],
  ["multipart/form-data; boundary=x", false],
  ["__proto__", false],
  ["", false],
  [undefined, false],
];

test("token: another content type than a form is refused, even with a form as body (OAuth 2.1 §3.2.2)", async () => {
  const store = countingStore();
  await using world = createWorld({ store });
  for (const [type, good] of types) {
    const body = encodeForm(codeForm(await world.code()));
    store.forget();
    // Bytes, because runtimes add a content type to a text.
    const request = new Request(`${world.issuer}/oauth2/token`, {
      method: "POST",
      body: new TextEncoder().encode(body),
      ...(type === undefined ? {} : { headers: { "content-type": type } }),
    });
    const response = await world.fetch(request);
    if (good) assertEquals(response.status, 200, type);
    else {
      assertEquals(await readRefusal(response), "400 invalid_request", type);
      assertEquals(store.writes, [], type);
    }
  }
});

/** Endpoints that accept unknown parameters twice, and those that ask for an access token first. */
const tolerant = ["/oauth2/authorize", "/authorized", "/userinfo", "/resource", "/resource/call"];

test("form: a parameter that comes twice is refused before all else, also an unknown one (OAuth 2.1 §3.2)", async () => {
  const store = countingStore();
  await using world = createWorld({ store, login: "picker", ...everyAddress });
  for (const { method, path } of addresses) {
    if (method !== "POST" || bodyType(path) !== formType || tolerant.includes(path)) continue;
    const { status } = await world.post(path, "client_id=public&unknown=x&unknown=x");
    assertEquals([status, world.lastRefusal()?.reason], [400, "repeated_parameter"], path);
  }
  assertEquals(store.writes, []);
});

const it = testInWorld({});

it("token: a form in another charset has ASCII only (OAuth 2.1 appendix B)", async (world) => {
  const send = async (value: string, charset: string) => {
    const body = `${encodeForm(codeForm(await world.code()))}&note=${value}`;
    const headers = { "content-type": `application/x-www-form-urlencoded; charset=${charset}` };
    const response = await world.fetch(
      new Request(`${world.issuer}/oauth2/token`, { method: "POST", body, headers }),
    );
    return `${response.status} ${world.lastRefusal()?.reason}`;
  };
  for (const value of ["%C3%A4", "%e4", "ä"]) {
    assertEquals(await send(value, "ISO-8859-1"), "400 not_a_form", value);
  }
  assertEquals(await send("%C3%A4", "UTF-8"), "200 undefined");
});

it("token: credentials and parameters in the query are ignored (OAuth 2.1 §2.4.1)", async (world) => {
  const code = await world.code({ client_id: "post" });
  const redeem = (query: string, form: Record<string, string>) =>
    world.post(`/oauth2/token?${query}`, {
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...form,
    });
  const tries: readonly (readonly [string, Record<string, string>, string])[] = [
    ["client_secret=post-secret", { code, client_id: "post" }, "401 invalid_client"],
    ["client_id=post&client_secret=post-secret", { code }, "400 invalid_request"],
    [`code=${code}`, { client_id: "post", client_secret: "post-secret" }, "400 invalid_request"],
    [`access_token=x&code=${code}&client_secret=post-secret`, { client_id: "post" }, "401 invalid_client"],
  ];
  for (const [query, form, heard] of tries) {
    assertEquals(await readRefusal(await redeem(query, form)), heard, query);
  }
  const complete = { code, client_id: "post", client_secret: "post-secret" };
  assertEquals((await redeem("client_id=public&scope=admin&code_verifier=x", complete)).status, 200);
});

async function statusWith(world: World, headers: Headers): Promise<number> {
  for (const [name, value] of Object.entries(formType)) if (!headers.has(name)) headers.set(name, value);
  const body = encodeForm({ grant_type: "authorization_code", code: "x", client_id: "public" });
  return (await world.fetch(new Request(`${world.issuer}/oauth2/token`, { method: "POST", headers, body })))
    .status;
}

it("headers: many, large or repeated ones and prototype names cause no fault", async (world) => {
  const many = new Headers();
  for (let at = 0; at < 1000; at++) many.set(`x-header-${at}`, "x".repeat(100));
  assertEquals(await statusWith(world, many), 400);
  for (const name of ["__proto__", "constructor", "hasownproperty", "tostring"]) {
    assertEquals(await statusWith(world, new Headers([[name, "x"]])), 400, name);
  }
  assertEquals(await statusWith(world, new Headers([["x-large", "x".repeat(1_000_000)]])), 400);
  const types = new Headers([["content-type", formType["content-type"]], [
    "content-type",
    formType["content-type"],
  ]]);
  assertEquals(await statusWith(world, types), 400);
  const { authorization } = basic("basic", "basic secret: a+b%c");
  assertEquals(
    await statusWith(
      world,
      new Headers([["authorization", authorization], ["authorization", authorization]]),
    ),
    401,
  );
  assertEquals(({} as Record<string, unknown>)["x"], undefined);
});

test("cookies: fifty foreign ones of 4 KB have no effect, and a repeated cookie of the server is ignored", async () => {
  await using world = createWorld({ login: "picker" });
  const browser = createBrowser(world);
  const page = await browser.open(world.authorizeUrl());
  for (let at = 0; at < 50; at++) browser.cookies.set(`other${at}`, "x".repeat(4096));
  const consent = await browser.submit(page, { person: "alice" });
  assertEquals(consent.status, 200);
  for (const [name, value] of browser.cookies) {
    if (name.includes("postern")) assertLess(`${name}=${value}`.length, 200, "the server's cookies grow");
  }
  const ours = [...browser.cookies].filter(([name]) => name.includes("postern_browser"));
  browser.cookies.set(` ${ours[0]![0]}`, "A".repeat(43));
  assertEquals((await browser.submit(consent, { decision: "approve" })).status, 403);
});
