/** The file of authorities for programs that take only one. */

import { assertEquals, assertMatch } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { writeTrustBundle } from "../../../../src/tools/cli/proxy/trust_bundle.ts";
import { inFolder } from "../../../in_folder.ts";
import { test } from "../../../runner.ts";

test("trust bundle: it has the proxy's authority and those of the system, wherever a system keeps them", async () => {
  const begin = "-----BEGIN CERTIFICATE-----", texts = new Map([["own.pem", "own"]]);
  await inFolder(async (path) => {
    const read = async (file: string) => texts.get(file) ?? await readFile(path("absent.pem"), "utf8");
    const bundle = async () => {
      await writeTrustBundle(path("bundle.pem"), "own.pem", read);
      return await readFile(path("bundle.pem"), "utf8");
    };
    // Without such a file, the runtime knows authorities.
    assertMatch(await bundle(), new RegExp(`^own\n${begin}`));
    const places = "ssl/cert.pem ssl/ca-bundle.pem pki/tls/certs/ca-bundle.crt ssl/certs/ca-certificates.crt";
    for (const place of places.split(" ").map((each) => `/etc/${each}`)) {
      texts.set(place, `${begin} of ${place}`);
      assertEquals(await bundle(), `own\n${texts.get(place)}`);
    }
    assertEquals(await readdir(path(".")), ["bundle.pem"]);
  });
});
