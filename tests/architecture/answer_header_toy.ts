/** Adds a header to every answer of an endpoint, whether it succeeds or refuses. */

import { assertEquals } from "@std/assert";
import { json } from "../../src/http/respond.ts";
import { fail } from "../../src/oauth/error.ts";
import type { Exchange } from "../../src/oauth/exchange.ts";
import type { Toy } from "./toys.ts";

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
        fail<"toy_nonce_missing">("invalid_request", "The toy needs a nonce", {
          reason: "toy_nonce_missing",
        });
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
