/** The page of the control plane: who gets it, what it shows, and what it cannot do. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { createControl } from "../../../src/tools/control/control.ts";
import { describeCalls } from "../../../src/tools/control/describe_calls.ts";
import type { ControlRoute } from "../../../src/tools/control/route.ts";
import { controlRoutes } from "../../../src/tools/control/routes.ts";
import { fromRequest, toResponse } from "../../../src/ground/http/message.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { byId, everyElement, findAll, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { origin, withControl } from "./with_control.ts";

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8", "sec-fetch-site": "none" };

interface Opened {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: string;
  readonly token?: string;
}

/** Where programs reach the control plane, too, but browsers do not. */
const also = ["http://postern:9000"];

async function open(
  { method = "GET", path = "", headers = {}, at = origin, token }: Opened = {},
) {
  const started = await createStartedMock({ alg: "ES256" });
  await using _as = started.mock;
  const control = createControl(started, { also, ...(token === undefined ? {} : { token }) });
  const request = new Request(`${at}/_postern${path}`, { method, headers: { ...browser, ...headers } });
  const response = toResponse(await control.answer(fromRequest(request, "127.0.0.1"))!);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const groups = describeCalls({ url: `${origin}/_postern`, needsToken: false });

const htmlType = "text/html; charset=utf-8";

test("control page: a browser gets a page with a link to each call", async () => {
  for (const path of ["", "/", "?call=nothing"]) {
    const { status, headers, text } = await open({ path });
    assertEquals([status, headers.get("content-type")], [200, htmlType]);
    const document = readHtml(text);
    const links = findAll(document, "a").map((link) => link.attributes.get("href"));
    for (const { name } of controlRoutes) assert(links.includes(`/_postern?call=${name}`), name);
    const rule = byId(document, "rule");
    assertEquals(findAll(rule, "summary").map(textOf), ["Names of the calls"]);
    assertStringIncludes(textOf(rule), "nextSignIn is /next_sign_in");
    assertStringIncludes(textOf(rule), "Each tenant has the same calls below /_postern/tenants/NAME.");
    assertEquals(findAll(document, "script"), []);
    // The list has the first sentence of each call.
    const row = findAll(document, "tr").find((each) => textOf(each).startsWith("GET /Returns"))!;
    assertMatch(textOf(row), /path of the OpenAPI document\.$/);
    // The examination by hand is a page of the dashboard.
    assertStringIncludes(textOf(byId(document, "no-dashboard")), "without --no-inspector");
  }
  const { status, headers, text } = await open({ method: "HEAD" });
  assertEquals([status, headers.get("content-type"), text], [200, htmlType, ""]);
  const posted = await open({ method: "POST" });
  assertEquals([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
});

test("control page: each call has a page with its members and an example", async () => {
  for (const { name, method, path, only, summary, query, body } of controlRoutes) {
    const { status, headers, text } = await open({ path: `?call=${name}` });
    assertEquals([status, headers.get("content-type")], [200, htmlType]);
    const shown = textOf(readHtml(text));
    const paths = only === "tenant" ? ["/tenants/{tenant}", "/tenants/acme"] : [path];
    const whose = { server: "Only for the server itself.", tenant: "Only for a tenant.", both: "" };
    const all = [`${method} `, ...paths, `${summary} ${whose[only ?? "both"]}`.trim()];
    for (const each of all) assertStringIncludes(shown, each);
    const { raw: _raw, ...members } = { ...body?.properties, ...query?.properties };
    for (const [member, { description = "" }] of Object.entries(members)) {
      assertStringIncludes(shown, member);
      assert(description !== "", `${name}.${member} has no description`);
      assertStringIncludes(shown, description);
    }
  }
  const whole = readHtml((await open({ path: "?call=showServer" })).text);
  assertEquals(["title", "h1"].map((name) => textOf(findAll(whole, name)[0]!)), ["GET / · Postern", "GET /"]);
  const { text } = await open({ path: "?call=login" });
  const page = readHtml(text);
  const cells = ["th", "td"].map((name) => findAll(findAll(page, "table")[0]!, name).map(textOf));
  assertEquals([cells[0], cells[1]![1]], [["In the body", "Type", "Meaning"], "a string"]);
  assertStringIncludes(
    textOf(byId(page, "example")),
    `curl ${origin}/_postern/login \\\n  -H 'content-type: application/json' -d '{"username":"bob",`,
  );
});

test("control page: a program gets JSON, also from every other path", async () => {
  for (const accept of ["*/*", "application/json", ""]) {
    const { headers, text } = await open({ headers: { accept } });
    assertEquals(headers.get("content-type"), "application/json", accept);
    assertEquals(JSON.parse(text), { issuer: origin, openapi: "/_postern/openapi.json" });
  }
  for (const path of ["/clock", "/openapi.json", "/nothing"]) {
    assertEquals((await open({ path })).headers.get("content-type"), "application/json", path);
  }
});

test("control page: it has no form, loads only the server's own files, and cannot be framed", async () => {
  const { headers, text } = await open();
  const policy = headers.get("content-security-policy")!;
  assertStringIncludes(policy, "default-src 'none'");
  for (const rule of ["form-action 'self'", "frame-ancestors 'none'", "script-src 'self'"]) {
    assertStringIncludes(policy, rule);
  }
  assertEquals([headers.get("cache-control"), headers.get("access-control-allow-origin")], [
    "no-store",
    null,
  ]);
  const document = readHtml(text);
  for (const { name } of everyElement(document)) {
    assertFalse(["form", "input", "iframe"].includes(name), name);
  }
  // A fragment loads nothing.
  for (const link of findAll(document, "link")) {
    assertMatch(link.attributes.get("href")!, /^((\/_postern)?\/static\/|#)/);
  }
});

test("control page: without a dashboard, the control plane answers the sheets that the server does not have", async () => {
  const document = readHtml((await open()).text);
  const links = findAll(document, "link").map((link) => link.attributes.get("href")!);
  const own = links.filter((href) => href.startsWith("/_postern/"));
  assertEquals(own, ["/_postern/static/panels.css", "/_postern/static/playground.css"]);
  for (const href of own) {
    const { status, headers } = await open({ path: href.replace("/_postern", "") });
    assertEquals([status, headers.get("content-type")], [200, "text/css; charset=utf-8"], href);
    const posted = await open({ path: href.replace("/_postern", ""), method: "POST" });
    assertEquals([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"], href);
  }
});

test("control page: with a token, a browser is told which commands to use, and the token is nowhere", async () => {
  const token = "correct-horse-battery";
  const { status, headers, text } = await open({ token });
  assertEquals([status, headers.get("content-type")], [401, htmlType]);
  assertEquals(headers.get("www-authenticate"), 'Bearer realm="postern control"');
  const document = readHtml(text);
  const header = '-H "authorization: Bearer $POSTERN_CONTROL_TOKEN"';
  assertEquals(textOf(byId(document, "commands")).split("\n"), [
    `curl https://as.test/_postern/openapi.json ${header}`,
    `curl https://as.test/_postern ${header} -H 'accept: text/html' -o calls.html`,
  ]);
  assertFalse(text.includes(token) || text.includes("/next_sign_in"));
  assertStringIncludes(textOf(document), "A browser cannot send the token.");
  assertEquals(findById(document, "give-token"), undefined);
  assertStringIncludes(text, '/static/copy.js"');
  const authorized = await open({
    ...{ token, path: "?call=login" },
    headers: { authorization: `Bearer ${token}` },
  });
  assertEquals(authorized.status, 200);
  assertStringIncludes(authorized.text, "Bearer $POSTERN_CONTROL_TOKEN");
  assertFalse(authorized.text.includes(token));
});

test("control page: pages of other sites, other machines and other names get a refusal without the calls", async () => {
  const attempts: readonly (readonly [opened: Opened, status: number])[] = [
    [{ headers: { "sec-fetch-site": "cross-site" } }, 403],
    [{ headers: { origin: "https://evil.test" } }, 403],
    ...["http://evil.test", ...also].map((at) => [{ at }, 421] as const),
  ];
  for (const [opened, expected] of attempts) {
    const { status, headers, text } = await open(opened);
    assertEquals([status, headers.get("content-type")], [expected, htmlType], JSON.stringify(opened));
    assertEquals(headers.get("access-control-allow-origin"), null);
    assertFalse(text.includes("/next_sign_in") || text.includes("evil"), JSON.stringify(opened));
    const page = readHtml(text);
    assertEquals([findById(page, "commands"), findAll(page, "script")], [undefined, []]);
    assertMatch(text, /postern\.css".*parts\.css".*sheet\.css"/s);
    assertEquals(byId(page, "home").attributes.get("href"), "/");
    assertMatch(textOf(byId(page, "expected")), /^Expected: (no |localhost, ).*\.$/);
    assertStringIncludes(textOf(page), "If you followed a link, type the address");
  }
});

test("control page: an example is one command of a shell, with a token in it if the control plane needs one", () => {
  const url = "http://localhost:9000/_postern";
  for (const needsToken of [false, true]) {
    for (const { calls } of describeCalls({ url, needsToken })) {
      for (const { name, method, example } of calls) {
        assertMatch(example, /^curl( -X [A-Z]+)? '?http:\/\/localhost:9000\/_postern/, name);
        assertEquals(
          example.includes("-X"),
          !(method === "GET" || method === "POST" && example.includes("-d")),
        );
        assertEquals(example.includes("$POSTERN_CONTROL_TOKEN"), needsToken);
        const [, data] = /-d '(.*)'$/.exec(example) ?? [];
        if (data !== undefined) JSON.parse(data);
      }
    }
  }
});

test("control page: an example has its query in the address", () => {
  const { example } = groups.flatMap(({ calls }) => calls).find(({ name }) => name === "listRequests")!;
  assertEquals(example, `curl '${origin}/_postern/requests?endpoint=token&wait=10'`);
});

test("control page: an example names what the examples before it have created", async () => {
  const clients = [{ client_id: "demo", redirect_uris: ["https://app.test/callback"] }];
  await withControl(async ({ ask }) => {
    const isCreating = ({ created, only }: ControlRoute) => created !== undefined && only !== "tenant";
    for (const { path, body } of controlRoutes.filter(isCreating)) {
      assertEquals((await ask("POST", path, { body: body?.examples?.[0] })).status, 201, path);
    }
    const calls = groups.flatMap((group) => group.calls);
    const inPath = controlRoutes.filter(({ path }) => path.includes("{"));
    const removesLast = inPath.toSorted((left, right) =>
      Number(left.method === "DELETE") - Number(right.method === "DELETE")
    );
    for (const { name, method, body } of removesLast) {
      const { example } = calls.find((call) => call.name === name)!;
      const [, path = ""] = /_postern(\/[\w\/-]+)/.exec(example) ?? [];
      const { status } = await ask(method, path, { body: body?.examples?.[0] });
      assert(status !== 404, `${method} ${path}: ${status}`);
    }
  }, { options: { clients } });
});
