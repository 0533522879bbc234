/** The Postgres server of the tests: POSTERN_TEST_POSTGRES names it, or this module starts it when it is imported. */
import process from "node:process";
import postgres from "postgres";
import { test } from "../runner.ts";
import { findPostgresProblem, startQuickPostgres } from "./start_postgres.ts";

export interface TestPostgres {
  /** The URL of an empty schema of its own. */
  readonly url: string;
  /** Removes the schema. */
  discard(): Promise<void>;
}

const given = process.env["POSTERN_TEST_POSTGRES"];
const problem = given === undefined ? findPostgresProblem() : undefined;
// Outside the tests, because Deno does not allow that a test leaves a process.
const server = given ?? (problem === undefined ? (await startQuickPostgres()).url : undefined);

/** Registers a test that needs Postgres. Without a server it is skipped. */
export function testWithPostgres(name: string, body: () => Promise<void>): void {
  if (problem === undefined) test(name, body);
  else test.skip(name, problem);
}

export async function openPostgres(): Promise<TestPostgres> {
  if (server === undefined) throw new Error(`There is no Postgres: ${problem}`);
  const schema = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await runSql(server, `CREATE SCHEMA ${schema}`);
  return {
    url: `${server}${server.includes("?") ? "&" : "?"}search_path=${schema}`,
    discard: async () => void await runSql(server, `DROP SCHEMA ${schema} CASCADE`),
  };
}

/** Runs statements of a test in the database of the URL, and resolves to the rows of the last one. */
export async function runSql(
  url: string,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end();
  }
}
