/** Tests which error codes compile, and which status an error has. */

import { assert, assertEquals } from "@std/assert";
import { type AddedErrorCode, OAuthError } from "../../src/oauth/error.ts";
import { test } from "../runner.ts";

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

test("error: a misspelt code does not compile", () => {
  // @ts-expect-error -- not a code of the core, and no feature's constant
  assertEquals(new OAuthError("invalid_gramt", "x", details).error, "invalid_gramt");
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
