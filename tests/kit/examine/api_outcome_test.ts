/** What the challenge of a refusal says, in each form that a header may have. */

import { assertEquals, assertThrows } from "@std/assert";
import { describeApiAnswer } from "../../../src/kit/examine/api_outcome.ts";
import { readRefusedBy, type RefusedBy } from "../../../src/kit/examine/refused_by.ts";
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

test("api outcome: each status has its outcome, where a check is a must, none, or allowed", () => {
  const names = ["access_token.expired", "access_token.kid_missing", "access_token.nested_deeply"] as const;
  const rows: readonly (readonly [readonly number[], ...string[]])[] = [
    [[200, 201, 202, 204, 206], "fooled", "tolerated", "tolerated"],
    [[400, 401, 403], "noticed", "broke", "noticed"],
    [[301, 302, 404, 405, 429], "unknown", "unknown", "unknown"],
    [[500, 503], "unknown", "unknown", "broke"],
  ];
  for (const [statuses, ...expected] of rows) {
    for (const status of statuses) {
      const sent = { response: new Response(null, { status }) };
      const found: string[] = names.map((name) => describeApiAnswer(catalogue.get(name)!, sent).outcome);
      assertEquals(found, expected, `${status}`);
    }
  }
  // RFC 6750 §3.1: a malformed token may get invalid_request, but with 400 only.
  const malformed = [...catalogue.values()].find(({ api }) => api?.isMalformed)!;
  for (const [status, advised] of [[400, undefined], [401, true], [403, true]] as const) {
    const headers = { "www-authenticate": 'Bearer error="invalid_request"' };
    const response = new Response("", { status, headers });
    assertEquals(describeApiAnswer(malformed, { response }).advised, advised, `${status}`);
  }
});

test("refused by: the first declaration that fits an answer, which stays readable", async () => {
  const rows: readonly (readonly [RefusedBy | readonly RefusedBy[], status: number, found?: RefusedBy])[] = [
    ...[299, 400].map((status) => ["redirect", status] as const),
    ...[300, 302, 399].map((status) => ["redirect", status, "redirect"] as const),
    ...[403, 405].map((status) => ["status:404", status] as const),
    [["redirect", "status:404", "status:410"], 410, "status:410"],
    [["redirect", "body:no: denied"], 200, "body:no: denied"],
    [["body:denied\nfor", "status:410"], 410, "body:denied\nfor"],
    [["status:410", "body:denied"], 410, "status:410"],
    ["body:yes: denied", 200],
    ["body:no: refused", 200],
    [[], 404],
  ];
  for (const [declared, status, found] of rows) {
    const response = new Response("no: denied\nfor you", { status });
    assertEquals(await readRefusedBy(declared, "examine")(response), found, `${declared} ${status}`);
    assertEquals(await response.text(), "no: denied\nfor you");
  }
  for (const wrong of ["no redirect", "redirects", "status:099", "status:600", "status:4040", "body:"]) {
    for (const declared of [[wrong, "redirect"], ["redirect", wrong]] as RefusedBy[][]) {
      assertThrows(() => readRefusedBy(declared, "examine"), TypeError, "expected redirect, status:NUMBER");
    }
  }
});
