/** The Postgres store and a server of its own: over TLS, as libpq accepts it, and while the server is killed. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readFile } from "node:fs/promises";
import { type Kind, postgresStore, StoreUnavailable } from "../../../src/mod.ts";
import { runSql } from "../../servers/postgres.ts";
import { findPostgresProblem, type PostgresServer, startPostgres } from "../../servers/start_postgres.ts";
import { test } from "../../runner.ts";

const folder = "tests/certificates";
const problem = findPostgresProblem();
// Outside the tests, because Deno does not allow that a test leaves a process.
const started = problem === undefined
  ? await startPostgres({
    settings: { ssl: "on", ssl_cert_file: "server.crt", ssl_key_file: "server.key" },
    files: {
      "server.crt": await readFile(`${folder}/localhost.crt`, "utf8"),
      "server.key": await readFile(`${folder}/localhost.key`, "utf8"),
    },
  })
  : undefined;

function serverTest(behaviour: string, body: (server: PostgresServer) => Promise<void>): void {
  const name = `postgres store: ${behaviour}`;
  if (started === undefined) test.skip(name, `${problem}`);
  else test(name, () => body(started));
}

serverTest("TLS checks what sslmode and sslrootcert say", async (server) => {
  const authority = `sslrootcert=${folder}/authority.crt`;
  const wrongAuthority = `sslrootcert=${folder}/localhost.crt`;
  const usesTls = async (query: string, host = "127.0.0.1") => {
    const url = `${server.url.replace("127.0.0.1", host)}?application_name=postern_tls&pool_size=1&${query}`;
    const store = await postgresStore(url, { timeout: 5 });
    try {
      const rows = await runSql(
        server.url,
        "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'postern_tls'",
      );
      return rows.map(({ ssl }) => ssl);
    } finally {
      await store.close();
    }
  };
  assertEquals(await usesTls("sslmode=disable"), [false]);
  for (const query of ["", "sslmode=prefer", "sslmode=require", `sslmode=require&${authority}`]) {
    assertEquals(await usesTls(query), [true], query);
  }
  assertEquals(await usesTls(`sslmode=verify-ca&${authority}`), [true]);
  assertEquals(await usesTls(`sslmode=verify-full&${authority}`), [true]);
  assertEquals(await usesTls(`sslmode=verify-full&${authority}`, "localhost"), [true]);
  // The certificate has no such name.
  assertEquals(await usesTls(`sslmode=verify-ca&${authority}`, "127.0.0.2"), [true]);
  const refused: readonly (readonly [query: string, host?: string])[] = [
    [`sslmode=verify-full&${authority}`, "127.0.0.2"],
    ["sslmode=verify-full"],
    ["sslrootcert=system"],
    ["sslmode=verify-ca"],
    [`sslmode=require&${wrongAuthority}`],
  ];
  for (const [query, host] of refused) {
    const error = await assertRejects(() => usesTls(query, host), TypeError);
    assertMatch(
      error.message,
      /": the certificate of the server is not accepted \(.*\): name its authority /,
      query,
    );
  }
});

serverTest("a server that is killed and started again under load loses nothing", async (server) => {
  const note: Kind<unknown> = { name: "note" };
  const terms = { now: 1_000_000, expiresAt: 1_000_060, if: null };
  const store = await postgresStore(`${server.url}?sslmode=disable&connect_timeout=60`, { timeout: 0.5 });
  const written: string[] = [];
  let failures = 0, isOver = false;
  let noteProgress = () => {};
  async function work(worker: number): Promise<void> {
    for (let count = 0; !isOver; count++) {
      const id = `${worker}.${count}`;
      try {
        assert(await store.put(note, id, count, terms) !== undefined, `${id} is new`);
        written.push(id);
      } catch (error) {
        assert(error instanceof StoreUnavailable, `${error}`);
        failures++;
      }
      noteProgress();
    }
  }
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await new Promise<void>((resolve) => noteProgress = resolve);
  };
  const untilMore = (most = written.length + 200) => until(() => written.length >= most);
  const working = Promise.all(Array.from({ length: 12 }, (_, worker) => work(worker)));
  try {
    for (let round = 0; round < 2; round++) {
      await untilMore();
      await server.kill();
      const most = failures + 12;
      await until(() => failures >= most);
      await server.start();
    }
    await untilMore();
    isOver = true;
    await working;
    const rows = await runSql(server.url, "SELECT id FROM postern_record");
    const found = new Set(rows.map(({ id }) => id));
    for (const id of written) assert(found.has(id), `${id} is lost`);
  } finally {
    isOver = true;
    await working.catch(() => {});
    await store.close();
  }
});
