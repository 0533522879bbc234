/** `postern start --tls-cert --tls-key`: https on a real socket, and the files that it refuses. */

import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { readTlsFiles, start as startCommand } from "../../../../src/tools/cli/start/start.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";
import { askHttps, verify, withServedTls } from "./tls/world.ts";
import { challenge, encodeForm, type Params, verifier } from "../../../world.ts";
import { complaintOf, withServer } from "../../../tools/cli/command.ts";
import { inFolder } from "../../../in_folder.ts";

// for localhost, 127.0.0.1 and [::1], valid until 2126; the CA's key was not kept
const certificate = "tests/certificates/localhost.crt";
const key = "tests/certificates/localhost.key";
const otherKey = "tests/certificates/another.key";
const authority = "tests/certificates/authority.crt";
const flags = ["--tls-cert", certificate, "--tls-key", key];

test("tls: a complete code flow over https, with the default https issuer and cookies for https only", async () => {
  const ca = await readFile(authority, "utf8");
  const ask = (url: string, form?: Params) => askHttps(url, { ca }, form && encodeForm(form));
  await withServer([...flags, "--login", "auto"], async ({ issuer, port }) => {
    assertEquals(issuer, `https://localhost:${port}`);
    for (const host of ["localhost", "127.0.0.1"]) {
      const { text } = await ask(`https://${host}:${port}/.well-known/openid-configuration`);
      assertEquals(JSON.parse(text).token_endpoint, `${issuer}/oauth2/token`);
    }
    const redirect_uri = `${issuer}/authorized`;
    const request = encodeForm({
      response_type: "code",
      client_id: "demo",
      redirect_uri,
      scope: "openid email",
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const { headers: { location = "" } } = await ask(`${issuer}/oauth2/authorize?${request}`);
    const { origin, searchParams } = new URL(location);
    assertEquals([origin, searchParams.get("iss")], [issuer, issuer]);
    const tokens = await ask(`${issuer}/oauth2/token`, {
      grant_type: "authorization_code",
      code: searchParams.get("code")!,
      redirect_uri,
      client_id: "demo",
      code_verifier: verifier,
    });
    const { access_token } = JSON.parse(tokens.text);
    const person = await ask(`${issuer}/userinfo`, { access_token });
    assertEquals(JSON.parse(person.text).email, "alice@example.com");

    const begun = await ask(`${issuer}/start?client_id=demo`);
    const page = await ask(new URL(begun.headers.location!, issuer).href);
    const cookies = [begun, page].flatMap(({ headers }) => headers["set-cookie"] ?? []);
    assert(cookies.length > 0);
    for (const cookie of cookies) assertMatch(cookie, /^__Host-.*; ?Secure/i);
    await assertRejects(() => fetch(`http://127.0.0.1:${port}/`));
  });
});

const it = testIn(inFolder);

it("tls: a file may contain other PEM blocks and text", async (path) => {
  const both = path("both.pem");
  const [keyText, certificateText] = await Promise.all(
    [key, certificate].map((file) => readFile(file, "utf8")),
  );
  await writeFile(both, `Bag Attributes\n${keyText}\n${certificateText}`);
  const tls = await readTlsFiles({ "tls-cert": both, "tls-key": both });
  const ca = await readFile(authority, "utf8");
  await withServedTls(tls!, async ({ port }) => void await verify(port, ca));
});

it("tls: a wrong file is refused in one line that names the flag, with exit code 2", async (path) => {
  const [missing, folder, broken] = [path("none.pem"), path("."), path("broken.pem")];
  await writeFile(broken, "-----BEGIN CERTIFICATE-----\nbm8=\n-----END CERTIFICATE-----\n");
  const brokenKey = path("broken.key");
  await writeFile(brokenKey, "-----BEGIN PRIVATE KEY-----\nbm8=\n-----END PRIVATE KEY-----\n");
  const attempts: readonly (readonly [args: readonly string[], message: string])[] = [
    [["--tls-cert", certificate], "--tls-cert needs --tls-key FILE too"],
    [["--tls-key", key], "--tls-key needs --tls-cert FILE too"],
    [["--tls-cert", missing, "--tls-key", key], `--tls-cert ${missing}: there is no such file`],
    [["--tls-cert", certificate, "--tls-key", missing], `--tls-key ${missing}: there is no such file`],
    [["--tls-cert", folder, "--tls-key", key], `--tls-cert ${folder}: this is a folder`],
    [["--tls-cert", key, "--tls-key", key], `--tls-cert ${key}: it has no PEM block CERTIFICATE`],
    [["--tls-cert", certificate, "--tls-key", certificate], "it has no PEM block PRIVATE KEY"],
    [["--tls-cert", broken, "--tls-key", key], `--tls-cert ${broken}: this is not a certificate`],
    [
      ["--tls-cert", certificate, "--tls-key", brokenKey],
      `--tls-key ${brokenKey}: this is not a private key`,
    ],
    [
      ["--tls-cert", certificate, "--tls-key", otherKey],
      `--tls-key ${otherKey}: this key does not belong to ${certificate}`,
    ],
    [
      [...flags, "--issuer", "http://localhost:9000"],
      "--tls-cert makes this an https server, so its issuer cannot be http://localhost:9000",
    ],
  ];
  for (const [args, message] of attempts) {
    const complaint = await complaintOf(startCommand, ...args);
    assertStringIncludes(complaint, message);
    assertMatch(complaint, /^2: [^\n]*$/);
  }
});
