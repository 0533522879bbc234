/** The titles of rows with variants. */

import { assertEquals } from "@std/assert";
import { describeVariant } from "../../../src/kit/faults/variant_words.ts";
import { test } from "../../runner.ts";

test("variants: the words of a variant are words, also if an object has a member of this name", () => {
  assertEquals(describeVariant("The iss is wrong", "constructor"), "The iss is wrong: constructor");
  assertEquals(
    describeVariant("The iss is wrong", "suffix"),
    "The iss is wrong: more text after the right one",
  );
  assertEquals(describeVariant("The iss is wrong", "another"), "The iss is wrong");
});
