/** The file of authorities for programs that take only one. */

import { assertEquals, assertMatch } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { writeTrustBundle } from "../../../../src/tools/cli/proxy/trust_bundle.ts";
import { inFolder } from "../../../in_folder.ts";
import { test } from "../../../runner.ts";

const places = [
  ...["/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem"],
  ...["/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/certs/ca-certificates.crt"],
];

test("trust bundle: it has the proxy's authority and those of the system, wherever a system keeps them", async () => {
  await inFolder(async (path) => {
    const texts = new Map([["own.pem", "own"], ["/etc/ssl/cert.pem", "empty"]]);
    const never = Promise.reject(new Error("ENOENT"));
    const bundle = async () => {
      await writeTrustBundle(path("bundle.pem"), "own.pem", async (file) => texts.get(file) ?? await never);
      return await readFile(path("bundle.pem"), "utf8");
    };
    // Without such a file, the runtime knows authorities.
    assertMatch(await bundle(), /^own\n-----BEGIN CERTIFICATE-----/);
    for (const place of places) {
      texts.set(place, `-----BEGIN CERTIFICATE----- of ${place}`);
      assertEquals(await bundle(), `own\n${texts.get(place)}`);
    }
    assertEquals(await readdir(path(".")), ["bundle.pem"]);
  });
});
