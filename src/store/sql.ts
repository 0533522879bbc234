/** The table of the SQL stores: its columns, its statements, and which statement a put needs. */
import type { Entry, Kind, PutTerms, Version } from "./store.ts";

/** The version of the table. A database with a higher version was written by a later release. */
export const schemaVersion = 1;

/**
 * `expires_at` is a double, because a double holds every whole second and `Infinity` exactly. SQLite and Postgres return
 * doubles as numbers.
 */
export const createTable: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS record (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  expires_at DOUBLE PRECISION NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, id)
)`,
  "CREATE INDEX IF NOT EXISTS record_expires_at ON record (expires_at)",
];

const upsert = `INSERT INTO record (kind, id, version, expires_at, value) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, expires_at = excluded.expires_at, value = excluded.value`;

export type StatementName =
  | "read"
  | "put"
  | "putIfFree"
  | "putIfVersion"
  | "remove"
  | "removeExpired"
  | "page"
  | "kinds";

/** The SQL statements. Each question mark is a parameter. */
export const statements: Readonly<Record<StatementName, string>> = {
  read: "SELECT value, version, expires_at FROM record WHERE kind = ? AND id = ? AND expires_at > ?",
  put: `${upsert} RETURNING version`,
  putIfFree: `${upsert} WHERE record.expires_at <= ? RETURNING version`,
  putIfVersion: `UPDATE record SET version = ?, expires_at = ?, value = ?
WHERE kind = ? AND id = ? AND version = ? AND expires_at > ? RETURNING version`,
  remove: "DELETE FROM record WHERE kind = ? AND id = ?",
  // DELETE compares the time again, because another process may renew a record after SELECT has found it.
  removeExpired: `DELETE FROM record WHERE expires_at <= ? AND (kind, id) IN
(SELECT kind, id FROM record WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  page: "SELECT id, value, version, expires_at FROM record WHERE kind = ? AND id >= ? ORDER BY id LIMIT ?",
  kinds: "SELECT DISTINCT kind FROM record",
};

export type Parameter = string | number;

export interface Row {
  readonly id: string;
  readonly value: string;
  readonly version: Version;
  readonly expires_at: number;
}

export interface PutStatement {
  readonly statement: StatementName & `put${string}`;
  readonly parameters: readonly Parameter[];
}

/** Returns the statement for a put. The statement returns a row only if the condition holds. */
export function putStatement(
  kind: Kind<unknown>,
  id: string,
  value: unknown,
  version: Version,
  { expiresAt, now, if: condition }: PutTerms,
): PutStatement {
  // The databases treat NaN differently: Postgres sorts NaN after all times, and SQLite stores NaN as NULL.
  if (Number.isNaN(expiresAt + now)) throw new TypeError("Cannot put a record: its times are not numbers");
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError("Cannot put a record: JSON cannot represent its value");
  const record = [writeName(kind.name), writeName(id), version, expiresAt, text];
  if (condition === undefined) return { statement: "put", parameters: record };
  if (condition === null) return { statement: "putIfFree", parameters: [...record, now] };
  const parameters = [version, expiresAt, text, writeName(kind.name), writeName(id), condition, now];
  return { statement: "putIfVersion", parameters };
}

export function readRow<T>(row: Omit<Row, "id">): Entry<T> {
  return { value: JSON.parse(row.value) as T, version: row.version, expiresAt: row.expires_at };
}

/**
 * Encodes the name of a kind, or an id, for the table. Databases change or refuse NUL and unpaired surrogates, so two
 * different ids could become equal. JSON escapes keep such ids different, and do not change ordinary ids.
 */
export function writeName(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

export function readName(written: string): string {
  return JSON.parse(`"${written}"`) as string;
}

/** Returns a function that creates versions. The random prefix differs from the prefix of every other store. */
export function createVersions(): () => Version {
  const prefix = crypto.randomUUID();
  let count = 0;
  return () => `${prefix}.${++count}`;
}
