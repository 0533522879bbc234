/** The table of the SQL stores: its columns, its statements, and which statement a put needs. */
import { type Entry, type Kind, type PutTerms, type Version, writeValue } from "./store.ts";

/** The version of the table. A database with a higher version was written by a later release. */
export const schemaVersion = 1;

export type StatementName =
  | "read"
  | "put"
  | "putIfFree"
  | "putIfVersion"
  | "remove"
  | "removeExpired"
  | "page"
  | "kinds";

export interface Dialect {
  readonly table: string;
  /** The type of names, whose order must not depend on a language. */
  readonly nameType: string;
  /** Follows the SELECT of the rows that a sweep removes. */
  readonly whileSweeping: string;
}

/** `expires_at` is a double, which holds every whole second and `Infinity`. SQLite and Postgres return it as a number. */
export function writeTable({ table, nameType }: Dialect): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
  kind ${nameType} NOT NULL,
  id ${nameType} NOT NULL,
  version TEXT NOT NULL,
  expires_at DOUBLE PRECISION NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, id)
)`,
    `CREATE INDEX IF NOT EXISTS ${table}_expires_at ON ${table} (expires_at)`,
  ];
}

/** Returns the statements of a store. Each question mark is a parameter. */
export function writeStatements({ table, whileSweeping }: Dialect): Readonly<Record<StatementName, string>> {
  const upsert = `INSERT INTO ${table} (kind, id, version, expires_at, value) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, expires_at = excluded.expires_at, value = excluded.value`;
  // An expression instead of the column, so that only the key can choose the rows. A database that knows few rows may
  // otherwise take the index of `expires_at`, and read all live records.
  const end = "expires_at + 0";
  // Not `expires_at`, because a client of the caller may change such names.
  const entry = "value, version, expires_at AS expires";
  return {
    read: `SELECT ${entry} FROM ${table} WHERE kind = ? AND id = ? AND ${end} > ?`,
    put: `${upsert} RETURNING version`,
    putIfFree: `${upsert} WHERE ${table}.expires_at <= ? RETURNING version`,
    putIfVersion: `UPDATE ${table} SET version = ?, expires_at = ?, value = ?
WHERE kind = ? AND id = ? AND version = ? AND ${end} > ? RETURNING version`,
    remove: `DELETE FROM ${table} WHERE kind = ? AND id = ?`,
    // WITH, because Postgres may repeat a subquery of DELETE, and then removes more than the limit. DELETE compares the time
    // again, because another process may renew a record after SELECT has found it.
    removeExpired: `WITH expired AS
(SELECT kind, id FROM ${table} WHERE expires_at <= ? ORDER BY expires_at LIMIT ?${whileSweeping})
DELETE FROM ${table} WHERE (kind, id) IN (SELECT kind, id FROM expired) AND ${end} <= ?`,
    page: `SELECT id, ${entry} FROM ${table} WHERE kind = ? AND id >= ? ORDER BY id LIMIT ?`,
    kinds: `SELECT DISTINCT kind FROM ${table}`,
  };
}

export type Parameter = string | number;

export interface Row {
  readonly id: string;
  readonly value: string;
  readonly version: Version;
  readonly expires: number;
}

export interface PutStatement {
  readonly statement: StatementName & `put${string}`;
  readonly parameters: readonly Parameter[];
}

/** Copies the value. Each attempt to write it gets a statement with a version of its own. A row: the condition holds. */
export function preparePut(
  kind: Kind<unknown>,
  id: string,
  value: unknown,
  { expiresAt, now, if: condition }: PutTerms,
): (version: Version) => PutStatement {
  // NaN is refused here, because Postgres sorts NaN after all times, and SQLite stores NaN as NULL.
  const text = writeValue(value, { expiresAt, now });
  const key = [writeName(kind.name), writeName(id)];
  return (version) => {
    const record = [...key, version, expiresAt, text];
    if (condition === undefined) return { statement: "put", parameters: record };
    if (condition === null) return { statement: "putIfFree", parameters: [...record, now] };
    // The caller may pass a text that is no version, for example one with NUL.
    const parameters = [version, expiresAt, text, ...key, writeName(condition), now];
    return { statement: "putIfVersion", parameters };
  };
}

export function readRow<T>(row: Omit<Row, "id">): Entry<T> {
  return { value: JSON.parse(row.value) as T, version: row.version, expiresAt: row.expires };
}

const pageSize = 100;

/** Lists all records of a kind. `readPage` returns the rows of some ids in their order, from `first` on. */
export async function* listRows<T>(
  readPage: (first: string, size: number) => Promise<readonly Row[]>,
): AsyncIterable<Entry<T> & { readonly id: string }> {
  let last: string | undefined;
  while (true) {
    const rows = await readPage(last ?? "", pageSize);
    for (const row of rows) if (row.id !== last) yield { id: readName(row.id), ...readRow<T>(row) };
    if (rows.length < pageSize) return;
    last = rows.at(-1)!.id;
  }
}

export function describeLaterSchema(version: number): string {
  return `its schema has version ${version}, and this release knows versions up to ${schemaVersion}: ` +
    "use the release that wrote it, or a later one";
}

/** Databases change or refuse NUL and unpaired surrogates, so two ids could become equal. JSON escapes keep them different. */
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
