/** A device that polls, and reads the codes, as RFC 8628 demands. */

import { assertEquals } from "@std/assert";
import { pollForAnswer, readDeviceCodes } from "../../../src/server/client/device_flow.ts";
import { test } from "../../runner.ts";

/**
 * Polls a server that gives these answers, each after one more wait. Returns the waits before them, and the last answer.
 * Time also passes while the client works.
 */
async function pollWith(answers: readonly string[], { interval = 5, expiresIn = 600 } = {}) {
  const waits: number[] = [];
  let now = 1000;
  const answer = await pollForAnswer({
    interval,
    expiresIn,
    poll: () => Promise.resolve(answers[waits.length - 1]!),
    errorOf: (reply) => reply,
    async wait(seconds) {
      await Promise.resolve();
      waits.push(seconds);
      now += seconds;
    },
    now: () => now += 0.001,
  });
  return { waits, answer };
}

test("device flow: slow_down makes the interval 5 seconds longer for good (RFC 8628 §3.5)", async () => {
  const pending = "authorization_pending";
  const answers = [pending, "slow_down", pending, "slow_down", pending, "tokens"];
  assertEquals(await pollWith(answers, { interval: 2 }), { waits: [2, 2, 7, 7, 12, 12], answer: "tokens" });
});

test("device flow: any other error ends the polls (RFC 8628 §3.5)", async () => {
  for (const error of ["access_denied", "expired_token", "invalid_grant", "server_error"]) {
    assertEquals(await pollWith(["authorization_pending", error, "tokens"]), {
      waits: [5, 5],
      answer: error,
    });
  }
});

test("device flow: the polls end with the lifetime of the code (RFC 8628 §3.2)", async () => {
  const pending = Array.from({ length: 9 }, () => "authorization_pending");
  assertEquals(await pollWith(pending, { expiresIn: 12 }), { waits: [5, 5], answer: undefined });
});

const response = {
  device_code: "d",
  user_code: "WDJB-MJHT",
  verification_uri: "https://as.test/device",
  verification_uri_complete: "https://as.test/device?user_code=WDJB-MJHT",
  expires_in: 600,
  interval: 9,
};

test("device flow: without an interval, the client waits 5 seconds (RFC 8628 §3.2)", () => {
  const { interval: _left, ...others } = response;
  assertEquals(readDeviceCodes(response)?.interval, 9);
  for (const interval of [undefined, "9", 0, -1, null]) {
    const given = interval === undefined ? others : { ...others, interval };
    assertEquals(readDeviceCodes(given)?.interval, 5);
  }
});

test("device flow: a response without codes, address or lifetime is refused (RFC 8628 §3.2)", () => {
  for (const name of ["device_code", "user_code", "verification_uri", "expires_in"]) {
    assertEquals(readDeviceCodes({ ...response, [name]: undefined! }), undefined, name);
  }
  assertEquals(readDeviceCodes({ ...response, verification_uri: "javascript:alert(1)" }), undefined);
});

test("device flow: a complete address at another server is not shown (RFC 8628 §3.3.1)", () => {
  assertEquals(readDeviceCodes(response)?.completeUri, response.verification_uri_complete);
  const foreign = { ...response, verification_uri_complete: "https://as.test.evil.example/device" };
  assertEquals(readDeviceCodes(foreign)?.completeUri, undefined);
});
