/** The store that `postern start` opens, and two processes over one store. */

import { assertEquals } from "@std/assert";
import { test } from "../../../runner.ts";
import { openPostgres, testWithPostgres } from "../../../servers/postgres.ts";
import { createProgram, hasSqlite, start } from "../../../tools/cli/command.ts";
import { createFolder } from "../../../in_folder.ts";

(hasSqlite ? test : (name: string) => test.skip(name, "this runtime has no node:sqlite"))(
  "store: a server opens the store that POSTERN_STORE names",
  async () => {
    await using path = await createFolder();
    const args = ["start", "--port", "0", "--alg", "ES256"];
    const running = start(args, createProgram(args, { POSTERN_STORE: `sqlite:${path("postern.db")}` }));
    await running.printed(/^ {2}Store {5}sqlite:.+postern\.db$/m);
    running.signal("SIGTERM");
    await running.ended;
  },
);

testWithPostgres(
  "store: two servers over one Postgres share clients and keys, and show no password",
  async () => {
    const { url, discard } = await openPostgres();
    const [, password = ""] = /:([^:@/]+)@/.exec(url) ?? [];
    const args = ["start", "--port", "0", "--alg", "ES256"];
    const servers = [1, 2].map(() => start(args, createProgram(args, { POSTERN_STORE: url })));
    try {
      const [left, right] = await Promise.all(servers.map(async (server) => {
        const [, issuer = ""] = await server.printed(/^ {2}Issuer\s+(\S+)$/m);
        await server.printed(/^ {2}Store {5}postgres:\/\/postgres@127\.0\.0\.1:\d+\/postgres$/m);
        return await (await fetch(`${issuer}/oauth2/jwks`)).json();
      }));
      assertEquals(left, right);
    } finally {
      for (const server of servers) server.signal("SIGINT");
      await Promise.all(servers.map(({ ended }) => ended));
      await discard();
    }
    for (const { ended } of servers) {
      const { code, stdout, stderr } = await ended;
      assertEquals([code, stderr, stdout.includes(password)], [0, "", false]);
    }
  },
);
