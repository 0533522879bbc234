/** Gates over HTTP. */

import { assertEquals, assertMatch } from "@std/assert";
import { testIn } from "../../test_in.ts";
import { origin, withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: requests wait at a gate, and are released in any order", async ({ ask, as }) => {
  const made = await ask("POST", "/gates", { body: { endpoint: "jwks", kind: "hold", count: 2 } });
  assertEquals(made.status, 201);
  assertEquals(made.body, { id: "gate-1", endpoint: "jwks", kind: "hold", count: 2, waiting: 0 });
  assertEquals((await ask("GET", "/gates/gate-1")).body.arrived, false);
  const coming = ask("GET", "/gates/gate-1?arrived=2&wait=5");
  const order: string[] = [];
  const get = async (name: string) => {
    await (await as.fetch(`${origin}/oauth2/jwks`)).text();
    order.push(name);
  };
  const fetching = [get("first")];
  assertEquals((await ask("GET", "/gates/gate-1?wait=5")).body.arrived, true);
  assertEquals((await ask("GET", "/gates/gate-1?arrived=2")).body.arrived, false);
  fetching.push(get("second"));
  const { body } = await coming;
  assertEquals([body.arrived, body.waiting], [true, 2]);
  assertEquals((await ask("POST", "/gates/gate-1/release", { body: { index: 2 } })).status, 204);
  await fetching[1];
  assertEquals((await ask("DELETE", "/gates/gate-1")).status, 204);
  await fetching[0];
  assertEquals(order, ["second", "first"]);
  assertEquals((await ask("GET", "/gates/gate-1")).status, 404);

  await ask("POST", "/gates", { body: { endpoint: "token", kind: "drop", count: 1 } });
  const lost = await ask("POST", "/login", { body: {} });
  assertEquals([lost.status, lost.body.error], [422, "answer_lost"]);
  assertEquals((await ask("GET", "/gates")).body.gates.map((each: { id: string }) => each.id), ["gate-2"]);
  await ask("POST", "/gates", { body: { endpoint: "page", kind: "hold" } });
  const unknown = (await ask("GET", "/gates/gate-1")).body.error_description;
  assertEquals(unknown, 'There is no gate "gate-1": known are gate-2, gate-3');
  const watched = await ask("GET", "/gates/gate-2");
  assertMatch(watched.body.error_description, /^No requests wait at gate-2, because it is a drop\./);
  const delay = { endpoint: "token", kind: "delay" };
  assertEquals((await ask("POST", "/gates", { body: delay })).body.place, "by");
  const delayed = await ask("POST", "/gates", { body: { ...delay, by: "1ms", count: 1 } });
  assertEquals([delayed.status, delayed.body.by], [201, 0.001]);
  assertEquals((await ask("POST", "/gates", { body: { ...delay, kind: "hold", by: 1 } })).body.place, "by");
  assertEquals((await ask("POST", "/login", { body: {} })).status, 200);

  const fail = { endpoint: "token", kind: "fail", status: 429, retryAfter: "2s", count: 1 };
  const failing = await ask("POST", "/gates", { body: fail });
  assertEquals([failing.status, failing.body], [201, { id: failing.body.id, ...fail, retryAfter: 2 }]);
  const failed = await ask("POST", "/login", { body: {} });
  assertEquals([failed.status, failed.body.error], [422, "refused"]);
  assertEquals(failed.body.refusal.reason, "failed_by_test");
  const wrongGates = [
    [{ ...fail, status: 404 }, "status"],
    [{ ...fail, retryAfter: -1 }, "retryAfter"],
    [{ ...fail, count: 0 }, "count"],
    [{ endpoint: "token", kind: "drop", status: 503 }, "status"],
    [{ endpoint: "token", kind: "hold", retryAfter: 1 }, "retryAfter"],
  ] as const;
  for (const [wrong, place] of wrongGates) {
    const refused = await ask("POST", "/gates", { body: wrong });
    assertEquals([refused.status, refused.body.place], [400, place]);
  }
  await ask("POST", "/reset");
  assertEquals((await ask("GET", "/gates")).body, { gates: [] });
});

it("control: gates that a test creates in code are listed, released and removed over HTTP, too", async ({ ask, as }) => {
  using gate = as.hold("jwks");
  as.fail("token", { count: 1, status: 500 });
  const { body } = await ask("GET", "/gates");
  assertEquals(body.gates, [
    { id: "gate-1", endpoint: "jwks", kind: "hold", waiting: 0 },
    { id: "gate-2", endpoint: "token", kind: "fail", count: 1, status: 500 },
  ]);
  const answered = as.fetch(`${origin}/oauth2/jwks`);
  await gate.arrived();
  assertEquals((await ask("POST", "/gates/gate-1/release", { body: {} })).status, 204);
  assertEquals((await answered).status, 200);
  assertEquals((await ask("DELETE", "/gates/gate-2")).status, 204);
  assertEquals((await ask("POST", "/login", { body: {} })).status, 200);
  gate[Symbol.dispose]();
  assertEquals((await ask("GET", "/gates")).body, { gates: [] });
  as.drop("token");
  as.reset();
  assertEquals((await ask("GET", "/gates")).body, { gates: [] });
});
