/** `postern start --metrics`: what is counted, who may read it, and that no label has text of a client. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createMetricsEndpoint } from "../../../../src/tools/cli/metrics/metrics_endpoint.ts";
import { createServerMetrics } from "../../../../src/tools/cli/metrics/server_metrics.ts";
import { start as startCommand } from "../../../../src/tools/cli/start/start.ts";
import { fromRequest } from "../../../../src/ground/http/message.ts";
import { memoryStore } from "../../../../src/server/store/memory.ts";
import { test } from "../../../runner.ts";
import { createWorld } from "../../../world.ts";
import { complaintOf } from "../command.ts";
import { withServer } from "../in_process.ts";
import { readExposition } from "./read_exposition.ts";

const requestsOf = (text: string) => readExposition(text).get("postern_requests_total")!.samples;

test("metrics: requests, refusals, times and calls of the store are counted", async () => {
  const { stdout } = await withServer(["--metrics"], async ({ port }) => {
    const origin = `http://localhost:${port}`;
    const get = async (path: string, init?: RequestInit) => await (await fetch(origin + path, init)).text();
    await get("/oauth2/jwks");
    await get("/oauth2/token", {
      method: "POST",
      body: new URLSearchParams({ grant_type: "none", client_id: "demo" }),
    });
    await get("/oauth2/token");
    await get("/nowhere");
    const response = await fetch(`${origin}/metrics`);
    assertEquals(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assertEquals(response.headers.get("cache-control"), "no-store");
    const text = await response.text();
    const families = readExposition(text);
    assertEquals([...requestsOf(text)], [
      ['postern_requests_total{endpoint="jwks",outcome="ok"}', 1],
      ['postern_requests_total{endpoint="token",outcome="refused"}', 2],
      ['postern_requests_total{endpoint="page",outcome="refused"}', 1],
    ]);
    const refusals = [...families.get("postern_refusals_total")!.samples.keys()].join("\n");
    assertMatch(refusals, /endpoint="token",error="unsupported_grant_type",reason="\w+"/);
    assertMatch(refusals, /endpoint="token",error="invalid_request",reason="method_not_allowed"/);
    const { samples: times } = families.get("postern_request_duration_seconds")!;
    assertEquals(times.get('postern_request_duration_seconds_count{endpoint="token"}'), 2);
    const bounds = [...times.keys()].flatMap((name) => /"token",le="(.+)"/.exec(name)?.[1] ?? []);
    assertEquals(bounds.join(" "), "0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf");
    const calls = [...families.get("postern_store_calls_total")!.samples].filter(([name]) =>
      name.includes("put")
    );
    assert(calls.length > 0, text);
    const valueOf = (name: string) => families.get(name)!.samples.get(name)!;
    assertEquals(valueOf("postern_requests_in_flight"), 0);
    const age = Date.now() / 1000 - valueOf("process_start_time_seconds");
    assert(age > 0 && age < 3600, `${age}`);
    assertEquals(await (await fetch(`${origin}/metrics`, { method: "HEAD" })).text(), "");
    const posted = await fetch(`${origin}/metrics`, { method: "POST" });
    assertMatch(await posted.text(), /"This address takes GET, HEAD"/);
    assertEquals([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
  });
  assertMatch(stdout, /^ {2}Metrics {3}http:\/\/localhost:\d+\/metrics\n +Programs on this machine can/m);
  assert(!stdout.includes("GET     /metrics"));
});

test("metrics: without the flag there are none", async () => {
  await withServer([], async ({ port }) => {
    const response = await fetch(`http://localhost:${port}/metrics`);
    await response.text();
    assertEquals(response.status, 404);
  });
});

test("metrics: with a token, the other program sends it, and it is in no output", async () => {
  const token = "a-token-of-24-characters";
  const args = ["--metrics", "--host", "0.0.0.0", "--issuer", "http://localhost:9000", "--expose-demo"];
  const { stdout } = await withServer(args, async ({ port }) => {
    const read = async (headers: HeadersInit) => {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
      await response.text();
      return [response.status, response.headers.get("www-authenticate")];
    };
    assertEquals(await read({ authorization: `Bearer ${token}` }), [200, null]);
    for (const headers of [{}, { authorization: "Bearer other" }, { authorization: `Basic ${token}` }]) {
      assertEquals(await read(headers as HeadersInit), [401, 'Bearer realm="postern metrics"']);
    }
  }, { env: { POSTERN_METRICS_TOKEN: token } });
  assert(!stdout.includes(token));
  // A load balancer may be at the address of the issuer, and each server has counters of its own.
  assertMatch(stdout, /^ {2}Metrics {3}http:\/\/0\.0\.0\.0:\d+\/metrics\n +Each request needs/m);
});

test("metrics: several issuers and the control plane have one page", async () => {
  await withServer(["--metrics", "--paths", "navikt", "--control"], async ({ port }) => {
    const origin = `http://localhost:${port}`;
    for (const issuer of ["default", "other"]) await (await fetch(`${origin}/${issuer}/jwks`)).text();
    const text = await (await fetch(`${origin}/metrics`)).text();
    assertEquals(requestsOf(text).get('postern_requests_total{endpoint="jwks",outcome="ok"}'), 2);
  });
});

test("metrics: flags that contradict them are refused in one line", async () => {
  const complain = (...args: string[]) => complaintOf(startCommand, "--metrics", ...args);
  const reached = ["--host", "0.0.0.0", "--issuer", "http://localhost:9000", "--expose-demo"];
  assertEquals(
    await complain(...reached),
    "2: --host 0.0.0.0 lets other machines in, so --metrics needs a token of 16 characters or more",
  );
  assertMatch(await complain("too-short", ...reached), /needs a token of 16 characters/);
  assertMatch(await complain("a token"), /^2: --metrics must be a token of letters[^"]+$/);
  for (const more of [["--resource", "/metrics"], ["--issuer", "http://localhost:9000/metrics"]]) {
    assertEquals(
      await complain(...more),
      "2: --metrics answers at /metrics: choose another path for the issuer and --resource",
    );
  }
});

function statusOf(
  {
    url = "http://localhost:9000/metrics",
    headers = {},
    peer = "127.0.0.1",
    token = undefined as string | undefined,
  },
): number | undefined {
  const answer = createMetricsEndpoint({
    format: () => "",
    token,
    names: { issuerHost: "id.shop.example", also: [] },
  });
  return answer(fromRequest(new Request(url, { headers }), peer))?.status;
}

test("metrics: a web page, another machine and a foreign name cannot read them", () => {
  assertEquals(statusOf({}), 200);
  assertEquals(statusOf({ url: "http://localhost:9000/metrics/" }), undefined);
  assertEquals(statusOf({ url: "http://id.shop.example/metrics" }), 200);
  assertEquals(statusOf({ url: "http://rebound.example/metrics" }), 421);
  assertEquals(statusOf({ headers: { origin: "http://localhost:9000" } }), 403);
  assertEquals(statusOf({ headers: { "sec-fetch-site": "cross-site" } }), 403);
  assertEquals(statusOf({ headers: { "sec-fetch-site": "none" } }), 200);
  assertEquals(statusOf({ peer: "10.1.2.3" }), 403);
  assertEquals(statusOf({ headers: { "x-forwarded-for": "127.0.0.1" } }), 403);
  const token = "a-token-of-24-characters", headers = { authorization: `Bearer ${token}` };
  assertEquals(statusOf({ token, headers, peer: "10.1.2.3", url: "http://10.9.9.9:9000/metrics" }), 200);
  assertEquals(statusOf({ token, peer: "127.0.0.1" }), 401);
  assertEquals(statusOf({ token, headers: { ...headers, origin: "https://evil.example" } }), 403);
});

test("metrics: no label has text of a client, and no secret is counted", async () => {
  const metrics = createServerMetrics("0", 0);
  await using world = createWorld({ journal: metrics.count, store: metrics.measure(memoryStore()) });
  const read = () =>
    [...readExposition(metrics.format()).values()].flatMap(({ samples }) => [...samples.keys()]);
  const send = async (canary: string) => {
    await world.authorize({ client_id: canary });
    await world.authorize({ response_type: canary, scope: canary, prompt: canary });
    await world.redeem(canary, { grant_type: canary, resource: canary });
    await world.redeem(canary, {}, { authorization: `Bearer ${canary}` });
    await world.get(`/${canary}?code=${canary}`);
    await world.fetch(new Request(`${world.issuer}/userinfo`, { method: "DELETE" }));
    await world.fetch(new Request(`https://${canary}.example/`));
  };
  await send("canary1");
  const before = read();
  assert(before.length > 20, `${before.length}`);
  await send("canary2");
  assertEquals(read(), before);
  assert(!metrics.format().includes("canary"));
});
