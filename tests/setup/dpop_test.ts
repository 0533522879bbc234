/** The option dpop: errors say what was expected. */

import { createServer, type ServerOptions } from "../../src/mod.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { test } from "../runner.ts";

const wrong: readonly (readonly [dpop: unknown, message: string])[] = [
  [true, "dpop must be false or an object, not true"],
  [{ nonces: "always" }, 'dpop.nonces must be one of off, required, rotating, not "always"'],
  [{ nonce: "off" }, "dpop.nonce is not known: did you mean nonces?"],
  [{ algorithms: [] }, "dpop.algorithms must have 1 item or more"],
  [{ algorithms: ["HS256"] }, "dpop.algorithms[0] must be one of ES256, EdDSA, Ed25519, PS256, RS256"],
];

for (const [dpop, message] of wrong) {
  test(`options: dpop: ${JSON.stringify(dpop)} is refused, and the error says what was expected`, () =>
    assertCannotCreate(() => createServer({ dpop } as ServerOptions), message));
}
