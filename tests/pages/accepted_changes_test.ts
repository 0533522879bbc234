/** Every reason for a refusal or an advice has a sentence that says which one change would have been accepted. */

import { assertEquals } from "@std/assert";
import { acceptedChanges } from "../../src/pages/words/accepted_changes_english.ts";
import { germanAcceptedChanges } from "../../src/pages/words/accepted_changes_german.ts";
import { readSources } from "../architecture/sources.ts";
import { test } from "../runner.ts";

/** Returns the reasons in the union types of the sources, whose names end in Reason, Advice or Cause. */
function findReasons(): ReadonlySet<string> {
  const unions = readSources("src").flatMap(({ text }) => [
    ...text.matchAll(/^(?:export )?type \w+(?:Reason|Advice|Cause) =([^;]*);/gm),
  ]);
  return new Set(
    unions.flatMap(([, union = ""]) => [...union.matchAll(/"([a-z_]+)"/g)].map(([, name]) => name!)),
  );
}

/** The reasons that no union of texts lists. */
const otherReasons: readonly string[] = [
  ...["body_too_large", "body_not_utf8", "body_encoded", "body_interrupted"],
  ...["answer_changed", "unexplained"],
];

test("accepted changes: every reason has a sentence, and every sentence has a reason", () => {
  const reasons = [...findReasons(), ...otherReasons].sort();
  assertEquals([...acceptedChanges.keys()].sort(), reasons);
});

test("accepted changes: every sentence says what to do", () => {
  for (const [reason, sentence] of [...acceptedChanges, ...germanAcceptedChanges]) {
    assertEquals(/^\p{Lu}.*\.$/u.test(sentence), true, reason);
  }
});
