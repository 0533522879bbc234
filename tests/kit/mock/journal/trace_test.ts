/** Traces (W3C Trace Context) in the journal of a test: the filter finds them, and a HAR file has them. */

import { assertEquals } from "@std/assert";
import { parseFilter } from "../../../../src/kit/mock/journal/filter.ts";
import { createMock } from "../../../../src/kit/mod.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { test } from "../../../runner.ts";
import { keepWorld } from "./kept_world.ts";

const it = testInWorld({});

const traceId = "0af7651916cd43dd8448eb211c80319c", parentId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${parentId}-01`;

it("trace: the filter finds its requests", async (world) => {
  await world.get("/oauth2/jwks", { traceparent });
  await world.get("/oauth2/jwks", { traceparent: traceparent.replace("0af7", "1af7") });
  const kept = keepWorld(world);
  const find = (line: string) =>
    kept.filter((each) => parseFilter(line).matches(each)).map(({ entry }) => entry.id);
  assertEquals(find(`trace:${traceId}`), [world.journal[0]!.id]);
  assertEquals(find(`-trace:${traceId}`), [world.journal[1]!.id]);
  assertEquals(parseFilter("trace:x").problems, []);
});

test("trace: a test and its HAR file have it", async () => {
  await using as = await createMock();
  await (await as.fetch(`${as.issuer}/oauth2/jwks`, { headers: { traceparent } })).text();
  assertEquals(as.requests.last?.trace, { traceId, parentId, isSampled: true });
  const { log } = JSON.parse(as.timeline({ as: "har" }));
  assertEquals(log.entries[0]._trace, { traceId, parentId, isSampled: true });
});
