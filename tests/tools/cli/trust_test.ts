/** `postern trust`: what it prints with and without an authority, and that it writes nothing. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { X509Certificate } from "node:crypto";
import { openAuthority } from "../../../src/tools/cli/tls/open_authority.ts";
import { describeTrust } from "../../../src/tools/cli/tls/trust_text.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { assertKept } from "./assert_kept.ts";
import { program } from "./command.ts";
import { runWith } from "./in_process.ts";
import { withHome } from "../../portable/tools/cli/tls/world.ts";

const now = Date.now() / 1000;

const it = testIn(withHome);

it("trust: without an authority, it names the command that makes one, and makes none", async ({ env, find }) => {
  for (const name of [undefined, "id.shop.example"]) {
    const { folder, flags } = find(name);
    const args = name === undefined ? [] : ["--tls-name", name];
    assertEquals(await runWith(env, "trust", ...args), {
      code: 1,
      stdout: "",
      stderr: `postern: there is no authority in ${folder} yet: "${program} start ${flags}" makes it\n`,
    });
  }
  assertEquals(existsSync(dirname(find().folder)), false);
});

it("trust: it prints the commands for the authority, and writes nothing", async ({ env, find }) => {
  for (const name of [undefined, "id.shop.example"]) {
    const place = find(name);
    await openAuthority(place, now);
    const before = await listTimes(dirname(place.folder));
    const args = name === undefined ? [] : ["--tls-name", name];
    const { code, stdout, stderr } = await runWith(env, "trust", ...args);
    assertEquals([code, stderr], [0, ""]);
    const lines = stdout.split("\n");
    const { fingerprint256, validTo } = new X509Certificate(await readFile(place.certFile));
    const hosts = name ?? "localhost, test, 127.0.0.0/8, ::1/128";
    assertEquals(lines.slice(0, 3), [
      `The authority is ${place.certFile}`,
      `It signs certificates only for these hosts, and names below them: ${hosts}`,
      `It ends on ${new Date(validTo).toISOString().slice(0, 10)}. SHA-256 ${fingerprint256}`,
    ]);
    assertEquals(lines.slice(-2), ["Nothing was installed: run the lines that you need.", ""]);
    const path = await runWith(env, "trust", "--path", ...args);
    assertEquals(path, { code: 0, stdout: `${place.certFile}\n`, stderr: "" });
    assertEquals(await listTimes(dirname(place.folder)), before);
  }
});

async function listTimes(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  return await Promise.all(names.map(async (name) => `${name} ${(await stat(`${folder}/${name}`)).mtimeMs}`));
}

/** The text for a certificate at this path. */
function describe(path: string, platform: string, alias = "postern"): string {
  const place = {
    folder: dirname(path),
    certFile: path,
    keyFile: "",
    title: "Postern authority for localhost",
    limits: { permitted: ["localhost"] },
    ...{ life: 3650 * 24 * 60 * 60, isRenewed: false },
    flags: "--tls",
  };
  const certificate = {
    fingerprint: "AA:BB",
    fingerprint256: "CC:DD",
    serialNumber: "0123",
    validTo: "Nov 20 00:00:00 2036 GMT",
  };
  return describeTrust({ place, certificate, alias, platform });
}

test("trust: each system and program has what installs the authority and what removes it", () => {
  const parts = describe("/home/al/ca.pem", "linux", "postern-id.shop.example").split("\n\n").slice(1)
    .filter((part) => part.startsWith("  "))
    .map((part) => part.split("\n"));
  assertEquals(parts.length, 15);
  for (const [title, ...lines] of parts) {
    const text = lines.join("\n");
    assertMatch(text, /^ {4}trust {3}\S[^]*\n {4}remove {2}\S/, title);
    assert(text.includes("/home/al/ca.pem"), title);
  }
  const text = describe("/home/al/ca.pem", "linux", "postern-id.shop.example");
  assertStringIncludes(
    text,
    "rm /usr/local/share/ca-certificates/postern-id.shop.example.crt && sudo update-ca-certificates --fresh\n",
  );
  assertStringIncludes(text, "security delete-certificate -Z AABB ~/Library");
  assertStringIncludes(text, "certutil -user -delstore Root 0123");
});

test("trust: the lines for each platform and path", () =>
  assertKept("trust", (given) => {
    const [, platform = "", path = "", alias] = /^(\S+) (.*) (\S+)$/.exec(given)!;
    return describe(path, platform, alias);
  }));

test("trust: a path that not all shells read alike is in no command", () => {
  for (const platform of ["linux", "win32"]) {
    const text = describe("/home/it's $(id)/ca.pem", platform);
    const notes = [
      "# FILE: the certificate of the authority.",
      "# STORE: truststore.p12 beside this certificate.",
    ];
    for (const note of notes) {
      assertStringIncludes(text, `\n${note} Not all shells read it as it is.\n`);
    }
    assertStringIncludes(text, "java '-Djavax.net.ssl.trustStore=STORE' ");
    const commands = text.split("\n").filter((line) => !/^The authority|Import: /.test(line));
    assert(!commands.join("\n").includes("$(id)"), text);
  }
  assertStringIncludes(
    describe("/home/al b/ca.pem", "linux"),
    "java '-Djavax.net.ssl.trustStore=/home/al b/truststore.p12' ",
  );
});

test("trust: a path is quoted so that POSIX shells and PowerShell read it", () => {
  const text = describe("/home/al b's/ca.pem", "linux");
  const quoted = `"/home/al b's/ca.pem"`;
  assertStringIncludes(text, `export NODE_EXTRA_CA_CERTS=${quoted}\n`);
  assertStringIncludes(text, `curl --cacert ${quoted} `);
  assertStringIncludes(text, `sudo cp ${quoted} /usr/`);
  const onWindows = describe("C:\\Users\\al b's\\ca.pem", "win32");
  assertStringIncludes(onWindows, `$env:NODE_EXTRA_CA_CERTS = "C:\\Users\\al b's\\ca.pem"\n`);
  assertStringIncludes(onWindows, "Remove-Item Env:NODE_EXTRA_CA_CERTS\n");
  assertStringIncludes(onWindows, `certutil -user -addstore Root "C:\\Users\\al b's\\ca.pem"\n`);
});
