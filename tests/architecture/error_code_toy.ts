/** Adds an error code with its own status, and a challenge of a new scheme. */

import { assertEquals } from "@std/assert";
import type { AddedErrorCode } from "../../src/oauth/error.ts";
import { type RefusalRows, refusals } from "../../src/oauth/refusals.ts";
import type { Toy } from "./toys.ts";

const useToyNonce: AddedErrorCode = { code: "use_toy_nonce", status: 401 };

const refusal = refusals({
  toy_nonce_missing: {
    error: useToyNonce,
    spec: "RFC 9449 §8",
    sentence: "The toy needs a nonce",
    expected: "the header Toy-Nonce",
    change: "Add the header Toy-Nonce.",
  },
});

export const refused: RefusalRows = refusal.rows;

export const errorCodeToy: Toy = {
  kind: "an error code",
  feature: {
    name: "toy_error",
    spec: "none",
    endpoints: [{
      method: "GET",
      path: "/toy",
      refusal: "json",
      handle() {
        throw refusal("toy_nonce_missing", {
          challenge: [{ scheme: "Toy", params: { algs: "ES256" } }, { scheme: "Bearer" }],
        });
      },
    }],
  },
  async works(world) {
    const response = await world.get("/toy");
    assertEquals(response.status, 401);
    assertEquals((await response.json()).error, "use_toy_nonce");
    assertEquals(
      response.headers.get("www-authenticate"),
      'Toy realm="postern", error="use_toy_nonce", error_description="The toy needs a nonce", ' +
        'algs="ES256", Bearer realm="postern"',
    );
    assertEquals(world.lastRefusal()?.error, "use_toy_nonce");
  },
};
