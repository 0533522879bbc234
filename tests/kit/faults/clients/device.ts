/** Logs in as a device (RFC 8628). The clock of the test turns while the device waits. */

import { deviceGrantType } from "../../../server/features/device_login.ts";
import type { ServerMetadata } from "./discovery.ts";
import { Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { isObject, type Json } from "./json.ts";

// The person approves after so many polls.
const pollsBefore = 2;
// A client without checks never stops by itself, but this test ends at some time.
const mostPolls = 6;

/** Resolves to the tokens. */
export async function logInOnDevice({ tokenEndpoint, all }: ServerMetadata, run: Run): Promise<Json> {
  const { as, habits: { checks }, scenario: { clientId: client_id } } = run;
  const begun = await post(
    `${all["device_authorization_endpoint"]}`,
    { client_id, scope: "openid email" },
    run,
  );
  await showAddress(begun.members, run);
  startleIf(run, begun.members["interval"] === undefined, "there is no interval");
  const { device_code, user_code, interval: given } = begun.members;
  // RFC 8628 §3.2. A client without checks calculates with a missing value.
  let interval = checks ? Number(given ?? 5) : Number(given);
  for (let count = 1; count <= mostPolls; count++) {
    if (interval > 0) as.clock.advance(interval);
    const form = { grant_type: deviceGrantType, client_id, device_code: `${device_code}` };
    const { members, isJson, ok } = await post(tokenEndpoint, form, run);
    refuseIf(run, !isJson, "the answer to a poll is not JSON");
    if (ok) return members;
    const { error } = members;
    refuseIf(
      run,
      error !== "authorization_pending" && error !== "slow_down",
      `the device login ends with ${error}`,
    );
    // RFC 8628 §3.5.
    if (error === "slow_down" && checks) interval += 5;
    if (count === pollsBefore) await as.approveDevice(`${user_code}`, "alice").catch(() => {});
  }
  throw new Refusal("no person approved in time");
}

/** Opens the complete address for the person. A client that checks compares it with the address that people type. */
async function showAddress(
  { verification_uri: plain, verification_uri_complete: complete }: Json,
  run: Run,
): Promise<void> {
  refuseIf(run, !/^https:/.test(`${plain}`), `the address is ${plain}`);
  if (!/^https?:/.test(`${complete}`)) return void await run.scenario.browse(`${complete}`).catch(() => {});
  const isForeign = new URL(`${complete}`).origin !== new URL(`${plain}`).origin;
  refuseIf(run, isForeign, "the complete address is at another server");
  await (await run.as.fetch(`${complete}`, { signal: run.scenario.signal })).text();
}

async function post(
  url: string,
  form: Readonly<Record<string, string>>,
  { as, scenario: { signal } }: Run,
): Promise<{ readonly members: Json; readonly isJson: boolean; readonly ok: boolean }> {
  const response = await as.fetch(url, { method: "POST", body: new URLSearchParams(form), signal });
  const text = await response.text();
  const isJson = /^application\/json *(;|$)/.test(response.headers.get("content-type") ?? "");
  const members: unknown = isJson ? JSON.parse(text) : {};
  if (!isObject(members)) throw new Refusal("the response is not an object");
  return { members, isJson, ok: response.ok };
}
