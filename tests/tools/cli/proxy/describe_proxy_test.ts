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

test("proxy lines: they say for which hosts the proxy answers, and who reaches what by it", () => {
  const url = "http://localhost:9001", token = "a-token-of-sixteen";
  const meets = "Programs that use it meet GitHub, OAuth apps, at github.com, api.github.com.";
  const ofTerms = [describe(undefined), describe(token, true)].map(({ lines }) => lines);
  assertEquals(ofTerms, [
    [url, meets, "It refuses other hosts."],
    [url, meets, "Other hosts are passed through. Other machines reach it with the token."],
  ]);
});

test("proxy lines: each program gets the proxy and the authority in its own way, and a container the token as a variable", () => {
  const token = "a-token-of-sixteen";
  const [without = "", withToken = ""] = [undefined, token].map((each) => describe(each).copied.join("\n"));
  const hash = createHash("sha256")
    .update(new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" })).digest("base64");
  const expected = [
    "export HTTPS_PROXY=http://localhost:9001 NO_PROXY=localhost,127.0.0.1 PROXY_CA=/kept/bundle.pem",
    'export SSL_CERT_FILE="$PROXY_CA" REQUESTS_CA_BUNDLE="$PROXY_CA"\n',
    'export NODE_USE_ENV_PROXY=1 NODE_EXTRA_CA_CERTS="$PROXY_CA"\n',
    "curl --proxy http://localhost:9001 --cacert /kept/bundle.pem …",
    "-file /kept/1/ca.pem -keystore /kept/truststore.p12 -storepass changeit",
    "-Dhttps.proxyPort=9001 -Djavax.net.ssl.trustStore=/kept/truststore.p12",
    // Chromium compares the key of the certificate.
    `--proxy-server=http://localhost:9001 --ignore-certificate-errors-spki-list=${hash} …`,
  ];
  for (const line of expected) assertStringIncludes(without, line);
  assertStringIncludes(without, "\n# Docker: start with --proxy-token or POSTERN_PROXY_TOKEN, and");
  assertStringIncludes(
    withToken,
    '-e HTTPS_PROXY="http://postern:$POSTERN_PROXY_TOKEN@host.docker.internal:9001" ' +
      "-v /kept/bundle.pem:/postern.pem:ro -e SSL_CERT_FILE=/postern.pem ",
  );
  assert(!without.includes("docker run") && !withToken.includes(token));
});
