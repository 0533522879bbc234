/** What the challenge of a refusal says, in each form that a header may have. */

import { assertEquals } from "@std/assert";
import { describeApiAnswer } from "../../../src/kit/examine/api_outcome.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { test } from "../../runner.ts";

const challenges: Readonly<Record<string, true | undefined>> = {
  'Bearer error="invalid_token"': undefined,
  "Bearer ERROR = invalid_token": undefined,
  'Basic realm="a", Bearer realm="b",Error="invalid_token"': undefined,
  'Bearer other_error="invalid_token"': true,
  'Bearer error="invalid_request"': true,
};

for (const [challenge, advised] of Object.entries(challenges)) {
  test(`api outcome: 401 with ${challenge} has ${advised ? "an" : "no"} advice (RFC 9110 §11.2)`, () => {
    const response = new Response("", { status: 401, headers: { "www-authenticate": challenge } });
    const { outcome, ...rest } = describeApiAnswer(catalogue.get("access_token.expired")!, { response });
    assertEquals([outcome, rest.advised], ["noticed", advised]);
  });
}

test("api outcome: 403 without a challenge lacks none, because only 401 must have one (RFC 9110 §15.5.2)", () => {
  const entry = catalogue.get("access_token.expired")!;
  const { because } = describeApiAnswer(entry, { response: new Response("", { status: 403 }) });
  assertEquals(because, "The API answered 403. Expected the status 401.");
});
