/** A server whose database is killed and started again: it refuses with 503 meanwhile, and then works without a restart. */
import { assert, assertEquals } from "@std/assert";
import { testWithPostgres } from "../servers/postgres.ts";
import { testWithRedis } from "../servers/redis.ts";
import { startPostgres } from "../servers/start_postgres.ts";
import { startRedis } from "../servers/start_redis.ts";
import { createProgram, start } from "../cli/command.ts";

// Writes that were acknowledged are on the disk.
const kept = { appendonly: "yes", appendfsync: "always" };
const databases = [
  { name: "Postgres", testWith: testWithPostgres, startDatabase: () => startPostgres() },
  { name: "Redis", testWith: testWithRedis, startDatabase: () => startRedis(kept) },
];

for (const { name, testWith, startDatabase } of databases) {
  testWith(`store outage: while ${name} is away, servers answer 503, and then they work again`, async () => {
    const database = await startDatabase();
    const args = ["start", "--port", "0", "--alg", "ES256", "--control", "--quiet"];
    const servers = [1, 2].map(() => start(args, createProgram(args, { POSTERN_STORE: database.url })));
    try {
      const issuers = await Promise.all(
        servers.map(async (server) => (await server.printed(/^ {2}Issuer\s+(\S+)$/m))[1]!),
      );
      const login = (issuer: string) =>
        fetch(`${issuer}/_postern/login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ username: "bob", client: "demo" }),
        });
      const refresh = (issuer: string, refresh_token: string) =>
        fetch(`${issuer}/oauth2/token`, {
          method: "POST",
          body: new URLSearchParams({ grant_type: "refresh_token", client_id: "demo", refresh_token }),
        });
      const tokens = await Promise.all(issuers.map(async (issuer) => {
        const response = await login(issuer);
        assertEquals(response.status, 200);
        return (await response.json()).refresh_token as string;
      }));
      await database.kill();
      await Promise.all(issuers.map(async (issuer, index) => {
        let response = await refresh(issuer, tokens[index]!);
        // Connections to Postgres live on for a moment after the server was killed.
        while (response.status === 200) {
          tokens[index] = (await response.json()).refresh_token;
          response = await refresh(issuer, tokens[index]!);
        }
        const more = Array.from({ length: 8 }, () => refresh(issuer, tokens[index]!));
        for (const refused of [response, ...await Promise.all(more)]) {
          assertEquals([refused.status, (await refused.json()).error], [503, "temporarily_unavailable"]);
          assert(refused.headers.has("retry-after"));
        }
      }));
      await database.start();
      for (const [index, issuer] of issuers.entries()) {
        let response = await refresh(issuer, tokens[index]!);
        while (response.status === 503) {
          await response.body?.cancel();
          response = await refresh(issuer, tokens[index]!);
        }
        assertEquals(response.status, 200, await response.text());
      }
    } finally {
      for (const server of servers) server.signal("SIGTERM");
      await Promise.all(servers.map(({ ended }) => ended));
      await database.end();
    }
  });
}
