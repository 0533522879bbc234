/** The guard of the control plane: the token, other machines and web pages. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { createControl } from "../../../src/tools/control/control.ts";
import { isControlToken } from "../../../src/tools/guard/control_token.ts";
import { createStartedMock } from "../../../src/kit/mock/mock.ts";
import { test } from "../../runner.ts";
import { type RequestParts, withControl } from "./with_control.ts";

test("control: with a token, every request needs it", async () => {
  const token = "correct-horse-battery";
  await withControl(async (ask) => {
    for (const path of ["/clock", "/openapi.json", "/nothing", "/tenants/acme/clock"]) {
      const answer = await ask("GET", path);
      assertEquals([answer.status, answer.body.error], [401, "invalid_token"], path);
      assertEquals(answer.headers.get("www-authenticate"), 'Bearer realm="postern control"');
    }
    for (
      const wrong of ["Bearer wrong", `Basic ${token}`, "Bearer", `Bearer ${token}x`, `Bearer ${token}, x`]
    ) {
      const answer = await ask("GET", "/clock", { headers: { authorization: wrong } });
      assertEquals(answer.status, 401, wrong);
      assert(!JSON.stringify(answer.body).includes(token));
    }
    const authorization = `Bearer ${token}`;
    assertEquals((await ask("GET", "/clock", { headers: { authorization } })).status, 200);
    const { body } = await ask("GET", "/openapi.json", { headers: { authorization } });
    assertEquals(body.security, [{ token: [] }]);
    assert(!JSON.stringify(body).includes(token));
  }, { terms: { token } });
  const started = await createStartedMock({ alg: "ES256" });
  await using _as = started.mock;
  assertThrows(() => createControl(started, { token: "" }), TypeError, "its token must be letters");
});

test("control: other machines are refused, unless the control plane is open", async () => {
  await withControl(async (ask) => {
    const peers = ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"];
    for (const peer of peers) assertEquals((await ask("GET", "/clock", { peer })).status, 200, peer);
    for (const peer of ["192.168.1.7", "::ffff:10.0.0.1", "fe80::1", null]) {
      const answer = await ask("GET", "/clock", { peer });
      assertEquals([answer.status, answer.body.error], [403, "access_denied"], `${peer}`);
    }
    const proxies = ["forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip"];
    for (const name of [...proxies, "x-forwarded-for", "x-forwarded-host", "X-Forwarded-Proto"]) {
      assertEquals((await ask("GET", "/clock", { headers: { [name]: "127.0.0.1" } })).status, 403, name);
    }
  });
  await withControl(async (ask) => {
    assertEquals((await ask("GET", "/clock", { peer: "192.168.1.7" })).status, 200);
  }, { terms: { open: true } });
});

test("control: web pages are refused", async () => {
  await withControl(async (ask, as) => {
    const pages: readonly Readonly<Record<string, string>>[] = [
      { origin: "https://evil.test" },
      { origin: "null" },
      { origin: "http://localhost:3000" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of pages) {
      const answer = await ask("POST", "/reset", { headers });
      assertEquals([answer.status, answer.headers.get("access-control-allow-origin")], [403, null]);
    }
    const rebound = await ask("GET", "/clock", { at: "http://evil.test" });
    assertEquals([rebound.status, rebound.body.place], [421, "Host"]);
    assertEquals((await ask("GET", "/clock", { at: "http://localhost.evil.test" })).status, 421);
    for (const at of ["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9000", as.issuer]) {
      const headers = { origin: at, "sec-fetch-site": "same-origin" };
      const answer = await ask("GET", "/clock", { at, headers });
      assertEquals([answer.status, answer.headers.get("set-cookie")], [200, null], at);
    }
    assertEquals((await ask("GET", "/clock", { headers: { "sec-fetch-site": "none" } })).status, 200);
  });
});

test("control: a token is one that a header can have (RFC 6750 §2.1)", () => {
  for (const token of ["a", "a=", "a==", "-._~+/", "aZ09"]) {
    assertEquals([token, isControlToken(token)], [token, true]);
  }
  for (const token of ["", "=", "=a", "a=b", "a b", " a", "a\n", "a:b", "\u00e4", 'a"', "a,b"]) {
    assertEquals([token, isControlToken(token)], [token, false]);
  }
});

test("control: a refusal says what would be right, and where", async () => {
  const told = async (token: string | undefined, parts: RequestParts) => {
    let body: { error_description?: string; place?: string; expected?: string } = {};
    await withControl(async (ask) => {
      const answer = await ask("GET", "/clock", parts);
      body = { ...answer.body, challenge: answer.headers.get("www-authenticate") };
    }, { terms: token === undefined ? {} : { token } });
    return body;
  };
  const challenge = null;
  const sites = "Pages of other sites must not use the control plane";
  const machine = "The control plane is for programs on this machine only";
  const denied = { error: "access_denied", challenge };
  assertEquals(await told(undefined, { at: "http://evil.test" }), {
    ...{
      error: "misdirected",
      error_description: "The control plane is not served under this Host",
      challenge,
    },
    ...{ place: "Host", expected: "localhost, 127.0.0.1, [::1] or as.test" },
  });
  assertEquals(await told(undefined, { headers: { origin: "https://evil.test" } }), {
    ...{ ...denied, error_description: sites, place: "Origin" },
    expected: "no Origin, as programs send none, or https://as.test",
  });
  assertEquals(await told(undefined, { headers: { "sec-fetch-site": "same-site" } }), {
    ...{ ...denied, error_description: sites, place: "Sec-Fetch-Site" },
    expected: "no Sec-Fetch-Site, as programs send none, or same-origin",
  });
  assertEquals(await told(undefined, { peer: "192.168.1.7" }), {
    ...{ ...denied, error_description: machine, expected: "a peer on loopback" },
  });
  assertEquals(await told(undefined, { headers: { "x-forwarded-for": "127.0.0.1" } }), {
    ...{ ...denied, error_description: machine, expected: "a request that no proxy has forwarded" },
  });
  const realm = 'Bearer realm="postern control"',
    expected = "Bearer, followed by the token that the server was started with";
  const unauthorized = { error: "invalid_token", place: "Authorization", expected };
  assertEquals(await told("right", {}), {
    ...{ ...unauthorized, error_description: "The control plane needs its token", challenge: realm },
  });
  assertEquals(await told("right", { headers: { authorization: "bearer  wrong" } }), {
    ...{ ...unauthorized, error_description: "This is not the token of the control plane" },
    challenge: `${realm}, error="invalid_token"`,
  });
});
