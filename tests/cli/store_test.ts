/** The store that `postern start` opens: the flag, the environment, and what is shown of it. */
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { chooseStore } from "../../src/cli/open_store.ts";
import { test } from "../runner.ts";
import { createProgram, hasSqlite, inFolder, start } from "./command.ts";

test("store: the flag has priority over POSTERN_STORE, and memory is the default", () => {
  assertEquals(chooseStore(undefined, {}), "memory");
  assertEquals(chooseStore(undefined, { POSTERN_STORE: "sqlite:a.db" }), "sqlite:a.db");
  assertEquals(chooseStore("memory", { POSTERN_STORE: "sqlite:a.db" }), "memory");
  for (const wrong of ["", "sqlite:", "postgress://ann:canary@db/shop"]) {
    const { message } = assertThrows(() => chooseStore(undefined, { POSTERN_STORE: wrong }), Error);
    assertMatch(message, /^POSTERN_STORE must be memory.* or [^ ]+$/);
  }
});

(hasSqlite ? test : (name: string) => test.skip(name, "this runtime has no node:sqlite"))(
  "store: a server opens the store that POSTERN_STORE names",
  async () => {
    await inFolder(async (path) => {
      const args = ["start", "--port", "0", "--alg", "ES256"];
      const running = start(args, createProgram(args, { POSTERN_STORE: `sqlite:${path("postern.db")}` }));
      await running.printed(/^ {2}Store {5}sqlite:\S+postern\.db$/m);
      running.signal("SIGTERM");
      await running.ended;
    });
  },
);
