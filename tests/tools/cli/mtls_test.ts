/** `postern start` with certificates of clients: its flags, and what it refuses (RFC 8705). */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { start } from "../../../src/tools/cli/start/start.ts";
import { findFreePort } from "../../free_port.ts";
import { askHttps } from "../../portable/tools/cli/tls/world.ts";
import { test } from "../../runner.ts";
import { authority, type Certificate, certify } from "../../server/features/mtls/certificates.ts";
import * as program from "./command.ts";
import { complaintOf, withFile } from "./command.ts";
import { inFolder } from "../../in_folder.ts";
import { withServer } from "./in_process.ts";
import { readExposition } from "./metrics/read_exposition.ts";

const tls = [
  "--tls-cert",
  "tests/certificates/localhost.crt",
  "--tls-key",
  "tests/certificates/localhost.key",
];

const configuration = {
  clients: [{
    client_id: "app",
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: "CN=app",
    grant_types: ["client_credentials"],
  }],
  people: [{ username: "alice" }],
};

test("start: --mtls-port and --mtls-ca let a client authenticate by its certificate (RFC 8705 §2, §5)", () =>
  inFolder(async (path) => {
    await writeFile(path("ca.pem"), authority.cert);
    await writeFile(path("postern.json"), JSON.stringify(configuration));
    const app = await certify("CN=app");
    const flags = [...tls, "--mtls-port", "0", "--mtls-ca", path("ca.pem"), "--config", path("postern.json")];
    await withServer(flags, async ({ issuer, stdout }) => {
      assertMatch(stdout(), /mTLS +https:\/\/localhost:\d+/);
      const metadata = await ask(`${issuer}/.well-known/oauth-authorization-server`);
      const { token_endpoint: url } = JSON.parse(metadata).mtls_endpoint_aliases;
      const form = "grant_type=client_credentials&client_id=app";
      assertEquals(JSON.parse(await ask(url, { form, certificate: app })).token_type, "Bearer");
      assertEquals(JSON.parse(await ask(url, { form })).error, "invalid_client");
      // The port of the issuer asks for no certificate.
      const { token_endpoint: plain } = JSON.parse(metadata);
      assertEquals(JSON.parse(await ask(plain, { form, certificate: app })).error, "invalid_client");
      for (const path of ["/", "/inspector", "/oauth2/authorize"]) {
        assertStringIncludes(await ask(new URL(path, url).href), "This port is only for programs", path);
      }
    });
    // With the control plane, a test makes the certificates.
    const config = ["--config", path("postern.json")];
    await withServer([...tls, "--mtls-port", "0", ...config, "--control"], async ({ issuer }) => {
      const metadata = await ask(`${issuer}/.well-known/oauth-authorization-server`);
      const { token_endpoint: url } = JSON.parse(metadata).mtls_endpoint_aliases;
      for (const path of ["/inspector", "/_postern", "/_postern/requests"]) {
        assertStringIncludes(await ask(new URL(path, url).href), "This port is only for programs", path);
      }
      const created = { json: { client: "app", subject: "CN=app" } };
      const certificate = JSON.parse(await ask(`${issuer}/_postern/certificates`, created));
      const form = "grant_type=client_credentials&client_id=app";
      assertEquals(JSON.parse(await ask(url, { form, certificate })).token_type, "Bearer");
    });
  }));

test("start: a port for certificates that is taken names its own flag", async () => {
  await withServer([], async ({ port }) => {
    const flags = [...tls, "--port", `${await findFreePort()}`, "--mtls-port", `${port}`];
    const { code, stderr } = await program.run("start", ...flags);
    assertEquals(code, 1);
    assertMatch(
      stderr,
      new RegExp(`Port ${port} is taken .*, or choose another port with --mtls-port$`, "m"),
    );
  });
});

test("metrics: a request that runs at the port for certificates is in flight, and the metrics are not there", async () => {
  await withServer([...tls, "--mtls-port", "0", "--metrics"], async ({ issuer }) => {
    const metadata = await ask(`${issuer}/.well-known/oauth-authorization-server`);
    const { token_endpoint: url } = JSON.parse(metadata).mtls_endpoint_aliases;
    const inFlight = async () => {
      const { samples } = readExposition(await ask(`${issuer}/metrics`)).get("postern_requests_in_flight")!;
      return [...samples.values()];
    };
    assertEquals(await inFlight(), [0]);
    const ca = await readFile("tests/certificates/authority.crt", "utf8");
    const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": "1000" };
    const sent = request(url, { ca, method: "POST", headers }).on("error", () => {});
    sent.write("grant_type=");
    try {
      // The server may get the headers a little later.
      for (let tried = 0; (await inFlight())[0] !== 1; tried++) assert(tried < 200, "no request in flight");
      assertStringIncludes(await ask(new URL("/metrics", url).href), "This port is only for programs");
    } finally {
      sent.destroy();
    }
  });
});

const refused: readonly (readonly [flags: readonly string[], message: RegExp])[] = [
  [["--mtls-port", "9443"], /--mtls-port needs --tls/],
  [["--client-cert-header", "Client-Cert"], /needs --trust-proxy/],
  [
    [...tls, "--mtls-ca", "tests/certificates/localhost.key", "--mtls-port", "9443"],
    /no PEM block CERTIFICATE/,
  ],
  [[...tls, "--mtls-ca", "tests/certificates/authority.crt"], /needs a way to see the certificates/],
  [[...tls, "--port", "9443", "--mtls-port", "9443"], /--mtls-port must be another port than 9443/],
  [[...tls, "--issuer", "https://localhost:9443", "--mtls-port", "9443"], /--mtls-port must be another port/],
  [["--client-cert-header", "a b", "--trust-proxy", "127.0.0.1"], /the name of a header/],
];

for (const [flags, message] of refused) {
  test(`start: ${flags.join(" ")} is refused`, async () => {
    assertMatch(await complaintOf(start, ...flags), message);
  });
}

const refusedInFile: readonly (readonly [options: object, flags: readonly string[], message: RegExp])[] = [
  [{ mtls: { port: 9443 } }, [], /mtls\.port needs --tls/],
  [{ mtls: { port: 9443 } }, [...tls, "--port", "9443"], /mtls\.port must be another port than 9443/],
  [{ clientCertHeader: "Client-Cert" }, [], /clientCertHeader Client-Cert needs --trust-proxy/],
];

for (const [options, flags, message] of refusedInFile) {
  test(`start: ${JSON.stringify(options)} in the file, with ${flags.at(-1) ?? "no flag"}, is refused with its place`, () =>
    withFile(options, async (file) => {
      assertMatch(await complaintOf(start, ...flags, "--config", file), message);
    }));
}

async function ask(
  url: string,
  { form, json, certificate }: {
    readonly form?: string;
    readonly json?: object;
    readonly certificate?: Pick<Certificate, "cert" | "key">;
  } = {},
): Promise<string> {
  const ca = await readFile("tests/certificates/authority.crt", "utf8");
  const headers = json === undefined ? {} : { "content-type": "application/json" };
  const terms = { ca, cert: certificate?.cert, key: certificate?.key, headers };
  return (await askHttps(url, terms, form ?? (json && JSON.stringify(json)))).text;
}
