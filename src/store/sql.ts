/** The one table of the SQL stores: its shape, its statements, and how a put becomes one of them. */
import type { Entry, Kind, PutTerms, Version } from "./store.ts";

/** Of the table. A database that says a later one was written by a later release. */
export const schemaVersion = 1;

/** A double holds every second exactly, and `Infinity` too; both dialects hand it back as a number. */
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

const insert = `INSERT INTO record (kind, id, version, expires_at, value) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, expires_at = excluded.expires_at, value = excluded.value`;

export type StatementName =
  | "read"
  | "put"
  | "putIfFree"
  | "putIfVersion"
  | "remove"
  | "removeExpired"
  | "page";

/** Question marks are the parameters, in their order, and occur nowhere else. */
export const statements: Readonly<Record<StatementName, string>> = {
  read: "SELECT value, version, expires_at FROM record WHERE kind = ? AND id = ? AND expires_at > ?",
  put: `${insert} RETURNING version`,
  putIfFree: `${insert} WHERE record.expires_at <= ? RETURNING version`,
  putIfVersion: `UPDATE record SET version = ?, expires_at = ?, value = ?
WHERE kind = ? AND id = ? AND version = ? AND expires_at > ? RETURNING version`,
  remove: "DELETE FROM record WHERE kind = ? AND id = ?",
  // the time is asked twice: between the two questions, somebody else may have renewed the record
  removeExpired: `DELETE FROM record WHERE expires_at <= ? AND (kind, id) IN
(SELECT kind, id FROM record WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  page: "SELECT id, value, version, expires_at FROM record WHERE kind = ? AND id >= ? ORDER BY id LIMIT ?",
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

/** What to run for a put: a row comes back exactly when its condition held. */
export function putStatement(
  kind: Kind<unknown>,
  id: string,
  value: unknown,
  version: Version,
  { expiresAt, now, if: condition }: PutTerms,
): PutStatement {
  // Postgres takes NaN for later than all times, SQLite for no time
  if (Number.isNaN(expiresAt + now)) throw new TypeError("Cannot put a record: its times are not numbers");
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError("Cannot put a record: JSON has no word for its value");
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
 * A kind or an id as the table holds it. A NUL or half a surrogate pair would arrive changed, or be refused, and two ids
 * could become one: JSON's escapes keep them apart and leave ordinary ids as they are.
 */
export function writeName(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

export function readName(written: string): string {
  return JSON.parse(`"${written}"`) as string;
}

/** Versions that nobody else makes: a random word for each opened store, and a count. */
export function createVersions(): () => Version {
  const word = crypto.randomUUID();
  let count = 0;
  return () => `${word}.${++count}`;
}
