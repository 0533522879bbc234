/** A DPoP client over HTTP. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { testIn } from "../../test_in.ts";
import { sampleKey } from "../../world.ts";
import { withControl } from "./with_control.ts";

const url = "https://api.test/orders";

const it = testIn(withControl);

it("control: login, refresh and mint bind tokens to a key, and dpop_headers proves it (RFC 9449)", async ({ ask, as }) => {
  const { body: tokens } = await ask("POST", "/login", { body: { username: "bob", dpop: true } });
  const { body: refreshed } = await ask("POST", "/refresh", { body: tokens });
  const { body: minted } = await ask("POST", "/mint", { body: { dpop: true } });
  assertEquals([tokens.token_type, refreshed.token_type], ["DPoP", "DPoP"]);
  assertEquals(decodeJwt(refreshed.access_token)["cnf"], decodeJwt(tokens.access_token)["cnf"]);
  for (const given of [tokens, { tokens: refreshed }, minted]) {
    const { status, body: headers } = await ask("POST", "/dpop_headers", {
      body: { ...given, url, method: "POST", nonce: "n" },
    });
    assertEquals(status, 200);
    const { htm, htu, nonce } = decodeJwt(headers.dpop) as Record<string, unknown>;
    assertEquals([htm, htu, nonce], ["POST", url, "n"]);
    const checked = await as.protect()(new Request(url, { method: "POST", headers }));
    assertEquals(checked instanceof Response, false);
  }
  const other = await ask("POST", "/refresh", { body: { ...refreshed, dpop: sampleKey } });
  assertEquals([other.status, other.body.refusal.reason], [422, "key_differs"]);
});

it("control: dpop_headers says what it needs (RFC 9449)", async ({ ask }) => {
  const { body: tokens } = await ask("POST", "/login", { body: {} });
  const bodies = [
    [{ url }, "access_token, or a token response"],
    [{ ...tokens, url: "/orders" }, "must be the absolute http or https URL of the request to the API"],
  ];
  for (const [body, expected] of bodies) {
    const { status, body: { expected: said } } = await ask("POST", "/dpop_headers", { body });
    assertEquals([status, said], [400, expected]);
  }
});
