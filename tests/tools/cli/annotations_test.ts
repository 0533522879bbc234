/** What `examine` prints for GitHub Actions: an annotation for each thing to mend. */

import { assertEquals } from "@std/assert";
import { createReport } from "../../../src/kit/examine/card/report.ts";
import { describeMisbehaviour } from "../../../src/kit/faults/choose.ts";
import type { CardRow, MisbehaviourName } from "../../../src/kit/mod.ts";
import { listAnnotations } from "../../../src/tools/cli/examine/github.ts";
import { test } from "../../runner.ts";

const rowOf = (name: MisbehaviourName, because: string): CardRow => ({
  ...describeMisbehaviour(name),
  ...{
    client: "Refuses it: 100 %,\nat once.",
    rule: "RFC 9126 §2.2",
    level: "must",
    outcome: "fooled",
    because,
    requests: [],
  },
});

test("examine: annotations are at the line of the driver, and escape what ends their parts", () => {
  const rows = [rowOf("pushed_request.request_uri_missing", "no\n    at /work/a,b:c.js:3:4")];
  const driver = { file: "tests/a,b:c.js", line: 7 };
  const problem = "After a: b, it failed";
  assertEquals([...listAnnotations(createReport({ phases: ["login"], rows, problem }), driver)], [
    "::error title=Postern examine::After a: b, it failed",
    "::error file=tests/a%2Cb%3Ac.js,line=7," +
    "title=Goes on when the response to the pushed request has no request_uri::1 row.%0A" +
    "pushed_request.request_uri_missing: A correct client refuses it: 100 %25,%0Aat once. (RFC 9126 §2.2)",
  ]);
});

test("examine: an annotation about several rows has what they have in common, and what each wants", () => {
  const rows = [rowOf("id_token.nonce_wrong", "no"), rowOf("id_token.nonce_missing", "no")];
  const problem = "The client calls the API, and then fails: no\nThe server refused GET /orders:";
  const line = (name: string) =>
    `%0A${name}: A correct client refuses it: 100 %25,%0Aat once. (RFC 9126 §2.2)`;
  assertEquals([...listAnnotations(createReport({ phases: ["login"], rows, problem }), undefined)], [
    `::error title=Postern examine::${problem.replace("\n", "%0A")}`,
    "::error title=Goes on when the nonce of the ID token is not the one that the client sent (and 1 more about the nonce)::2 rows." +
    line("id_token.nonce_wrong") + line("id_token.nonce_missing"),
  ]);
});
