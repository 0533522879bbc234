/** The table of a store in Postgres: creates it, and refuses a database that a store cannot use. */
import { deadlineIn, pause } from "../deadline.ts";
import type { PostgresRows } from "./postgres_client.ts";
import { type Connections, template } from "./connections.ts";
import { chooseFailure, codeOf, isTransient, ReadOnly } from "./failure.ts";
import { describeLaterSchema, type Dialect, schemaVersion, writeTable } from "../sql.ts";

export const dialect: Dialect = {
  table: "postern_record",
  nameType: 'TEXT COLLATE "C"',
  // Two sweeps at the same time take different rows, so that none waits for the other.
  whileSweeping: " FOR UPDATE SKIP LOCKED",
};

export class Unusable extends Error {
  override readonly name = "Unusable";
}

// The version is in a table, because every kind of database has tables.
const createTables = [
  ...writeTable(dialect),
  "CREATE TABLE IF NOT EXISTS postern_schema (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)",
  `INSERT INTO postern_schema (id, version) VALUES (1, ${schemaVersion}) ON CONFLICT (id) DO NOTHING`,
];

const readDatabase = template(
  "SELECT current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') AS readonly",
);
const readVersion = template("SELECT version FROM postern_schema");
// Postgres refuses the statement if the table lacks a column, or if the user may not read it.
const readTable = template(
  "SELECT EXISTS (SELECT kind, id, version, expires_at, value FROM postern_record) AS filled, " +
    ["INSERT", "UPDATE", "DELETE"].map((right) => `has_table_privilege('postern_record', '${right}')`)
      .join(" AND ") +
    " AS allowed",
);

const undefinedTable = "42P01";
const undefinedColumn = "42703";
// Of two servers that create the table at the same time, one may get such an error: unique_violation, duplicate_table,
// duplicate_object, serialization_failure, deadlock_detected.
const raceCodes: ReadonlySet<string> = new Set(["23505", "42P07", "42710", "40001", "40P01"]);
const racePause = 50;

/** Creates the table if the database has none, and checks it. Tries again until the deadline. */
export async function prepareTable(
  connections: Connections,
  { timeout, waitFor }: { readonly timeout: number; readonly waitFor: number },
): Promise<void> {
  const end = deadlineIn(waitFor);
  for (let failure: unknown;;) {
    try {
      const query = (statement: TemplateStringsArray) =>
        connections.run(statement, [], Math.min(end, deadlineIn(timeout)));
      requireUsable(await query(readDatabase));
      const version = await findVersion(query);
      if (version === undefined) await connections.runTogether(createTables, end);
      else if (version > schemaVersion) throw new Unusable(describeLaterSchema(version));
      else return requireTable(await query(readTable));
    } catch (error) {
      const code = codeOf(error);
      if (code === undefinedColumn) {
        throw new Unusable('its table "postern_record" does not belong to a store');
      }
      const mayRetry = raceCodes.has(code) || isTransient(error) && !(error instanceof Unusable);
      failure = chooseFailure(failure, error);
      if (!mayRetry || performance.now() + racePause > end) throw failure;
    }
    await pause(racePause);
  }
}

async function findVersion(
  query: (statement: TemplateStringsArray) => Promise<PostgresRows>,
): Promise<number | undefined> {
  try {
    const [row] = await query(readVersion) as readonly { readonly version: number }[];
    return row?.version;
  } catch (error) {
    if (codeOf(error) === undefinedTable) return undefined;
    throw error;
  }
}

function requireUsable([row]: PostgresRows): void {
  const { encoding, readonly } = row as { readonly encoding: string; readonly readonly: string };
  if (readonly === "on") throw new ReadOnly("the server is read-only");
  if (encoding !== "UTF8" && encoding !== "SQL_ASCII") {
    throw new Unusable(`its encoding is ${encoding}, which lacks characters: create it with ENCODING 'UTF8'`);
  }
}

function requireTable([row]: PostgresRows): void {
  if ((row as { readonly allowed: boolean }).allowed) return;
  throw new Unusable(
    "the user may not use the table: GRANT SELECT, INSERT, UPDATE, DELETE ON postern_record TO the user",
  );
}
