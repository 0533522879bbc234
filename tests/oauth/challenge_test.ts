/** WWW-Authenticate: quoted values cannot end their quotes (RFC 9110 §5.6.4, §11.6.1). */

import { assertEquals } from "@std/assert";
import { formatChallenge } from "../../src/oauth/challenge.ts";
import { test } from "../runner.ts";

test("challenge: quotes, backslashes, line breaks and umlauts in a value are replaced", () => {
  assertEquals(
    formatChallenge({
      scheme: "Basic",
      params: { realm: "postern", error_description: 'a "b" \\ c\r\nd \u00e4' },
    }),
    `Basic realm="postern", error_description="a 'b' / c??d ?"`,
  );
});
