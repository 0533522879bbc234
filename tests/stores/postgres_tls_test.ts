/** The Postgres store over TLS: what each sslmode accepts, as libpq does. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readFile } from "node:fs/promises";
import { postgresStore } from "../../src/mod.ts";
import { runSql, testWithPostgres } from "../servers/postgres.ts";
import { startPostgres } from "../servers/start_postgres.ts";

const folder = "tests/certificates";

testWithPostgres("postgres store: TLS checks what sslmode and sslrootcert say", async () => {
  const server = await startPostgres({
    settings: { ssl: "on", ssl_cert_file: "server.crt", ssl_key_file: "server.key" },
    files: {
      "server.crt": await readFile(`${folder}/localhost.crt`, "utf8"),
      "server.key": await readFile(`${folder}/localhost.key`, "utf8"),
    },
  });
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
  try {
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
  } finally {
    await server.end();
  }
});
