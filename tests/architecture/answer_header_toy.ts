/** Adds a header to every answer of an endpoint, whether it succeeds or refuses. */

import { assertEquals } from "@std/assert";
import { json } from "../../src/server/http/respond.ts";
import type { Exchange } from "../../src/server/oauth/exchange.ts";
import { refusals } from "../../src/server/oauth/refusals.ts";
import type { Toy } from "./toys.ts";

const refusal = refusals({
  toy_nonce_missing: {
    error: "invalid_request",
    sentence: "The toy needs a nonce",
    change: "Add the header Toy-Nonce.",
  },
});

function offerNonce(exchange: Exchange): void {
  exchange.addHeaders({ "toy-nonce": "next", "content-type": "none" });
}

export const answerHeaderToy: Toy = {
  kind: "a header of every answer",
  feature: {
    name: "toy_nonce",
    spec: "none",
    endpoints: [{
      method: "GET",
      path: "/toy",
      refusal: "json",
      cors: true,
      handle(exchange) {
        offerNonce(exchange);
        if (exchange.request.header("toy-nonce") === "next") return json({ ok: true });
        throw refusal("toy_nonce_missing");
      },
    }],
  },
  async works(world) {
    const refusal = await world.get("/toy");
    const success = await world.get("/toy", { "toy-nonce": "next" });
    assertEquals([refusal.status, success.status], [400, 200]);
    for (const { headers } of [refusal, success]) {
      assertEquals([headers.get("toy-nonce"), headers.get("content-type")], ["next", "application/json"]);
      assertEquals(
        headers.get("access-control-expose-headers"),
        "dpop-nonce, link, retry-after, www-authenticate, toy-nonce, content-type",
      );
    }
    assertEquals((await world.get("/oauth2/jwks")).headers.get("toy-nonce"), null);
  },
};
