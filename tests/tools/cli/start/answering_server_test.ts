/** A server that takes the place of another one: the old one closes, and its running requests are awaited. */

import { assertEquals } from "@std/assert";
import { type AnsweringServer, createReplaceable } from "../../../../src/tools/cli/start/answering_server.ts";
import { nextTurn } from "../../../../src/server/runtime/real_timer.ts";
import { test } from "../../../runner.ts";

test("replaceable: the next server answers, the one before closes, and the end waits for both", async () => {
  const log: string[] = [];
  const { promise: running, resolve: finish } = Promise.withResolvers<void>();
  const create = (name: string, closed = Promise.resolve()): AnsweringServer => ({
    answer: () => Promise.resolve({ status: 200, headers: [], body: name } as never),
    close: () => {
      log.push(`${name} closes`);
      return closed;
    },
  });
  const ask = async () => (await server.answer({} as never) as { readonly body?: unknown }).body;
  const server = createReplaceable(create("first", running));
  assertEquals([await ask(), log], ["first", []]);
  server.replace(create("second"));
  assertEquals([await ask(), log], ["second", ["first closes"]]);
  const end = server.close().then(() => log.push("all closed"));
  await nextTurn();
  assertEquals(log, ["first closes", "second closes"]);
  finish();
  await end;
  assertEquals(log.at(-1), "all closed");
});
