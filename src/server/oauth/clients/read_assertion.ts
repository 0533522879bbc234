/** Reads an assertion that authenticates a client, before the client is found (RFC 7521 §4.2, RFC 7523 §3). */

import { readUnverified, readUnverifiedHeader } from "../../crypto/jwt.ts";
import type { Exchange } from "../exchange.ts";
import type { Credentials } from "../feature.ts";
import { lazy } from "../lazy.ts";
import type { Params } from "../params.ts";
import type { AssertionKeys } from "./client_assertion.ts";

const check = lazy(async () => (await import("./check_assertion.ts")).checkAssertion);

/**
 * Creates the function that reads the client id from the assertion, without a check of the signature. The server calls
 * `prove` later, after it has found the client and has refused requests with several credentials. `prove` checks the
 * whole assertion.
 */
export function createAssertionReader(
  keys: AssertionKeys,
): (exchange: Exchange, form: Params) => readonly Credentials[] {
  return (exchange, form) => {
    const assertion = form.get("client_assertion") ?? "";
    const type = form.get("client_assertion_type");
    if (assertion === "" && type === undefined) return [];
    if (!keys.isFor(readUnverifiedHeader(assertion)?.alg)) return [];
    const subject = readUnverified(assertion)?.["sub"];
    return [{
      clientId: typeof subject === "string" ? subject : form.get("client_id") ?? "",
      prove: (client, services) => check({ assertion, type }, client, keys, exchange, services),
    }];
  };
}
