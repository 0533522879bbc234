/** How a server runs, as the flags and the configuration decide it; nothing is opened. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { CommandError } from "../../../src/tools/cli/terminal/command_error.ts";
import { readPlan } from "../../../src/tools/cli/start/plan.ts";
import type { StartFlags } from "../../../src/tools/cli/start/start_flags.ts";
import { hasFeature } from "../../../src/server/features/mod.ts";
import type { Configuration } from "../../../src/mod.ts";
import { createAuthority } from "../../../src/ground/crypto/x509/certificate.ts";
import { test } from "../../runner.ts";
import { authority } from "../../server/features/mtls/certificates.ts";
import { withFile } from "./command.ts";
import { inFolder } from "../../in_folder.ts";

const addresses: readonly (readonly [flags: StartFlags, issuer: string, port: number])[] = [
  [{}, "http://localhost:9000", 9000],
  [{ port: "80" }, "http://localhost", 80],
  [{ port: "443" }, "http://localhost:443", 443],
  [{ port: "443", "tls-cert": "c.pem" }, "https://localhost", 443],
  [{ issuer: "http://localhost" }, "http://localhost", 80],
  [{ issuer: "https://localhost", "tls-cert": "c.pem" }, "https://localhost", 443],
];

for (const [flags, issuer, port] of addresses) {
  test(`plan: ${JSON.stringify(flags)} gives issuer ${issuer} and port ${port}`, async () => {
    const { settings, ...plan } = await readPlan(flags);
    assertEquals([settings.issuer, settings.baseUrl, plan.port], [issuer, issuer, port]);
  });
}

test("plan: an issuer in another spelling is refused with the right spelling", async () => {
  const { message } = await assertRejects(() => readPlan({ issuer: "http://localhost:80" }), CommandError);
  assertEquals(message, "--issuer must be written as http://localhost/");
});

test("plan: with a certificate, no other name of the configuration is http", () =>
  withFile({ also: ["http://postern:9000"] }, async (config) => {
    const { message } = await assertRejects(() => readPlan({ config, "tls-cert": "c.pem" }), CommandError);
    assertMatch(message, /^--tls-cert makes this an https server, so its other name cannot be http:/);
  }));

const clients = [{ client_id: "shop", redirect_uris: ["https://shop.example/cb"] }];
const own = { "tls-cert": "c.pem" };
const firstUsers: readonly StartFlags[] = [
  {},
  { ...own, issuer: "https://127.0.0.1:9000" },
  { host: "0.0.0.0", issuer: "http://localhost:9000", "expose-demo": true },
];

const frontPages: readonly (readonly [flags: StartFlags, frontPage: "full" | "issuer"])[] = [
  [{}, "full"],
  // it shows the demo only, which the flag allows
  [{ issuer: "https://id.example.com", "expose-demo": true }, "full"],
  [{ host: "0.0.0.0", issuer: "http://localhost:9000", "expose-demo": true }, "full"],
];

for (const [flags, frontPage] of frontPages) {
  test(`plan: the front page is ${frontPage} for ${JSON.stringify(flags)}`, async () => {
    assertEquals((await readPlan(flags)).settings.frontPage, frontPage);
  });
}

const demoResources: readonly (readonly [flags: StartFlags, url: string | undefined])[] = [
  [{}, "http://localhost:9000/resource"],
  [{ paths: "keycloak" }, "http://localhost:9000/resource"],
  [{ resource: "/api" }, "http://localhost:9000/api"],
  // Each name below the origin may be an issuer.
  [{ paths: "navikt" }, undefined],
  [{ issuer: "http://localhost:9000/resource" }, undefined],
  [{ issuer: "https://id.example.com", "expose-demo": true }, undefined],
  [{ host: "0.0.0.0", issuer: "http://localhost:9000", "expose-demo": true }, undefined],
];

for (const [flags, url] of demoResources) {
  test(`plan: the API beside the server is ${url ?? "absent"} for ${JSON.stringify(flags)}`, async () => {
    const { settings: { demoResource, resources } } = await readPlan(flags);
    // Without configured resources, clients may request any resource.
    assertEquals([demoResource, resources.size], [url, 0]);
  });
}

test("plan: beyond loopback, the front page shows the configuration only if the configuration says so", () =>
  inFolder(async (path) => {
    const people = [{ username: "carol", password: "open sesame" }];
    const read = async (more: Configuration, flags: StartFlags = {}) => {
      const config = path("postern.json");
      await writeFile(config, JSON.stringify({ clients, people, ...more }));
      const host = { host: "0.0.0.0", issuer: "http://localhost:9000" };
      return (await readPlan({ ...host, config, ...flags })).settings.frontPage;
    };
    assertEquals(await read({}), "issuer");
    for (const issuer of ["https://localhost", "https://id.example.com"]) {
      assertEquals(await read({}, { host: "localhost", issuer }), "issuer");
    }
    assertEquals(await read({}, { "expose-demo": true }), "issuer");
    assertEquals(await read({ frontPage: "full" }), "full");
    assertEquals(await read({ frontPage: "issuer" }, { host: "localhost" }), "issuer");
    assertEquals(await read({}, { host: "localhost" }), "full");
  }));

const reached: readonly StartFlags[] = [
  { ...own, issuer: "https://id.example.com" },
  // without a certificate, a proxy answers there, and its callers are unknown
  { issuer: "https://localhost" },
  { issuer: "https://id.example.com" },
];

for (const flags of reached) {
  test(`plan: demo credentials and first use are refused without --expose-demo, for ${JSON.stringify(flags)}`, async () => {
    const { message } = await assertRejects(() => readPlan(flags), CommandError);
    assertEquals(
      message,
      `other machines may reach ${flags.issuer}, and anyone could use the demo clients and the demo people: ` +
        'configure "clients" and "people" (--config FILE), or add --expose-demo',
    );
    const { configuration } = await readPlan({ ...flags, "expose-demo": true });
    const features = ["first_use", "registration", "client_documents"];
    assertEquals(features.map((name) => hasFeature(name, configuration)), [true, false, false]);
    const whole = { clients, people: [{ username: "carol" }] };
    await withFile(whole, async (config) => {
      assertEquals(hasFeature("first_use", (await readPlan({ ...flags, config })).configuration), false);
    });
    await withFile({ ...whole, firstUse: true }, async (config) => {
      await assertRejects(() => readPlan({ ...flags, config }), CommandError, "first use of any client_id");
    });
  });
}

test("plan: --expose-demo does not switch first use on against the configuration", async () => {
  for (const configuration of [{ firstUse: false }, { clients }]) {
    await withFile(configuration, async (config) => {
      const plan = await readPlan({ issuer: "https://id.example.com", "expose-demo": true, config });
      assertEquals(hasFeature("first_use", plan.configuration), false);
    });
  }
});

for (const flags of firstUsers) {
  test(`plan: first use is on for ${JSON.stringify(flags)}`, async () => {
    assertEquals(hasFeature("first_use", (await readPlan(flags)).configuration), true);
  });
}

test("plan: --profile applies to the clients of the file, and a contradiction names its line (FAPI 2.0)", () =>
  inFolder(async (path) => {
    const config = path("bank.json");
    const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }] };
    const bank = { client_id: "bank", redirect_uris: ["https://bank.example/cb"], jwks };
    const write = (client: object) =>
      writeFile(config, JSON.stringify({ clients: [{ ...bank, ...client }], people: [] }, null, 2));
    await write({});
    const { settings, configuration } = await readPlan({ config, profile: "fapi2-security" });
    assertEquals([settings.lifetimes.code, settings.alg, configuration.profile], [
      60,
      "ES256",
      "fapi2-security",
    ]);
    for (const name of ["first_use", "registration", "client_documents"]) {
      assertEquals(hasFeature(name, configuration), false, name);
    }
    await write({ require_pkce: false });
    const { message } = await assertRejects(
      () => readPlan({ config, profile: "fapi2-security" }),
      CommandError,
    );
    assertEquals(
      message,
      "bank.json:17:23: clients[0].require_pkce must be true with the profile fapi2-security " +
        "(FAPI 2.0 Security Profile §5.3.2.2-5), not false",
    );
    const wrong = await assertRejects(
      () => readPlan({ config, profile: "fapi2-security", alg: "RS256" }),
      CommandError,
    );
    assertEquals(
      wrong.message.startsWith("--alg must be ES256, PS256 or EdDSA with the profile"),
      true,
      wrong.message,
    );
  }));

test("plan: what is printed has no demo client if the file has a profile", () =>
  withFile({ profile: "fapi2-security", people: [] }, async (config) => {
    assertEquals([...(await readPlan({ config }, true)).settings.clients.keys()], []);
  }));

test("plan: a flag of mtls replaces what it names, and the file has the rest", () =>
  inFolder(async (path) => {
    const other = await createAuthority({
      name: "other",
      validity: { from: 0, until: 2e9 },
      keepsKey: false,
    });
    await writeFile(path("ca.pem"), other.cert);
    await writeFile(path("postern.json"), JSON.stringify({ mtls: { ca: authority.cert, port: 9001 } }));
    const flags = { config: path("postern.json"), "tls-cert": "c.pem" };
    const read = async (more: StartFlags) => (await readPlan({ ...flags, ...more })).configuration.mtls;
    assertEquals(await read({}), { ca: authority.cert, port: 9001 });
    assertEquals(await read({ "mtls-port": "9443" }), { ca: authority.cert, port: 9443 });
    assertEquals(await read({ "mtls-ca": path("ca.pem") }), { ca: other.cert, port: 9001 });
  }));

test("private issuer: the command takes it with its flag only, and the demo needs another", async () => {
  const issuer = "http://postern:9000";
  const flags = { host: "0.0.0.0", issuer };
  const { message } = await assertRejects(() => readPlan(flags), CommandError);
  assertMatch(message, /^--issuer must be https, .*--allow-private-http/);
  const allowed = { ...flags, "allow-private-http": true } as const;
  assertMatch((await assertRejects(() => readPlan(allowed), CommandError)).message, /add --expose-demo/);
  const { settings, port, isReached } = await readPlan({ ...allowed, "expose-demo": true });
  assertEquals([settings.issuer, port, isReached], [issuer, 9000, true]);
  assertEquals(settings.clients.get("demo")?.redirectUris, [`${issuer}/authorized`]);
});
