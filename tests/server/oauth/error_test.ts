/** Errors: their status, and the challenge, whose quoted values cannot end their quotes (RFC 9110 §5.6.4, §11.6.1). */

import { assert, assertEquals } from "@std/assert";
import { formatChallenge } from "../../../src/server/oauth/requests/refuse.ts";
import { type AddedErrorCode, OAuthError } from "../../../src/server/oauth/contracts/refusals.ts";
import type { Seam } from "../../../src/server/oauth/contracts/seams.ts";
import { test } from "../../runner.ts";
import { createWorld, navigationHeaders } from "../../world.ts";
import { attribute, findById, readHtml } from "../pages/read_html.ts";

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

test("error: a page names the entry in the journal after a failure, and offers to send again what may pass", async () => {
  const fail: Seam<"arrival"> = ({ request: { address } }) => {
    throw new OAuthError({ code: "failed", status: Number(address.query) }, "x", details);
  };
  const options = { login: "picker", people: [{ username: "alice" }], seams: { arrival: fail } } as const;
  await using world = createWorld(options);
  const show = async (path: string, status: number, method = "GET") => {
    const url = `${world.issuer}${path}?${status}`;
    const response = await world.fetch(new Request(url, { method, headers: navigationHeaders }));
    const document = readHtml(await response.text());
    const link = findById(document, "try-again");
    return [findById(document, "exchange-id") !== undefined, link && attribute(link, "href")];
  };
  const path = "/oauth2/authorize";
  for (const status of [500, 503]) assertEquals(await show(path, status), [true, `${path}?${status}`]);
  for (const status of [408, 429]) assertEquals(await show(path, status), [false, `${path}?${status}`]);
  for (const status of [400, 404, 430, 499]) assertEquals(await show(path, status), [false, undefined]);
  assertEquals(await show("//evil.test", 500), [true, undefined]);
  assertEquals(await show("/oauth2/consent", 500, "POST"), [true, undefined]);
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
