/** Errors: their status, and the challenge, whose quoted values cannot end their quotes (RFC 9110 §5.6.4, §11.6.1). */

import { assert, assertEquals } from "@std/assert";
import { formatChallenge } from "../../../src/server/oauth/requests/refuse.ts";
import { type AddedErrorCode, OAuthError } from "../../../src/server/oauth/contracts/refusals.ts";
import { test } from "../../runner.ts";

const details = { reason: "x" };
const slowDown: AddedErrorCode = { code: "slow_down", status: 400 };

test("error: a code has its usual status, unless the refusal names another", () => {
  const error = new OAuthError("invalid_token", "x", details);
  assertEquals([error.error, error.status], ["invalid_token", 401]);
  assertEquals(new OAuthError("invalid_grant", "x", details).status, 400);
  assertEquals(new OAuthError("invalid_token", "x", { ...details, status: 403 }).status, 403);
});

test("error: a feature's code brings its own status", () => {
  const error = new OAuthError({ ...slowDown, status: 429 }, "x", details);
  assertEquals([error.error, error.status], ["slow_down", 429]);
  assertEquals(new OAuthError(slowDown, "x", { ...details, status: 503 }).status, 503);
});

test("error: a refusal of a second copy of the module is a refusal, and no other error is", () => {
  class Foreign extends Error {
    override readonly name = "OAuthError";
    readonly details = details;
  }
  assert(Object.assign(new Foreign(), { [Symbol.for("postern.OAuthError")]: true }) instanceof OAuthError);
  assert(!(new Foreign() instanceof OAuthError));
  assert(!(new TypeError("x") instanceof OAuthError));
});

test("challenge: quotes, backslashes, line breaks and umlauts in a value are replaced", () => {
  assertEquals(
    formatChallenge({
      scheme: "Basic",
      params: { realm: "postern", error_description: 'a "b" \\ c\r\nd \u00e4' },
    }),
    `Basic realm="postern", error_description="a 'b' / c??d ?"`,
  );
});
