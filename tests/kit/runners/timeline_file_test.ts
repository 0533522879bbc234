/** The files of the timelines of failed tests: their names, and what they replace. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readFile, utimes } from "node:fs/promises";
import { createMock, type Mock } from "../../../src/kit/mod.ts";
import { openMock, writeTimeline } from "../../../src/kit/runners/open_mock.ts";
import { inFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";

test("runners: tests with one name have a timeline each, and the next run replaces them", () =>
  inFolder(async (path) => {
    await using as = await createMock({ alg: "ES256" });
    const folder = path("results");
    const write = async (file: string, name: string) => {
      const told = await writeTimeline(as, { file, name }, { folder });
      return told.replace(`The timeline of this test: ${folder}`, "").replace("-timeline.html", "").slice(1);
    };
    const name = "orders > bob's login";
    assertEquals(
      (await Promise.all([write("tests/orders.test.ts", name), write("tests/orders.test.ts", name)])).sort(),
      [
        "tests-orders-test-ts-orders-bob-s-login",
        "tests-orders-test-ts-orders-bob-s-login-2",
      ],
    );
    assertEquals(await write("tests/other.test.ts", name), "tests-other-test-ts-orders-bob-s-login");
    const long = "x".repeat(200);
    assertEquals([
      await write("", long),
      await write("", `${long}y`),
      await write("", "?"),
    ], [
      long.slice(0, 120),
      `${long.slice(0, 120)}-2`,
      "test",
    ]);
    const first = path("results/tests-orders-test-ts-orders-bob-s-login-timeline.html");
    const beforeThisRun = performance.timeOrigin / 1000 - 1;
    await utimes(first, beforeThisRun, beforeThisRun);
    await as.login("bob");
    assertEquals(await write("tests/orders.test.ts", name), "tests-orders-test-ts-orders-bob-s-login");
    assertStringIncludes(await readFile(first, "utf8"), "/oauth2/token");
  }));

test("runners: a mock whose start fails is closed", async () => {
  let started: Mock | undefined;
  const start = (as: Mock) => {
    started = as;
    throw new Error("no port is free");
  };
  await assertRejects(() => openMock({ start }), Error, "no port is free");
  await assertRejects(() => started!.login(), Error, "is disposed of");
});
