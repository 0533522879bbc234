/** Scripts of any origin may call the endpoints for programs, without cookies, and no endpoint for people. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { json } from "../../src/ground/http/respond.ts";
import type { Endpoint } from "../../src/server/oauth/contracts/feature.ts";
import { OAuthError } from "../../src/server/oauth/contracts/refusals.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { basic, createWorld, navigationHeaders } from "../world.ts";
import { everyAddress, formType, forScripts, paths, requestTo } from "./site.ts";

const origins = [
  ...["https://app.example", "https://evil.example", "https://as.test"],
  ...["https://as.test.evil.example", "https://evilas.test", "HTTPS://AS.TEST"],
  ...["https://as.test:8443", "https://as.test.", "https://as.test, https://evil.example", "null"],
  ...["*", "file://", ""],
];

const corsHeaders = (response: Response) =>
  [...response.headers].filter(([name]) => name.startsWith("access-control-")).map(([name]) => name).sort();

const preflight = (origin: string, method: string) => ({
  origin,
  "access-control-request-method": method,
  "access-control-request-headers": "authorization, content-type, x-evil",
  "access-control-request-private-network": "true",
});

test("cors: every endpoint that scripts may call exists", () => {
  assertEquals([...forScripts].filter((path) => !paths.includes(path)), []);
});

const it = testInWorld({ login: "picker", ...everyAddress });

for (const path of paths) {
  const open = forScripts.has(path);
  it(`cors, ${path}: ${open ? "any origin, never with credentials" : "no other origin, ever"} (RFC 9700 §2.6)`, async (world) => {
    // No answer depends on the origin, as the last test shows.
    for (const origin of ["https://evil.example", "https://as.test", "null"]) {
      for (const method of ["GET", "POST", "HEAD", "PUT", "OPTIONS"]) {
        for (const body of method === "POST" ? ["a=1", "%zz"] : [null]) {
          const headers = {
            ...formType,
            ...(method === "OPTIONS" ? preflight(origin, "POST") : { origin }),
          };
          const request = new Request(world.issuer + path, { method, headers, body });
          const response = await world.fetch(request);
          const because = `${method} from ${origin}`;
          assertEquals(response.headers.get("access-control-allow-credentials"), null, because);
          assertEquals(response.headers.get("access-control-allow-private-network"), null, because);
          if (open) assertEquals(response.headers.get("access-control-allow-origin"), "*", because);
          else assertEquals(corsHeaders(response), [], because);
          if (method === "OPTIONS") assertEquals(response.status, open ? 204 : 405, because);
          await response.body?.cancel();
        }
      }
    }
  });
}

const methodsOf: Readonly<Record<string, readonly string[]>> = {
  "/oauth2/par": ["POST"],
  "/oauth2/token": ["POST"],
  "/oauth2/revoke": ["POST"],
  "/oauth2/introspect": ["POST"],
  "/userinfo": ["GET", "POST", "HEAD"],
  "/resource": ["GET", "POST", "HEAD"],
  "/connect/register": ["POST"],
  "/connect/register/{client_id}": ["GET", "PUT", "DELETE", "HEAD"],
};

/** Request headers that browser client libraries, the MCP SDK and tracing tools send. */
const sentByClients: readonly string[] = [
  ...["accept", "auth0-client", "authorization", "content-type", "dpop", "mcp-protocol-version"],
  ...["amz-sdk-invocation-id", "amz-sdk-request", "x-amz-target", "x-amz-user-agent"],
  ...["baggage", "sentry-trace", "traceparent", "tracestate"],
];

test("preflight: names exactly the methods and headers that work, for every request", async () => {
  await using world = createWorld(everyAddress);
  for (const path of forScripts) {
    const request = new Request(world.issuer + path, {
      method: "OPTIONS",
      headers: preflight("https://app.example", "DELETE"),
    });
    const { headers } = await world.fetch(request);
    const methods = headers.get("access-control-allow-methods")!.split(/, */);
    assertEquals(methods, path in methodsOf ? methodsOf[path] : ["GET", "HEAD"], path);
    const allowed = headers.get("access-control-allow-headers")!.split(", ");
    for (const name of sentByClients) assert(allowed.includes(name), name);
    for (const name of ["x-evil", "x-forwarded-for", "forwarded", "cookie", "*"]) {
      assert(!allowed.includes(name), name);
    }
    assertEquals(headers.get("vary"), null);
  }
});

test("token: a script can read success and refusals, with WWW-Authenticate and Retry-After", async () => {
  await using world = createWorld();
  const origin = "https://app.example";
  const code = await world.code();
  const statuses: number[] = [];
  const requireReadable = (response: Response) => {
    statuses.push(response.status);
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    const exposed = response.headers.get("access-control-expose-headers")!.toLowerCase().split(/, */);
    assertEquals(exposed, ["dpop-nonce", "link", "retry-after", "www-authenticate"]);
  };
  requireReadable(await world.redeem(code, { code_verifier: undefined }, { origin }));
  requireReadable(await world.redeem(code, {}, { origin, ...basic("basic", "guess") }));
  requireReadable(await world.redeem(code, {}, { origin, "content-type": "text/plain" }));
  requireReadable(await world.redeem(code, { x: "x".repeat(70_000) }, { origin }));
  requireReadable(await world.redeem(code, {}, { origin }));
  assertEquals(statuses, [400, 400, 400, 413, 200]);
});

test("cors: a script can read the headers that a feature adds, which replace none of the answer", async () => {
  const endpoint: Endpoint = {
    ...{ method: "GET", path: "/adding", refusal: "json", cors: true },
    handle(exchange) {
      exchange.addHeaders({ added: "yes", "content-type": "none" });
      if (exchange.request.address.query === "") return json({});
      throw new OAuthError("invalid_request", "No", { reason: "x" });
    },
  };
  const features = [{ name: "adding", spec: "none", endpoints: [endpoint] }];
  await using world = createWorld({ clients: [], features });
  for (const path of ["/adding", "/adding?x"]) {
    const { headers } = await world.get(path);
    assertEquals([headers.get("added"), headers.get("content-type")], ["yes", "application/json"], path);
    const exposed = "dpop-nonce, link, retry-after, www-authenticate, added, content-type";
    assertEquals(headers.get("access-control-expose-headers"), exposed);
  }
});

test("cors: a script of any origin can read that its path is wrong, and where the endpoint is", async () => {
  await using world = createWorld();
  const origin = "https://spa.example";
  const wrong = [
    ...["/nowhere", "/oauth2/token/", "/userinfo/", "/realms/shop/.well-known/openid-configuration"],
    `/${"x".repeat(70_000)}`,
  ];
  for (const path of wrong) {
    const url = world.issuer + path;
    for (const method of ["GET", "POST", "PUT", "OPTIONS"]) {
      const refused = await world.fetch(new Request(url, { method, headers: { origin } }));
      assertEquals(refused.status, path.length > 1000 ? 414 : 404);
      assertEquals(refused.headers.get("access-control-allow-origin"), "*", `${method} ${path.slice(0, 80)}`);
      assertEquals(refused.headers.get("access-control-allow-credentials"), null);
      const { error_description } = await refused.json();
      if (path.startsWith("/realms")) {
        assertMatch(error_description, /--issuer https:\/\/as\.test\/realms\/shop\)$/);
      }
    }
    if (path.length > 1000) continue;
    const asked = await world.fetch(
      new Request(url, { method: "OPTIONS", headers: preflight(origin, "POST") }),
    );
    assertEquals([asked.status, asked.headers.get("access-control-allow-origin")], [204, "*"]);
    assertEquals(asked.headers.get("access-control-allow-methods"), "GET, POST, PUT, DELETE");
  }
});

test("cors: a page for people at an unknown path, and refusals under a foreign name, have no CORS headers", async () => {
  await using world = createWorld();
  const page = await world.get("/nowhere", navigationHeaders);
  assertEquals([page.status, corsHeaders(page)], [404, []]);
  for (const path of ["/oauth2/token", "/nowhere"]) {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const headers = preflight("https://evil.example", "POST");
      const response = await world.fetch(new Request(`https://evil.example${path}`, { method, headers }));
      assertEquals([response.status, corsHeaders(response)], [421, []], `${method} ${path}`);
    }
  }
});

it("cors: the answer is the same for every Origin, and echoes none", async (world) => {
  // These check the Origin header for another reason: a page of another site must not send the forms for people, nor
  // begin a device login.
  for (
    const path of paths.filter((each) =>
      !/sign_in|sign_up|account|second_factor|consent|walk|device_|call$/.test(each)
    )
  ) {
    for (const method of ["GET", "POST"] as const) {
      const ask = async (headers: Record<string, string>) => {
        const response = await world.fetch(requestTo(world, { method, path }, {}, headers));
        // A new browser gets a cookie with a random value.
        const header = [...response.headers].map((each) => each.join(": ")).join("\n")
          .replace(/(set-cookie: [^=]*=)[^;]*/, "$1…");
        return `${response.status}\n${header}\n${path === "/start" ? "" : await response.text()}`;
      };
      const without = await ask({});
      for (const origin of origins) {
        assertEquals(await ask({ origin }), without, `${method} ${path} ${origin}`);
      }
    }
  }
});
