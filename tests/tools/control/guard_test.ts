/** The guard of the control plane: the token, other machines and web pages. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { createControl } from "../../../src/tools/control/control.ts";
import { isControlToken } from "../../../src/tools/guard/control_token.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { test } from "../../runner.ts";
import { type RequestParts, withControl } from "./with_control.ts";

test("control: with a token, every request needs it", async () => {
  const token = "correct-horse-battery";
  await withControl(async ({ ask }) => {
    for (const path of ["/clock", "/openapi.json", "/nothing", "/tenants/acme/clock"]) {
      const answer = await ask("GET", path);
      assertEquals([answer.status, answer.body.error], [401, "invalid_token"], path);
      assertEquals(answer.headers.get("www-authenticate"), 'Bearer realm="postern control"');
    }
    const wrongHeaders = [
      "Bearer wrong",
      `Basic ${token}`,
      "Bearer",
      `Bearer ${token}x`,
      `Bearer ${token}, x`,
      `Bearer ${token} x`,
      `x Bearer ${token}`,
    ];
    for (const wrong of wrongHeaders) {
      const answer = await ask("GET", "/clock", { headers: { authorization: wrong } });
      assertEquals(answer.status, 401, wrong);
      assert(!JSON.stringify(answer.body).includes(token));
    }
    const authorization = `Bearer ${token}`;
    assertEquals((await ask("GET", "/clock", { headers: { authorization } })).status, 200);
    const { body } = await ask("GET", "/openapi.json", { headers: { authorization } });
    const { securitySchemes } = body.components;
    assertEquals([body.security, securitySchemes], [[{ token: [] }], {
      token: { type: "http", scheme: "bearer" },
    }]);
    assert(!JSON.stringify(body).includes(token));
  }, { terms: { token } });
  const started = await createStartedMock({ alg: "ES256" });
  await using _as = started.mock;
  assertThrows(() => createControl(started, { token: "a token" }), TypeError, "its token must be letters");
});

test("control: other machines are refused, unless the control plane is open", async () => {
  await withControl(async ({ ask }) => {
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
  await withControl(async ({ ask }) => {
    assertEquals((await ask("GET", "/clock", { peer: "192.168.1.7" })).status, 200);
  }, { terms: { open: true } });
});

test("control: web pages are refused", async () => {
  await withControl(async ({ ask, as }) => {
    const pages: readonly Readonly<Record<string, string>>[] = [
      { origin: "https://evil.test" },
      { origin: "null" },
      { origin: "http://localhost:3000" },
      ...[":8443", ".evil.test"].map((more) => ({ origin: as.issuer + more })),
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
    // A proxy on this machine has changed the Host.
    const headers = { origin: as.issuer, "sec-fetch-site": "same-origin" };
    assertEquals((await ask("GET", "/clock", { at: "http://localhost:9000", headers })).status, 200);
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
  const denied = "access_denied: Pages of other sites must not use the control plane";
  const machine = "access_denied: The control plane is for programs on this machine only";
  const wanted = "Bearer, followed by the token that the server was started with";
  const realm = 'Bearer realm="postern control"', token = "right";
  const refusals: Readonly<Record<string, RequestParts & { readonly token?: string }>> = {
    "misdirected: The control plane is not served under this Host; Host; localhost, 127.0.0.1, [::1] or as.test":
      {
        at: "http://evil.test",
      },
    [`${denied}; Origin; no Origin, as programs send none, or https://as.test`]: {
      headers: { origin: "null" },
    },
    [`${denied}; Sec-Fetch-Site; no Sec-Fetch-Site, as programs send none, or same-origin`]: {
      headers: { "sec-fetch-site": "same-site" },
    },
    [`${machine}; a peer on loopback`]: { peer: "192.168.1.7" },
    [`${machine}; a request that no proxy has forwarded`]: { headers: { via: "1.1 a" } },
    [`invalid_token: The control plane needs its token; Authorization; ${wanted}; ${realm}`]: { token },
    [`invalid_token: This is not the token of the control plane; Authorization; ${wanted}; ${realm}, error="invalid_token"`]:
      { token, headers: { authorization: "bearer  wrong" } },
  };
  for (const [told, { token, ...parts }] of Object.entries(refusals)) {
    await withControl(async ({ ask }) => {
      const { body: { error, error_description, place, expected }, headers } = await ask(
        "GET",
        "/clock",
        parts,
      );
      const all = [`${error}: ${error_description}`, place, expected, headers.get("www-authenticate")];
      assertEquals(all.filter((each) => each).join("; "), told);
    }, { terms: token === undefined ? {} : { token } });
  }
});
