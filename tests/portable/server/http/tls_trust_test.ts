/** Which certificates the guarded fetch trusts: those that the environment of the process names (RFC 9110 §4.3.4). */
import { assertEquals } from "@std/assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCertificate } from "../../../../src/ground/crypto/x509/certificate.ts";
import { runtime, test } from "../../../runner.ts";

/** Fetches once, in a process whose environment may name the file of the server's certificate authority. */
async function failureWith(env: (file: string) => Readonly<Record<string, string>>, host = "client.example") {
  const { ca, cert, key } = await createCertificate({ hosts: [host], now: Date.now() / 1000 });
  const folder = await mkdtemp(join(tmpdir(), "postern-trust-"));
  const file = join(folder, "ca.pem");
  await writeFile(file, ca);
  const server = createServer({ key, cert }, (_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { call } = await import("./calling_process.ts");
    const { port } = server.address() as AddressInfo;
    return (await call({ ports: [port], count: 5, env: env(file) })).failure;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  }
}

test("guarded fetch: without a word of the operator, an unknown authority is not trusted (RFC 9110 §4.3.4)", async () => {
  assertEquals(await failureWith(() => ({})), "unreachable");
});

test("guarded fetch: NODE_EXTRA_CA_CERTS names an authority, for the host of the URL only (RFC 9110 §4.3.4)", async () => {
  const env = (file: string) => ({ NODE_EXTRA_CA_CERTS: file });
  assertEquals(await failureWith(env), undefined);
  assertEquals(await failureWith(env, "other.example"), "unreachable");
});

const onDeno: Readonly<Record<string, (file: string) => Readonly<Record<string, string>>>> = {
  "DENO_CERT": (file) => ({ DENO_CERT: file }),
  "--use-system-ca": (file) => ({ NODE_OPTIONS: "--use-system-ca", SSL_CERT_FILE: file }),
  "NODE_USE_SYSTEM_CA": (file) => ({ NODE_USE_SYSTEM_CA: "1", SSL_CERT_FILE: file }),
  "DENO_TLS_CA_STORE": (file) => ({ DENO_TLS_CA_STORE: "system", SSL_CERT_FILE: file }),
};

for (const [name, env] of Object.entries(onDeno)) {
  const title = `guarded fetch: an authority of ${name} is trusted (RFC 9110 §4.3.4)`;
  if (runtime !== "deno") test.skip(title, "only Deno reads it so");
  else test(title, async () => assertEquals(await failureWith(env), undefined));
}
