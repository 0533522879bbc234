/** What may differ between the output of a command and its documentation, and what may not. */

import { assertEquals, assertMatch } from "@std/assert";
import { test } from "../runner.ts";
import { compareOutput, findMissingLine } from "./compare_output.ts";

const alike: Readonly<Record<string, readonly [documented: string, output: string]>> = {
  "blank space and blank lines": ["a  b\n\nc\n", "a b\nc\n"],
  "times, durations and dates": [
    "12:03:41 5 ms at 2026-01-01T10:00:00Z, 1700000000",
    "09:00:00 1.5 ms at 2027-02-02T12:00:00.123Z, 1800000001",
  ],
  "tokens": ["token eyJa.eyJb.c", "token eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwOi8vbG9jYWxob3N0In0.signature"],
  "ids": ["code=SplxlOBeZQQYbYS6WxSbIA", "code=_fpKovSbKoIN1RseDiFfEr"],
  "ids without a digit": ["inspector#key=1oc63nPsavqtdFkCNrKRwQ", "inspector#key=DzBxivPyiNGwn_Lj_buXIQ"],
  "text where the page has an ellipsis": ['{"a":"…","b":1}', '{"a":"long text","b":1}'],
  "lines where the page has an ellipsis": ["first\n…\nlast", "first\nsecond\nthird\nlast"],
};

for (const [what, [documented, output]] of Object.entries(alike)) {
  test(`output: ${what} may differ`, () => assertEquals(compareOutput(output, documented), undefined));
}

const different: Readonly<Record<string, readonly [documented: string, output: string]>> = {
  "another word": ["one", "two"],
  "a missing line": ["one\ntwo", "one"],
  "one line more": ["one", "one\ntwo"],
  "a number": ["expires_in 3600", "expires_in 60"],
  "text around an ellipsis": ['{"a":"…","b":1}', '{"a":"long text","b":2}'],
  "a missing line after an ellipsis": ["first\n…\nlast", "first\nsecond"],
  "a path": ["GET /oauth2/authorize", "GET /oauth2/authorise"],
};

for (const [what, [documented, output]] of Object.entries(different)) {
  test(`output: ${what} is a difference`, () => {
    assertMatch(compareOutput(output, documented) ?? "", /is not as documented/);
  });
}

test("output: texts are lines of the output, in their order", () => {
  assertEquals(findMissingLine("one\ntwo\nthree\n", ["one", "t…e"]), undefined);
  assertEquals(findMissingLine("one\ntwo\n", ["two", "one"]), "one");
  assertEquals(findMissingLine("one and more\n", ["one"]), "one");
});
