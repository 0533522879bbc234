/** The Postgres store: the contract, its table, its limits, and databases that it refuses. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import postgres from "postgres";
import { type Kind, postgresStore, StoreUnavailable } from "../../../../src/mod.ts";
import { storeContract } from "../../../../src/server/store/contract.ts";
import type { ClientOptions, PostgresLibrary } from "../../../../src/server/store/postgres/connections.ts";
import type { PostgresClient } from "../../../../src/server/store/postgres/postgres_client.ts";
import { findFreePort } from "../../../free_port.ts";
import { openPostgres, runSql, testWithPostgres } from "../../../servers/postgres.ts";

const note: Kind<unknown> = { name: "note" };
const now = 1_000_000;
const terms = { now, expiresAt: now + 60 };

storeContract("postgres store", async () => {
  const { url, discard } = await openPostgres();
  // Some tests make hundreds of calls at the same time, which a busy machine does not do in five seconds.
  const openAgain = () => postgresStore(url, { timeout: 60 });
  return { store: await openAgain(), openAgain, discard };
}, { test: testWithPostgres });

/** A test with the URL of an empty schema. */
function postgresTest(behaviour: string, body: (url: string) => Promise<void>): void {
  testWithPostgres(`postgres store: ${behaviour}`, async () => {
    const { url, discard } = await openPostgres();
    try {
      await body(url);
    } finally {
      await discard();
    }
  });
}

postgresTest("the package has the functions that the store uses", async (url) => {
  // The types compare them when the tests are checked.
  const library: PostgresLibrary = { default: (options: ClientOptions) => postgres(options) };
  const client: PostgresClient = postgres(url, { onnotice: () => {} });
  assertEquals(typeof library.default, "function");
  await (client as ReturnType<typeof postgres>).end();
});

postgresTest("a client of the caller works, also if it renames columns, and stays open", async (url) => {
  const statements: string[] = [];
  const client = postgres(url, {
    onnotice: () => {},
    transform: postgres.camel,
    debug: (_connection, statement) => void statements.push(statement),
  });
  const store = await postgresStore(client);
  const version = await store.put(note, "a", { text: "first" }, terms);
  assertEquals(await store.get(note, "a", now), {
    value: { text: "first" },
    version: version!,
    expiresAt: now + 60,
  });
  // It may lack the settings that shared statements need.
  await Promise.all([1, 2, 3].map((id) => store.put(note, `${id}`, id, { ...terms, if: null })));
  assertEquals(statements.filter((statement) => statement.includes("json_to_recordset")), []);
  await store.close();
  assertEquals((await client`SELECT 1 AS one`)[0], { one: 1 });
  await client.end();
});

postgresTest("stores that open at the same time create the table once", async (url) => {
  for (let round = 0; round < 3; round++) {
    const stores = await Promise.all(Array.from({ length: 4 }, () => postgresStore(url)));
    const puts = await Promise.all(stores.map((store) => store.put(note, "a", 1, { ...terms, if: null })));
    assertEquals(puts.filter((version) => version !== undefined).length, 1);
    await Promise.all(stores.map((store) => store.close()));
    await runSql(url, "DROP TABLE postern_record; DROP TABLE postern_schema");
  }
});

/** Postgres counts connections of all databases, and tests of other processes use the same server. */
const nameApplication = () => `test_${crypto.randomUUID()}`;

postgresTest("it opens at most as many connections as poolSize or pool_size says", async (url) => {
  for (const [address, options] of [[url, { poolSize: 2 }], [`${url}&pool_size=2`, {}]] as const) {
    const application = nameApplication();
    const store = await postgresStore(`${address}&application_name=${application}`, options);
    await Promise.all(Array.from({ length: 40 }, (_, index) => store.put(note, `${index}`, index, terms)));
    const [row] = await runSql(
      url,
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = '${application}'`,
    );
    await store.close();
    assertEquals(row!["count"], 2);
  }
});

postgresTest(
  "with prepare=false it sends no settings and prepares no statement, for poolers",
  async (url) => {
    const store = await postgresStore(`${url}&prepare=false&pool_size=1`);
    for (const value of [1, 2, 3]) await store.put(note, "a", value, terms);
    const probe = { name: "probe" };
    await store.put(probe, "a", 1, terms);
    assertEquals((await store.get(note, "a", now))?.value, 3);
    await store.close();
  },
);

postgresTest("clock() is the time of the database", async (url) => {
  const store = await postgresStore(url);
  const seconds = (await store.clock!())!;
  assert(Math.abs(seconds - Date.now() / 1000) < 60, `${seconds}`);
  await store.close();
});

postgresTest("every 100th put removes records that ended an hour ago, and no later ones", async (url) => {
  const store = await postgresStore(url);
  await store.put(note, "old", 1, { now, expiresAt: now + 10 });
  await store.put(note, "recent", 1, { now, expiresAt: now + 20 });
  for (let count = 2; count < 100; count++) {
    await store.put(note, "other", 1, { now: now + 3615, expiresAt: now + 9999 });
  }
  await store.close();
  const rows = await runSql(url, "SELECT id FROM postern_record ORDER BY id");
  assertEquals(rows.map(({ id }) => id), ["other", "recent"]);
});

/** How many rows and entries of indexes the connections have read. They report it when they end. */
async function countReads(url: string, application: string): Promise<number> {
  const connections = `SELECT pid FROM pg_stat_activity WHERE application_name = '${application}'`;
  while ((await runSql(url, connections)).length > 0);
  const [row] = await runSql(
    url,
    `SELECT (seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid))::int AS count
FROM pg_stat_user_tables t WHERE schemaname = current_schema() AND relname = 'postern_record'`,
  );
  return row!["count"] as number;
}

// Postgres keeps the plan of a prepared statement until it has analyzed the table again.
postgresTest("calls read no more rows when a small table has grown", async (url) => {
  const more = 5000;
  const application = nameApplication();
  const store = await postgresStore(`${url}&pool_size=1&application_name=${application}`);
  const use = async () => {
    for (let count = 0; count < 30; count++) {
      // One call has a statement of its own, and two share one.
      const ids = Array.from({ length: 1 + count % 2 }, () => crypto.randomUUID());
      await Promise.all(ids.map(async (id) => {
        const version = await store.put(note, id, 1, { ...terms, if: null });
        await store.put(note, id, 2, { ...terms, if: version! });
        await store.get(note, id, now);
      }));
      await store.sweep!(1, now);
    }
  };
  // Otherwise Postgres may analyze it by itself, at any moment of a slow test.
  await runSql(url, "ALTER TABLE postern_record SET (autovacuum_enabled = off)");
  await use();
  await runSql(url, "ANALYZE postern_record");
  await use();
  await runSql(
    url,
    `INSERT INTO postern_record SELECT 'note', 'more' || number, 'v', ${now} + number % 2 * 7200, '1'
FROM generate_series(1, ${more}) number`,
  );
  await use();
  for (const _ of [1, 2]) assertEquals(await store.sweep!(200, now + 3600), 200);
  await store.close();
  const count = await countReads(url, application);
  assert(count < more, `${count} rows were read`);
});

/** Opening waits for this many seconds for an error to pass, and longer if nothing has answered meanwhile. */
async function complaintOf(url: string, timeout = 0.2): Promise<string> {
  const error = await assertRejects(() => postgresStore(url, { timeout }), Error);
  if (/does not answer|timeout/.test(error.message)) return await complaintOf(url, 2 * timeout);
  assert(!error.stack?.includes("canary") && !JSON.stringify(error).includes("canary"), error.stack);
  return `${
    error instanceof StoreUnavailable ? "later" : error instanceof TypeError ? "never" : "?"
  }: ${error.message}`;
}

const prefix = (kind: "later" | "never", shown = "\\S+") => `^${kind}: Cannot open the store "${shown}": `;

postgresTest("a schema of a later release, and a foreign table, are refused", async (url) => {
  await (await postgresStore(url)).close();
  await runSql(url, "UPDATE postern_schema SET version = 2");
  assertMatch(
    await complaintOf(url),
    new RegExp(
      `${prefix("never")}its schema has version 2, and this release knows versions up to 1: use the `,
    ),
  );
  await runSql(
    url,
    "UPDATE postern_schema SET version = 1; DROP TABLE postern_record; CREATE TABLE postern_record (id TEXT)",
  );
  assertMatch(
    await complaintOf(url),
    new RegExp(`${prefix("never")}its table "postern_record" does not belong to a store$`),
  );
});

postgresTest("a read-only server is refused, with its table and without", async (url) => {
  const readOnly = `${url}&options=-c%20default_transaction_read_only%3Don`;
  const expected = new RegExp(
    `${prefix("never")}the server is read-only, for example a standby: name the primary`,
  );
  assertMatch(await complaintOf(readOnly), expected);
  await (await postgresStore(url)).close();
  assertMatch(await complaintOf(readOnly), expected);
});

postgresTest("a database with another encoding is refused", async (url) => {
  const name = `latin_${crypto.randomUUID().slice(0, 8)}`;
  await runSql(url, `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  try {
    const other = new URL(url);
    other.pathname = `/${name}`;
    assertMatch(
      await complaintOf(other.href),
      new RegExp(
        `${prefix("never")}its encoding is LATIN1, which lacks characters: create it with ENCODING 'UTF8'$`,
      ),
    );
  } finally {
    await runSql(url, `DROP DATABASE ${name}`);
  }
});

postgresTest("a wrong login, database, address or right is named, without the password", async (url) => {
  const { host } = new URL(url);
  const role = `role_${crypto.randomUUID().slice(0, 8)}`;
  const schema = new URL(url).searchParams.get("search_path");
  await runSql(
    url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'canary'; GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
  );
  const asRole = url.replace(/\/\/.*@/, `//${role}:canary@`);
  const port = await findFreePort();
  const attempts: readonly (readonly [url: string, kind: "later" | "never", reason: string])[] = [
    [
      `postgres://${role}:wrongcanary@${host}/postgres`,
      "never",
      `the server refuses the user "${role}" or the password: `,
    ],
    [
      `postgres://${role}@${host}/postgres`,
      "never",
      `the server asks the user "${role}" for a password, and the URL has none`,
    ],
    [asRole.replace("/postgres?", "/none_there?"), "never", 'there is no database "none_there": create it'],
    [
      asRole,
      "never",
      `the user "${role}" lacks a right (permission denied for schema ${schema}): let the user `,
    ],
    [
      url.replace(/search_path=.*/, "search_path=nowhere"),
      "never",
      "there is no schema to create the table in: create it, or correct search_path",
    ],
    [
      `postgres://ann:canary@127.0.0.1:${port}/db`,
      "later",
      `nothing listens on 127.0.0.1:${port}: start Postgres`,
    ],
    [
      "postgres://ann:canary@nowhere.invalid/db",
      "later",
      "the host of nowhere.invalid:5432 is not known: correct",
    ],
    [`postgres://ann:canary@/db?host=/nowhere`, "later", "there is no file or socket ("],
    [`postgres://ann:canary@${host}/db?sslrootcert=/nowhere.pem`, "later", "there is no file or socket ("],
    [
      `postgres://ann:canary@${host}/db?sslmode=require`,
      "never",
      "the server offers no TLS: correct the address, or sslmode",
    ],
  ];
  await Promise.all(attempts.map(async ([attempt, kind, reason]) => {
    assertMatch(
      await complaintOf(attempt),
      new RegExp(`${prefix(kind)}${reason.replace(/[().]/g, "\\$&")}`),
    );
  }));
  await runSql(url, `ALTER ROLE ${role} CONNECTION LIMIT 0`);
  assertMatch(
    await complaintOf(asRole),
    new RegExp(`${prefix("later")}the server has too many connections \\(`),
  );
  await runSql(url, `ALTER ROLE ${role} CONNECTION LIMIT -1`);
  await (await postgresStore(url)).close();
  await runSql(url, `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
  assertMatch(
    await complaintOf(asRole),
    new RegExp(`${prefix("never")}the user may not use the table: GRANT SELECT, `),
  );
  // A user who may not create tables can use those that another user has created.
  await runSql(url, `GRANT INSERT, UPDATE, DELETE ON postern_record TO ${role}`);
  const store = await postgresStore(asRole);
  assertMatch(`${await store.put(note, "a", 1, terms)}`, /^[\w.-]+$/);
  await store.close();
  for (const right of ["INSERT", "UPDATE", "DELETE"]) {
    await runSql(url, `REVOKE ${right} ON postern_record FROM ${role}`);
    assertMatch(
      await complaintOf(asRole),
      new RegExp(`${prefix("never")}the user may not use the table`),
      right,
    );
    await runSql(url, `GRANT ${right} ON postern_record TO ${role}`);
  }
  await runSql(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
});

postgresTest("an option out of its range is refused", async (url) => {
  for (const poolSize of [0, -1, 1.5, NaN]) {
    await assertRejects(
      () => postgresStore(url, { poolSize }),
      TypeError,
      "poolSize must be a whole number from 1",
    );
  }
  for (const timeout of [0, -1, NaN, Infinity]) {
    await assertRejects(
      () => postgresStore(url, { timeout }),
      TypeError,
      "timeout must be seconds, more than 0 and",
    );
  }
});

postgresTest("a second host is used if the first does not answer", async (url) => {
  const { host } = new URL(url);
  const store = await postgresStore(url.replace(host, `127.0.0.1:${await findFreePort()},${host}`));
  assertMatch(`${await store.put(note, "a", 1, terms)}`, /^[\w.-]+$/);
  await store.close();
});

postgresTest("an id that is too long for an index is refused as a mistake of the caller", async (url) => {
  const store = await postgresStore(url);
  const long = Array.from({ length: 300 }, () => crypto.randomUUID()).join("");
  await assertRejects(() => store.put(note, long, 1, terms), TypeError, "Cannot put a record: index row");
  assertEquals(await store.get(note, long, now), undefined);
  await store.close();
});
