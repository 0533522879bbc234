/** openid-client and curl with a certificate, over real sockets (RFC 8705). */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as client from "openid-client";
import { createCertificate } from "../../../../src/ground/crypto/x509/certificate.ts";
import {
  authority,
  type Certificate,
  certify,
  thumbprintOf,
} from "../../../server/features/mtls/certificates.ts";
import { findFreePort } from "../../../free_port.ts";
import { createPlainServer } from "../../../../src/server/server.ts";
import { serve } from "../../../../src/server/runtime/serve.ts";
import { sampleKey } from "../../../world.ts";
import { claimsOf } from "../../../server/tokens/bearer.ts";
import { test } from "../../../runner.ts";

const own = await createCertificate({ hosts: ["localhost"], now: Date.now() / 1000 });
const app = await certify("CN=app,O=Example");

/** Serves the two ports of a server. */
async function inServer(work: (issuer: string) => Promise<void>): Promise<void> {
  const [port, mtlsPort] = [await findFreePort(), await findFreePort()];
  const issuer = `https://localhost:${port}`;
  const server = createPlainServer({
    issuer,
    alg: "ES256",
    signingKeys: [sampleKey],
    mtls: { port: mtlsPort, ca: authority.cert },
    clients: [{
      client_id: "app",
      token_endpoint_auth_method: "tls_client_auth",
      tls_client_auth_subject_dn: "CN=app,O=Example",
      tls_client_certificate_bound_access_tokens: true,
      grant_types: ["client_credentials"],
    }],
  });
  const common = { host: "127.0.0.1", tls: { cert: own.cert, key: own.key }, answer: server.answer } as const;
  const served = [
    await serve({ ...common, port }),
    await serve({ ...common, port: mtlsPort, asksForCertificate: true }),
  ];
  try {
    await work(issuer);
  } finally {
    await Promise.all(served.map((each) => each.close()));
    await server.close();
  }
}

/** A fetch that shows a certificate, as an agent of undici does. */
function fetchWith(certificate: Certificate): client.CustomFetch {
  return (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const { hostname: _, port, pathname, search } = new URL(url);
      const terms = {
        host: "127.0.0.1",
        servername: "localhost",
        port,
        path: pathname + search,
        method,
        headers: { ...headers, host: `localhost:${port}` },
        ca: own.ca,
        cert: certificate.cert,
        key: certificate.key,
        agent: false,
      };
      const sent = request(terms, (response) => {
        const chunks: Uint8Array[] = [];
        response.on("data", (chunk) => chunks.push(chunk)).once("end", () => {
          const text = new TextDecoder().decode(Buffer.concat(chunks));
          const { "content-type": type = "" } = response.headers;
          resolve(new Response(text, { status: response.statusCode!, headers: { "content-type": type } }));
        });
      });
      sent.once("error", reject).end(body === undefined || body === null ? undefined : `${body}`);
    });
}

function discover(issuer: string, certificate: Certificate): Promise<client.Configuration> {
  const metadata = { use_mtls_endpoint_aliases: true };
  return client.discovery(new URL(issuer), "app", metadata, client.TlsClientAuth(), {
    algorithm: "oauth2",
    [client.customFetch]: fetchWith(certificate),
  });
}

test("openid-client: tls_client_auth at the aliases, and a token that is bound to the certificate (RFC 8705 §2.1, §3, §5)", () =>
  inServer(async (issuer) => {
    const configuration = await discover(issuer, app);
    const { access_token, token_type } = await client.clientCredentialsGrant(configuration);
    assertEquals(token_type, "bearer");
    assertEquals(claimsOf(access_token)["cnf"], { "x5t#S256": thumbprintOf(app) });
    const said = await client.tokenIntrospection(configuration, access_token);
    assertEquals(said.active, true);
  }));

test("curl: a certificate authenticates at the alias of the token endpoint (RFC 8705 §2.1)", () =>
  inServer(async (issuer) => {
    const folder = await mkdtemp(join(tmpdir(), "mtls-"));
    try {
      const write = async (name: string, text: string) => {
        await writeFile(join(folder, name), text);
        return join(folder, name);
      };
      const ca = await write("ca.pem", own.ca);
      const cert = await write("app.crt", app.cert);
      const key = await write("app.key", app.key);
      const curl = (...args: readonly string[]) =>
        new Promise<string>((resolve, reject) =>
          execFile(
            "curl",
            ["--silent", "--noproxy", "*", "--cacert", ca, ...args],
            (error, stdout) => error === null ? resolve(stdout) : reject(error),
          )
        );
      const metadata = JSON.parse(await curl(`${issuer}/.well-known/oauth-authorization-server`));
      const url = metadata.mtls_endpoint_aliases.token_endpoint;
      const form = ["-d", "grant_type=client_credentials", "-d", "client_id=app"];
      const shown = JSON.parse(await curl("--cert", cert, "--key", key, ...form, url));
      assertEquals(claimsOf(shown.access_token)["cnf"], { "x5t#S256": thumbprintOf(app) });
      assertEquals(JSON.parse(await curl(...form, url)).error, "invalid_client");
    } finally {
      await rm(folder, { recursive: true });
    }
  }));
