/** Wrong device logins, as openid-client meets them, which keeps the rules of RFC 8628. */

import { assertEquals } from "@std/assert";
import * as client from "openid-client";
import {
  type Card,
  examine,
  type ExamineTerms,
  type MisbehaviourName,
  type Mock,
} from "../../src/mock/mod.ts";
import { test } from "../runner.ts";

/** Turns the clock instead of waiting, because openid-client waits with the global timer. */
async function withoutWaiting<T>(as: Mock, work: () => Promise<T>): Promise<T> {
  const { setTimeout } = globalThis;
  const quick = (call: () => void, milliseconds = 0) => {
    if (milliseconds < 1000) return setTimeout(call, milliseconds);
    as.clock.advance(milliseconds / 1000);
    return setTimeout(call, 0);
  };
  globalThis.setTimeout = quick as typeof setTimeout;
  try {
    return await work();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

/** Logs in, and then on a device, whose person approves after `pollsBefore` polls. */
function createClient(pollsBefore: number): ExamineTerms["client"] {
  return async (as, { issuer, clientId, redirectUri, browse, signal }) => {
    const config = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      [client.customFetch]: as.fetch as client.CustomFetch,
    });
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    await client.authorizationCodeGrant(config, await browse(url), { pkceCodeVerifier });
    const codes = await client.initiateDeviceAuthorization(config, { scope: "openid" });
    const ended = new AbortController();
    const polls = as.requests.token;
    const { length } = polls;
    using _watch = as.on("response", async (given) => {
      const count = polls.length - length + 1;
      if (count === pollsBefore) await as.approveDevice(codes.user_code, "alice");
      // The user of a command line gives up.
      if (count > pollsBefore + 3) ended.abort(new Error("no person approved in time"));
      return given;
    }, { endpoint: "token" });
    await withoutWaiting(as, () =>
      client.pollDeviceAuthorizationGrant(config, codes, undefined, {
        signal: AbortSignal.any([ended.signal, signal]),
      }));
  };
}

let examined: Promise<Card> | undefined;

const expected: Partial<Record<MisbehaviourName, string>> = {
  // It leaves the addresses to the application.
  "device.complete_uri_foreign": "unharmed",
  "device.expired_early": "noticed",
  "device.interval_missing": "tolerated",
  "device.poll_html": "noticed",
  "device.slow_down_endless": "noticed",
};

for (const [name, outcome] of Object.entries(expected)) {
  test(`misbehaviours: openid-client and ${name} (RFC 8628)`, async () => {
    examined ??= examine({ client: createClient(2), only: ["device"], jobs: 1, within: 60 });
    const row = (await examined).rows.find((each) => each.name === name)!;
    assertEquals([row.outcome, (await examined).problem], [outcome, undefined], row.because);
  });
}
