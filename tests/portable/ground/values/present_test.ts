/** Members that an object has only if their values are there. */

import { assertEquals } from "@std/assert";
import { present } from "../../../../src/ground/values/present.ts";
import { test } from "../../../runner.ts";

test("present: leaves out the members that are undefined, and keeps the other empty values", () => {
  const members = { state: undefined, nonce: "n", count: 0, text: "", on: false, nothing: null };
  assertEquals(Object.keys(present(members)), ["nonce", "count", "text", "on", "nothing"]);
  const usual = { value: "n", writable: true, enumerable: true, configurable: true };
  assertEquals(Object.getOwnPropertyDescriptor(present(members), "nonce"), usual);
});

test("present: keeps own members only, also one that is named like the prototype", () => {
  const inherited = Object.assign(Object.create({ state: "s" }), { nonce: "n" });
  assertEquals(Object.keys(present(inherited)), ["nonce"]);
  const hostile = present(JSON.parse('{ "__proto__": { "state": "s" } }'));
  assertEquals(JSON.stringify(hostile), '{"__proto__":{"state":"s"}}');
  assertEquals(Object.getPrototypeOf(hostile), Object.prototype);
});
