/** The neighbours of a right value: each differs from it, and has the text of it that its name says. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { neighbours } from "../../../src/kit/faults/names.ts";
import type { Tools } from "../../../src/kit/faults/misbehaviour.ts";
import { changeAudience, writeNeighbour, writeNeighbours } from "../../../src/kit/faults/neighbours.ts";
import { test } from "../../runner.ts";

const written = (right: string) =>
  Object.fromEntries(neighbours.map((neighbour) => [neighbour, writeNeighbour(neighbour, right, "other")]));

test("neighbours: those of a URL", () => {
  assertEquals(written("https://api.test/orders"), {
    suffix: "https://api.test/orders/another",
    prefix: "not-https://api.test/orders",
    part: "https://api.test/order",
    capitals: "HTTPS://API.TEST/ORDERS",
    white_space: "https://api.test/orders ",
    encoded: "https%3A%2F%2Fapi.test%2Forders",
    similar_host: "https://api-test/orders",
  });
});

test("neighbours: those of a name", () => {
  assertEquals(written("my.app"), {
    suffix: "my.app-2",
    prefix: "not-my.app",
    part: "my.ap",
    capitals: "MY.APP",
    white_space: "my.app ",
    encoded: "%6dy.app",
    similar_host: "my-app",
  });
  assertEquals(writeNeighbour("another", "app", "other"), "other");
  assertEquals(writeNeighbour(undefined, "app", "other"), "other");
});

for (
  const right of [
    "https://api.test/",
    "http://localhost:8080",
    "urn:api",
    "APP",
    "42",
    "a",
    "-2",
    "é",
    "other",
  ]
) {
  test(`neighbours: those of ${right} differ from it, and not by a slash at the end only`, () => {
    for (const neighbour of [...neighbours, "another"]) {
      const found = writeNeighbour(neighbour, right, "other");
      assertNotEquals(found, right, neighbour);
      assert(![`${right}/`, right.replace(/\/$/, "")].includes(found), `${neighbour}: ${found}`);
    }
    assertEquals(decodeURIComponent(writeNeighbour("encoded", right, "other")), right);
  });
}

test("neighbours: those of several values are none of them", () => {
  assertEquals(writeNeighbours("suffix", ["orders", "orders-2"], "other"), ["orders-2-2"]);
  assertEquals(writeNeighbours("capitals", ["app", "APP"], "other"), ["other"]);
  assertEquals(writeNeighbours("another", ["orders", "email"], "other"), ["other"]);
  assertEquals(writeNeighbours("prefix", [], "other"), ["other"]);
});

test("neighbours: capital letters in the host alone make no other audience (MCP, Canonical Server URI)", () => {
  const change = (aud: unknown, variant: string) =>
    changeAudience({ aud }, { variant } as Tools, "https://another-api.test")["aud"];
  assertEquals(change("https://api.test", "capitals"), "https://api.test/another");
  assertEquals(change("https://api.test/orders", "capitals"), "HTTPS://API.TEST/ORDERS");
  assertEquals(change("app", "capitals"), "APP");
  assertEquals(change(["app", "orders"], "suffix"), ["app-2", "orders-2"]);
  assertEquals(change(undefined, "suffix"), "https://another-api.test");
});
