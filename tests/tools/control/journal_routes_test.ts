/** The journal over HTTP. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createControl } from "../../../src/tools/control/control.ts";
import { fromRequest } from "../../../src/ground/http/message.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { test } from "../../runner.ts";
import { origin, withControl } from "./with_control.ts";

test("control: the list of requests waits for the next one, and shows secrets only with raw", async () => {
  await withControl(async ({ ask, as }) => {
    const login = () => ask("POST", "/login", { body: { username: "bob" } });
    const waiting = ask("GET", "/requests?endpoint=token&client=app&wait=10");
    const body = new URLSearchParams({ grant_type: "authorization_code", client_id: "another" });
    await as.fetch(`${origin}/oauth2/token`, { method: "POST", body });
    const { body: tokens } = await login();
    const { requests } = (await waiting).body;
    assertEquals(requests.length, 1);
    assertEquals([requests[0].person, requests[0].pkce, requests[0].raw], ["bob", "S256", undefined]);
    assert(!JSON.stringify(requests).includes(tokens.access_token));

    // It does not wait, because there is something.
    const nothing = ask("GET", "/requests?endpoint=revoke&wait=1").then(() => undefined);
    const first = await Promise.race([nothing, ask("GET", "/requests?wait=10")]);
    const known = first!.body.requests;
    await nothing;
    assertEquals(known.map((each: { endpoint: string }) => each.endpoint), ["token", "authorize", "token"]);
    const next = ask("GET", `/requests?after=${known[2].id}&wait=10&raw=true`);
    await as.fetch(`${origin}/oauth2/jwks`);
    const [{ endpoint, raw }] = (await next).body.requests;
    assertEquals([endpoint, raw.request.path], ["jwks", "/oauth2/jwks"]);
    const whole = await ask("GET", "/requests?endpoint=token&client=app&raw=true");
    assert(whole.body.requests[0].raw.response.body.includes(tokens.access_token));
    assertEquals((await ask("GET", "/requests?client=nobody")).body.requests, []);
    // A dropped request is older than all that are kept.
    assertEquals((await ask("GET", "/requests?after=gone")).body.requests.length, 4);
  });
});

test("control: the timeline has the media type of its form", () =>
  withControl(async ({ ask, as }) => {
    await as.login();
    const forms = {
      text: ["text/plain; charset=utf-8", /^\S+ .*GET \/oauth2\/authorize/m],
      jsonl: ["application/jsonl", /^\{/],
      har: ["application/json", /^\[object/],
      html: ["text/html; charset=utf-8", /^<!doctype html>/i],
      mermaid: ["text/vnd.mermaid; charset=utf-8", /^sequenceDiagram/],
    } as const;
    for (const [form, [type, begin]] of Object.entries(forms)) {
      const { headers, body } = await ask("GET", `/timeline?form=${form}`);
      assertEquals(headers.get("content-type"), type);
      assertMatch(`${body}`, begin);
    }
  }));

test("control: a call that waits for a request is answered when the mock ends", async () => {
  const started = await createStartedMock({ alg: "ES256" });
  await using as = started.mock;
  const control = createControl(started);
  const request = new Request(`${origin}/_postern/requests?wait=30`);
  const waiting = control.answer(fromRequest(request, "127.0.0.1"));
  await as[Symbol.asyncDispose]();
  assertEquals(JSON.parse(`${(await waiting)!.body}`).requests, []);
});

test("control: durations of requests are rounded to milliseconds", async () => {
  let now = 1_763_668_800.1;
  const time = () => now += 0.001;
  await withControl(async ({ ask, as }) => {
    await ask("POST", "/login", { body: {} });
    const { requests } = (await ask("GET", "/requests?raw=true")).body;
    assert(as.requests.some(({ duration }) => String(duration).length > 6), "no float was long");
    for (const { duration, raw } of requests) {
      assertMatch(String(duration), /^0\.\d{1,3}$/);
      assertEquals(raw.duration, duration);
    }
  }, { options: { time } });
});
