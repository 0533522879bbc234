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
const begin = "-----BEGIN CERTIFICATE-----";

test("trust bundle: it has the proxy's authority and those of the system, wherever a system keeps them", async () => {
  await inFolder(async (path) => {
    const texts = new Map([["own.pem", "own"], ["/etc/ssl/cert.pem", "empty"]]);
    const bundle = async () => {
      await writeTrustBundle(path("bundle.pem"), "own.pem", async (file) => texts.get(file) ?? await never);
      return await readFile(path("bundle.pem"), "utf8");
    };
    const never = Promise.reject(new Error("ENOENT"));
    // Without such a file, the runtime knows authorities.
    assertMatch(await bundle(), new RegExp(`^own\n${begin}`));
    for (const place of places) {
      texts.set(place, `${begin} of ${place}`);
      assertEquals(await bundle(), `own\n${begin} of ${place}`);
    }
    assertEquals(await readdir(path(".")), ["bundle.pem"]);
  });
});
