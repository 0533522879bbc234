/** What a start prints about its proxy, for each kind of proxy. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describeProxy } from "../../../../src/tools/cli/proxy/describe_proxy.ts";
import { test } from "../../../runner.ts";

const hosts = ["github.com", "api.github.com"];
const cert = await readFile("tests/certificates/localhost.crt", "utf8");
const files = { hosts, bundle: "/kept/bundle.pem", certFile: "/kept/1/ca.pem", cert };

function describe(token: string | undefined, passesOthers = false) {
  const plan = { like: "github", host: undefined, origins: [], port: 9001, token, passesOthers } as const;
  return describeProxy(plan, files);
}

test("proxy lines: they say where the proxy is, for which hosts it answers, and who reaches what by it", () => {
  const url = "http://localhost:9001";
  for (const passesOthers of [false, true]) {
    for (const token of [undefined, "a-token-of-sixteen"]) {
      const { title, lines, members } = describe(token, passesOthers);
      const others = passesOthers ? "Other hosts are passed through." : "It refuses other hosts.";
      const elsewhere = token === undefined ? "" : " Other machines reach it with the token.";
      assertEquals([title, ...lines], [
        "Proxy",
        url,
        "Programs that use it meet GitHub, OAuth apps, at github.com, api.github.com.",
        others + elsewhere,
      ]);
      assertEquals(members, { proxy: url, proxy_hosts: hosts, proxy_ca: files.bundle });
    }
  }
});

test("proxy lines: each program gets the proxy and the authority in its own way", () => {
  const text = describe(undefined).copied.join("\n");
  const hash = createHash("sha256")
    .update(new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" })).digest("base64");
  const expected = [
    "export HTTPS_PROXY=http://localhost:9001 NO_PROXY=localhost,127.0.0.1 PROXY_CA=/kept/bundle.pem",
    'export SSL_CERT_FILE="$PROXY_CA" REQUESTS_CA_BUNDLE="$PROXY_CA"',
    'export NODE_USE_ENV_PROXY=1 NODE_EXTRA_CA_CERTS="$PROXY_CA"',
    "curl --proxy http://localhost:9001 --cacert /kept/bundle.pem …",
    "-file /kept/1/ca.pem -keystore /kept/truststore.p12 -storepass changeit",
    "-Dhttps.proxyPort=9001 -Djavax.net.ssl.trustStore=/kept/truststore.p12",
    // Chromium compares the key of the certificate.
    `--proxy-server=http://localhost:9001 --ignore-certificate-errors-spki-list=${hash} …`,
  ];
  for (const line of expected) assertStringIncludes(text, line);
});

test("proxy lines: a container gets the token from a variable, and never as text", () => {
  const token = "a-token-of-sixteen";
  const [without, withToken] = [undefined, token].map((each) => describe(each).copied.join("\n"));
  assertStringIncludes(without!, "\n# Docker: start with --proxy-token or POSTERN_PROXY_TOKEN, and");
  assert(!without!.includes("docker run"));
  assertStringIncludes(
    withToken!,
    '-e HTTPS_PROXY="http://postern:$POSTERN_PROXY_TOKEN@host.docker.internal:9001" ' +
      "-v /kept/bundle.pem:/postern.pem:ro -e SSL_CERT_FILE=/postern.pem " +
      "-e NODE_USE_ENV_PROXY=1 -e NODE_EXTRA_CA_CERTS=/postern.pem -e REQUESTS_CA_BUNDLE=/postern.pem …",
  );
  assert(!withToken!.includes(token));
});
