/** Merge patches (RFC 7396). */

import { assertEquals } from "@std/assert";
import { mergePatch } from "../../../../src/kit/mock/conditions/hook_table.ts";
import { test } from "../../../runner.ts";

test("merge patch: the examples of RFC 7396 hold", () => {
  const cases: readonly (readonly [value: unknown, patch: unknown, merged: unknown])[] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [["a", "b"], ["c", "d"], ["c", "d"]],
    [{ a: "foo" }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [value, patch, merged] of cases) assertEquals(mergePatch(value, patch), merged);
});
