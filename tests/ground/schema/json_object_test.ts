/** Places: written and split. */

import { assertEquals } from "@std/assert";
import { findAt, placeOfMember, splitPlace } from "../../../src/ground/schema/json_object.ts";
import { test } from "../../runner.ts";

test("place: a name that JavaScript could not write after a dot is quoted", () => {
  assertEquals(placeOfMember("", "client_id"), "client_id");
  assertEquals(placeOfMember("clients[0]", "client_id"), "clients[0].client_id");
  assertEquals(placeOfMember("", "a b"), '["a b"]');
  assertEquals(placeOfMember("claims", "https://a.test/role"), 'claims["https://a.test/role"]');
});

test("place: splitting gives the names and numbers, quoted ones too", () => {
  assertEquals(splitPlace(""), []);
  assertEquals(splitPlace("clients[0].redirect_uris[1]"), ["clients", "0", "redirect_uris", "1"]);
  const names = ["claims", "https://a.test/role", 'x"]', "y"];
  assertEquals(splitPlace(names.reduce(placeOfMember, "")), names);
});

test("place: a place finds its value, and nothing where there is none", () => {
  const value = { clients: [{ "a b": 1 }, null] };
  assertEquals(findAt("", value), value);
  assertEquals(findAt('clients[0]["a b"]', value), 1);
  assertEquals([findAt("clients[1].x", value), findAt("clients[2].x.y", value)], [undefined, undefined]);
});

test("place: a place has only members of the value itself", () => {
  assertEquals([findAt("toString", {}), findAt("a.constructor.name", { a: {} })], [undefined, undefined]);
});
