/** The user's authority: where it is, that there is one, what its files may be, and whom it may sign for. */

import { assertEquals, assertMatch, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { CommandError } from "../../../../../src/tools/cli/terminal/command_error.ts";
import {
  type AuthorityPlace,
  covers,
  findAuthority,
  findProviderAuthority,
  tlsNameFlag,
} from "../../../../../src/tools/cli/tls/authority_place.ts";
import { openAuthority } from "../../../../../src/tools/cli/tls/open_authority.ts";
import { issueCertificate } from "../../../../../src/ground/crypto/x509/certificate.ts";
import { quoteWord } from "../../../../../src/ground/values/quote_word.ts";
import { runtime, test } from "../../../../runner.ts";
import { testIn } from "../../../../test_in.ts";
import { verify, withHome, withServedTls } from "./world.ts";

const day = 24 * 60 * 60;
const now = Math.floor(Date.now() / 1000);

test("authority: it is in the configuration folder of the system, and each name has a folder of its own", () => {
  const find = (platform: string, env: Readonly<Record<string, string>>, name?: string) =>
    findAuthority(name, { platform, env }).certFile;
  assertEquals(find("linux", { HOME: "/home/al" }), "/home/al/.config/postern/tls/ca.pem");
  assertEquals(find("linux", { HOME: "/home/al", XDG_CONFIG_HOME: "/etc/al" }), "/etc/al/postern/tls/ca.pem");
  // XDG Base Directory Specification: a relative path is ignored.
  assertEquals(
    find("linux", { HOME: "/home/al", XDG_CONFIG_HOME: "al" }),
    "/home/al/.config/postern/tls/ca.pem",
  );
  assertEquals(
    find("darwin", { HOME: "/Users/al", XDG_CONFIG_HOME: "/etc/al" }),
    "/Users/al/Library/Application Support/postern/tls/ca.pem",
  );
  assertEquals(find("win32", { APPDATA: "/al/Roaming", HOME: "/al" }), "/al/Roaming/postern/tls/ca.pem");
  assertEquals(
    find("linux", { HOME: "/home/al" }, "ID.shop.example"),
    "/home/al/.config/postern/tls-id.shop.example/ca.pem",
  );
  const variables = [["linux", "HOME or XDG_CONFIG_HOME"], ["darwin", "HOME"], [
    "win32",
    "APPDATA",
  ]];
  for (const [platform, variable] of variables) {
    const message = `--tls keeps a key in your configuration folder: set ${variable} to say where it is`;
    const none = { HOME: "", APPDATA: "", XDG_CONFIG_HOME: "" };
    for (const env of [{}, none]) assertThrows(() => find(platform!, env), CommandError, message);
  }
});

test("authority: other hosts of a provider have another authority, because its limits are others", () => {
  const system = { platform: "linux", env: { HOME: "/home/al" } };
  const folders = [["a.test"], ["b.test"], ["a.test", "b.test"], ["a.test"]]
    .map((hosts) => findProviderAuthority({ provider: "okta", hosts }, system).folder);
  assertEquals([new Set(folders).size, folders[3]], [3, folders[0]]);
});

test("authority: a name has a dot, and is no address, no pattern and no path", () => {
  const right = ["id.shop.example", "ID.Shop.Example", "xn--bcher-kva.example", "a.b", `${"a".repeat(63)}.b`];
  const wrong = [
    "localhost",
    "127.0.0.1",
    "*.shop.example",
    "shop.example.",
    ".shop.example",
    "-a.example",
    "a-.example",
    "a_b.example",
    "a..b",
    "../a.b",
    "bücher.example",
    "a.b:9000",
    `${"a".repeat(64)}.b`,
    `${"a.".repeat(127)}b`,
  ];
  assertEquals([...right, ...wrong].filter(tlsNameFlag.accepts), right);
});

test("authority: it is for this machine and names for tests, or for one name and those below it", () => {
  const hosts = [
    "localhost",
    "id.localhost",
    "shop.test",
    "127.0.0.1",
    "127.1.2.3",
    "::1",
    "shop.example",
    "id.shop.example",
    "myshop.example",
    "localhost.example",
    "10.0.0.1",
  ];
  assertEquals(hosts.filter((host) => covers(undefined, host)), hosts.slice(0, 6));
  assertEquals(hosts.filter((host) => covers("Shop.example", host)), ["shop.example", "id.shop.example"]);
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

const it = testIn(withHome);

it("authority: it is made once, and only its user can read the key", async ({ find }) => {
  const place = find();
  const first = await openAuthority(place, now);
  const second = await openAuthority(place, now + day);
  assertEquals([first.isNew, second.isNew, first.endsAt], [true, false, now + 3650 * day]);
  assertEquals(first.authority.cert, await readFile(place.certFile, "utf8"));
  assertEquals(second.authority.cert, first.authority.cert);
  assertEquals((await readdir(place.folder)).toSorted(), ["ca-key.pem", "ca.pem"]);
  assertEquals(await readdir(dirname(place.folder)), ["tls"]);
  const other = await openAuthority(find("id.shop.example"), now);
  assertEquals([other.isNew, other.authority.cert === first.authority.cert], [true, false]);
  const titles = [first, other].map(({ authority }) => new X509Certificate(authority.cert).subject);
  assertEquals(titles, ["CN=Postern authority for localhost", "CN=Postern authority for id.shop.example"]);
  if (process.platform === "win32") return;
  const modes = [dirname(place.folder), place.folder, place.keyFile].map(modeOf);
  assertEquals(await Promise.all(modes), ["700", "700", "600"]);
});

it("authority: many first uses at once make one, and what a killed process left is not read", async ({ find }) => {
  const place = find();
  const left = join(dirname(place.folder), ".new-killed");
  await mkdir(left, { recursive: true });
  await writeFile(join(left, "ca-key.pem"), "-----BEGIN PRIV");
  const opened = await Promise.all(Array.from({ length: 8 }, () => openAuthority(place, now)));
  assertEquals(new Set(opened.map(({ authority }) => authority.cert)).size, 1);
  assertEquals(opened.filter(({ isNew }) => isNew).length, 1);
  assertEquals((await readdir(dirname(place.folder))).toSorted(), [".new-killed", "tls"]);
});

test("authority: a damaged or foreign file is refused by its path, and nothing is written", async () => {
  const foreign = "tests/certificates/authority.crt";
  const cases: readonly (readonly [spoil: (place: AuthorityPlace) => Promise<unknown>, problem: string])[] = [
    [({ keyFile }) => rm(keyFile), "KEY is missing"],
    [({ certFile }) => rm(certFile), "CERT is missing"],
    [({ certFile }) => writeFile(certFile, ""), "CERT is not a certificate"],
    [
      ({ certFile }) => copyFile(foreign, certFile),
      'CERT is not the certificate of "Postern authority for localhost"',
    ],
    [({ keyFile }) => writeFile(keyFile, "-----BEGIN PRIV"), "KEY is not the private key of CERT"],
    [
      async ({ keyFile }) => await writeFile(keyFile, await readFile("tests/certificates/another.key")),
      "KEY is not the private key of CERT",
    ],
  ];
  for (const [spoil, problem] of cases) {
    await withHome(async ({ find }) => {
      const place = find();
      await openAuthority(place, now);
      await spoil(place);
      const list = async () => (await readdir(dirname(place.folder), { recursive: true })).toSorted();
      const before = await list();
      const { message } = await assertRejects(() => openAuthority(place, now), CommandError);
      const expected = problem.replace("KEY", place.keyFile).replace("CERT", place.certFile);
      assertEquals(
        message,
        `${expected}. Delete the folder ${place.folder}: the next start with --tls makes a new authority, which clients must ` +
          "trust again",
      );
      assertEquals(await list(), before);
      await rm(place.folder, { recursive: true });
      assertEquals((await openAuthority(place, now)).isNew, true);
    });
  }
});

it("authority: it ends after ten years", async ({ find }) => {
  const place = find("id.shop.example");
  await openAuthority(place, Date.UTC(2026, 0, 1) / 1000);
  const { message } = await assertRejects(
    () => openAuthority(place, Date.UTC(2035, 11, 30) / 1000),
    CommandError,
  );
  assertStringIncludes(message, `${place.certFile} ended on 2035-12-30. Delete the folder `);
  assertStringIncludes(message, "the next start with --tls --tls-name id.shop.example makes a new authority");
});

const provider = { provider: "github", hosts: ["github.com", "api.github.com"] };

test("authority: that of a provider's hosts lives thirty days, and the next one follows by itself", async () => {
  // After how many days it is opened again, whether the next one follows, and the years that the first one lives.
  const rows: readonly (readonly [days: number, follows: boolean, years?: number])[] = [
    ...[0, 1, 15, 28.99].map((days) => [days, false] as const),
    ...[29, 29.5, 30, 31, 400].map((days) => [days, true] as const),
    // The clock was wrong at the first start.
    [-2, true],
    // As another version has made it.
    [0, true, 10],
  ];
  for (const [days, follows, years] of rows) {
    await withHome(async ({ system }) => {
      const place = findProviderAuthority(provider, system);
      const longer = { ...place, life: (years ?? 0) * 365 * day };
      const first = await openAuthority(years === undefined ? place : longer, now);
      const later = now + days * day;
      const second = await openAuthority(place, later);
      const third = await openAuthority(place, later);
      const name = `after ${days} days`;
      const is = [second.authority.cert !== first.authority.cert, second.isNew, third.isNew];
      assertEquals(is, [follows, follows, false], name);
      assertEquals(third.authority.cert, second.authority.cert, name);
      assertEquals(third.authority.cert, await readFile(third.certFile, "utf8"));
      const begun = follows ? later : now;
      assertEquals([second.endsAt, second.renewsAt], [
        Math.floor(begun + 30 * day),
        Math.floor(begun + 29 * day),
      ]);
      // The key of the former one is gone.
      assertEquals(await readdir(place.folder), [follows ? "2" : "1"]);
      assertEquals(await readdir(dirname(place.folder)), [basename(place.folder)]);
    });
  }
});

it("authority: that of a provider's hosts takes the place of one that a former version made for ten years", async ({ system }) => {
  const place = findProviderAuthority(provider, system);
  await openAuthority({ ...place, life: 3650 * day, isRenewed: false }, now);
  await writeFile(join(place.folder, "bundle.pem"), "");
  assertEquals((await readdir(place.folder)).toSorted(), ["bundle.pem", "ca-key.pem", "ca.pem"]);
  assertEquals((await openAuthority(place, now)).endsAt, now + 30 * day);
  assertEquals((await readdir(place.folder)).toSorted(), ["1", "bundle.pem"]);
});

it("authority: many starts at once after its end have the same next one", async ({ system }) => {
  const place = findProviderAuthority(provider, system);
  const former = await openAuthority(place, now);
  const opened = await Promise.all(Array.from({ length: 8 }, () => openAuthority(place, now + 30 * day)));
  const certificates = new Set(opened.map(({ authority }) => authority.cert));
  assertEquals([certificates.size, certificates.has(former.authority.cert)], [1, false]);
  assertEquals(opened.filter(({ isNew }) => isNew).length, 1);
  assertEquals(await readdir(place.folder), ["2"]);
});

it("authority: a damaged one of a provider's hosts is refused by its path, and does not end", async ({ system }) => {
  const place = findProviderAuthority(provider, system);
  const { certFile } = await openAuthority(place, now);
  await writeFile(certFile, "");
  for (const later of [now, now + 40 * day]) {
    const { message } = await assertRejects(() => openAuthority(place, later), CommandError);
    assertStringIncludes(message, `${certFile} is not a certificate. Delete the folder `);
  }
  await rm(dirname(certFile), { recursive: true });
  assertEquals((await openAuthority(place, now)).isNew, true);
});

const ofKey = "authority: a key that others can read is refused, as OpenSSH does";
if (process.platform === "win32") test.skip(ofKey, "Windows has no modes of files");
else {
  it(ofKey, async ({ find }) => {
    const place = find();
    await openAuthority(place, now);
    await chmod(place.keyFile, 0o640);
    const { message } = await assertRejects(() => openAuthority(place, now), CommandError);
    assertEquals(
      message,
      `${place.keyFile} has the mode 640, so other users of this machine may use this private key: run chmod 600 ${
        quoteWord(place.keyFile, "posix")
      }`,
    );
    await chmod(place.keyFile, 0o400);
    assertEquals((await openAuthority(place, now)).isNew, false);
  });
}

it("authority: a folder that cannot be made is named", async ({ find, env }) => {
  await writeFile(env["XDG_CONFIG_HOME"]!, "a file");
  const { message, exitCode } = await assertRejects(() => openAuthority(find(), now), CommandError);
  assertEquals(exitCode, 1);
  assertStringIncludes(message, `--tls cannot make ${find().folder}: `);
});

test("authority: clients accept what it signs for the permitted names, and nothing else that its key signs", async () => {
  const attempts:
    readonly (readonly [name: string | undefined, hosts: readonly string[], isAccepted: boolean])[] = [
      [undefined, ["localhost"], true],
      [undefined, ["shop.test"], true],
      [undefined, ["shop.test", "id.localhost"], true],
      [undefined, ["localhost", "shop.example"], false],
      ["shop.example", ["shop.example"], true],
      ["shop.example", ["id.shop.example"], true],
      ["shop.example", ["localhost"], false],
      ["shop.example", ["shop.example", "10.0.0.1"], false],
    ];
  await withHome(async ({ find }) => {
    for (const [name, hosts, isAccepted] of attempts) {
      const { authority } = await openAuthority(find(name), now);
      const tls = await issueCertificate(authority, {
        hosts,
        validity: { from: now - day, until: now + day },
      });
      await withServedTls(tls, async ({ port }) => {
        const problem = await verify(port, authority.cert, hosts[0]).then(() => "", ({ message }) => message);
        if (isAccepted) assertEquals(problem, "", `${hosts}`);
        else assertMatch(problem, forbidden, `${hosts}`);
      });
    }
  });
});

// Deno says only that the certificate is not trusted. Bun compares no addresses, and so accepts none.
const forbidden = runtime === "deno"
  ? /unable to verify the first certificate/
  : /(permitted|excluded) subtree violation|unsupported name constraint type/;
