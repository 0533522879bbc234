/** Certificates of clients over HTTP (RFC 8705). */

import { assertEquals, assertMatch } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { test } from "../../runner.ts";
import { claimsOf } from "../../server/tokens/bearer.ts";
import { withControl } from "./with_control.ts";

const clients = [{
  client_id: "app",
  token_endpoint_auth_method: "tls_client_auth",
  tls_client_auth_san_dns: "app.example",
  tls_client_certificate_bound_access_tokens: true,
  redirect_uris: ["https://app.test/callback"],
}];

test("control: a client shows the certificate that a call has created (RFC 8705 §2.1, §3)", async () => {
  await withControl(async ({ ask }) => {
    const body = { client: "app", subject: "CN=app,O=Example", dns: ["app.example", "b.example"] };
    const { status, body: certificate } = await ask("POST", "/certificates", { body });
    const { cert, key, jwk, thumbprint, subject } = certificate;
    assertEquals([status, subject, jwk.kty], [200, "CN=app,O=Example", "EC"]);
    assertMatch(key, /^-----BEGIN PRIVATE KEY-----/);
    assertEquals(new X509Certificate(cert).subjectAltName, "DNS:app.example, DNS:b.example");
    assertEquals((await ask("POST", "/certificates", { body: {} })).body.place, "client");
    const { body: tokens } = await ask("POST", "/login", { body: { client: "app" } });
    assertEquals(claimsOf(tokens.access_token)["cnf"], { "x5t#S256": thumbprint });
  }, { options: { mtls: {}, clients } });
});
