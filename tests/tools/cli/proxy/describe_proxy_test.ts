/** What a start prints about its proxy, for each kind of proxy. `lines.txt` has the lines for programs. */

import { assertEquals } from "@std/assert";
import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describeProxy } from "../../../../src/tools/cli/proxy/describe_proxy.ts";
import { test } from "../../../runner.ts";

const hosts = ["github.com", "api.github.com"];
const cert = await readFile("tests/certificates/localhost.crt", "utf8");

function describe(
  token: string | undefined,
  passesOthers = false,
  folder = "/kept",
  more: readonly string[] = [],
) {
  const files = {
    hosts: [...hosts, ...more],
    bundle: `${folder}/bundle.pem`,
    certFile: `${folder}/1/ca.pem`,
    cert,
  };
  const added = more.map((host) => `https://${host}`);
  const plan = {
    like: "github",
    host: undefined,
    origins: [],
    added,
    port: 9001,
    token,
    passesOthers,
  } as const;
  return describeProxy(plan, files);
}

test("proxy lines: they say for which hosts the proxy answers, and who reaches what by it", () => {
  const url = "http://localhost:9001", token = "a-token-of-sixteen";
  const meets = "Programs that use it meet GitHub, OAuth apps, at github.com, api.github.com.";
  const all = [describe(undefined), describe(token, true)];
  const members = { proxy: url, proxy_hosts: hosts, proxy_ca: "/kept/bundle.pem" };
  for (const each of all) assertEquals([each.title, each.members], ["Proxy", members]);
  const ofTerms = all.map(({ lines }) => lines);
  assertEquals(ofTerms, [
    [url, meets, "It refuses other hosts."],
    [url, meets, "Other hosts are passed through. Other machines reach it with the token."],
  ]);
});

test("proxy lines: they name the hosts for routes apart from those of the provider", () => {
  const { lines, members } = describe(undefined, false, "/kept", ["a.test", "b.test"]);
  assertEquals(lines.slice(1), [
    "Programs that use it meet GitHub, OAuth apps, at github.com, api.github.com.",
    "Routes of your tests answer at a.test, b.test.",
    "It refuses other hosts.",
  ]);
  assertEquals(members["proxy_hosts"], [...hosts, "a.test", "b.test"]);
});

test("proxy lines: they name the issuer of a provider that publishes metadata", () => {
  const files = { hosts, bundle: "/kept/bundle.pem", certFile: "/kept/1/ca.pem", cert };
  const terms = { origins: [], added: [], port: 9001, token: undefined, passesOthers: false };
  const issuers = [["cognito", undefined], ["auth0", "acme.eu.auth0.com"], ["facebook", undefined]] as const;
  const lines = issuers.map(([like, host]) => describeProxy({ like, host, ...terms }, files).lines[2]);
  assertEquals(lines, [
    "Its issuer is https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Postern01.",
    "Its issuer is https://acme.eu.auth0.com/.",
    "It refuses other hosts.",
  ]);
});

test("proxy lines: each program gets the proxy and the authority in its own way, and a container the token as a variable", async () => {
  // Chromium compares the key of the certificate.
  const hash = createHash("sha256")
    .update(new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" })).digest("base64");
  const expected = (await readFile("tests/tools/cli/proxy/lines.txt", "utf8")).replace("HASH", hash)
    .trim().split("\n");
  assertEquals(describe("a-token-of-sixteen").copied, expected);
  const noContainer = "# Docker: start with --proxy-token or POSTERN_PROXY_TOKEN, and this line is here.";
  assertEquals(describe(undefined).copied, [...expected.slice(0, -2), noContainer]);
  const unreadable = describe("a-token-of-sixteen", false, "/it's `kept`").copied;
  const named = unreadable.flatMap((line) => /^# ([A-Z]+): .* as it is\.$/.exec(line)?.[1] ?? []);
  assertEquals(named, ["FILE", "STORE", "CERTIFICATE", "FILE"]);
});

test("proxy lines: each trusts the authority in one process, and none changes what the system or other programs trust", () => {
  const lines = ["a-token-of-sixteen", undefined].flatMap((token) => describe(token).copied ?? [])
    .filter((line) => !line.startsWith("#"));
  const systems =
    /\bsudo\b|\bdoas\b|\/(?:etc|usr|opt|var|System|Library)\/|update-ca-|trust anchor|add-trusted-cert|certutil/;
  assertEquals(lines.filter((line) => systems.test(line)), []);
  // The store of the JDK is only read.
  const [from = "", to = ""] = lines.find((line) => line.startsWith("cp "))!.split(" && ")[0]!
    .split('/lib/security/cacerts" ');
  assertEquals([from.startsWith('cp "$(java '), to], [true, "/kept/truststore.p12"]);
  const named = lines.flatMap((line) =>
    [...line.matchAll(/(?:-keystore |trustStore=|--cacert |PROXY_CA=|-v )([^ :]+)/g)].map(([, file]) => file!)
  );
  assertEquals(named.length >= 6 && named.every((file) => file.startsWith("/kept/")), true, named.join());
});
