/** The example token requests reach curl unchanged through a shell, for all values. */
import { spawnSync } from "node:child_process";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { formatBasic, formEncode } from "../../../src/server/client/client_request.ts";
import {
  placeholders,
  writeApiCall,
  writeTokenRequest,
} from "../../../src/server/client/example_commands.ts";
import { writeCall } from "../../../src/server/client/write_request.ts";
import { test } from "../../runner.ts";

const hostile = [
  `it's $HOME "x" \`id\` & <>`,
  `'; touch /tmp/owned; '`,
  "$(id) ${HOME} !! \\ \\' ~ * ? [a-z] {a,b} # | ; ( )",
  "a=b&c=d%26+e @/etc/passwd",
  "@/etc/passwd",
  "",
  "-d",
  "line\nline\r\n\ttab",
  "\u001b[201~\nid\n\u0003 \u202e ü 🗝",
  "'''''",
];

const endpoint = "http://[::1]:9000/o'auth/token?a=1&b={2}";

const codeOf = (value: string) => ({ code: value, redirectUri: value, codeVerifier: value });

const methods = ["none", "client_secret_basic", "client_secret_post"] as const;
type Method = typeof methods[number];

function commandOf(value: string, method: Method): string {
  const pieces = writeTokenRequest(endpoint, codeOf(value), { clientId: value, method, secret: value });
  return pieces.map((piece) => typeof piece === "string" ? piece : piece.placeholder).join("");
}

/** The arguments that a shell passes to the program `curl` of this command. */
function readArguments(command: string): readonly string[] {
  const script = `curl() { printf '%s\\0' curl "$@"; }\n${command}\n`;
  const { stdout, stderr, status } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  assertEquals([status, stderr], [0, ""]);
  return stdout.split("\0").slice(0, -1);
}

/** Reads arguments as curl does (curl(1): --data, --data-urlencode, --user, --header). */
function readCurl([program, ...words]: readonly string[]): {
  readonly url: string | undefined;
  readonly user: string | undefined;
  readonly form: Readonly<Record<string, string>>;
} {
  assertEquals(program, "curl");
  let url: string | undefined, user: string | undefined;
  const form: [string, string][] = [];
  while (words.length > 0) {
    const word = words.shift()!;
    if (word === "--globoff") continue;
    if (!word.startsWith("--")) {
      assertEquals(url, undefined, `a second URL: ${word}`);
      url = word;
      continue;
    }
    const value = words.shift()!;
    if (word === "--request") assertEquals(value, "POST");
    else if (word === "--user") user = value;
    else if (word === "--data") form.push(...new URLSearchParams(value));
    else if (word === "--data-urlencode") {
      const equals = value.indexOf("=");
      form.push([value.slice(0, equals), value.slice(equals + 1)]);
    } else assertEquals([word, value], ["--header", "Content-Type: application/x-www-form-urlencoded"]);
  }
  assertEquals(new Set(form.map(([name]) => name)).size, form.length, "a parameter occurs twice");
  return { url, user, form: Object.fromEntries(form) };
}

const grant = (value: string) => ({
  grant_type: "authorization_code",
  code: value,
  redirect_uri: value,
  code_verifier: value,
});

const shell = spawnSync("sh", ["-c", "exit 0"]);
const hasShell = shell.error === undefined && shell.status === 0;

/** A test that passes its commands to a shell. */
function it(name: string, work: () => void): void {
  if (hasShell) test(name, work);
  else test.skip(name, "this machine has no POSIX shell");
}

it("token request: a command sends the exact values, with its credentials where the method has them", () => {
  for (const value of hostile) {
    const readSent = (method: Method) => readCurl(readArguments(commandOf(value, method)));
    const form = { ...grant(value), client_id: value };
    assertEquals(readSent("none"), { url: endpoint, user: undefined, form });
    const withSecret = { ...form, client_secret: value };
    assertEquals(readSent("client_secret_post"), { url: endpoint, user: undefined, form: withSecret });
    const basic = readSent("client_secret_basic");
    assertEquals(basic.form, grant(value));
    // Both halves are form-encoded (RFC 6749 §2.3.1).
    assertEquals(basic.user, `${formEncode(value)}:${formEncode(value)}`);
    assertEquals(basic.user?.split(":").map((half) => new URLSearchParams(`x=${half}`).get("x")), [
      value,
      value,
    ]);
    assertEquals(formatBasic(value, value), `Basic ${btoa(basic.user!)}`);
  }
  assertEquals(formatBasic("a b", "c:d"), `Basic ${btoa("a+b:c%3Ad")}`);
});

test("token request: a command is printable ASCII only", () => {
  for (const value of hostile) {
    for (const method of methods) {
      assertMatch(commandOf(value, method), /^[\x20-\x7e\n]*$/);
      for (const line of commandOf(value, method).split("\n").slice(0, -1)) {
        assert(line.endsWith(" \\"), line);
      }
    }
  }
});

it("token request: a URL that not all shells read alike is left out, as it is of the call of an API", () => {
  const url = "http://localhost:9000/it's/$(id)";
  const examples = [
    writeTokenRequest(url, codeOf("x"), { clientId: "x", method: "none" }),
    writeApiCall(url, true),
  ];
  for (const pieces of examples) {
    assert(pieces.some((piece) => typeof piece !== "string" && piece.placeholder === placeholders.url));
    const command = pieces.map((piece) => typeof piece === "string" ? piece : piece.placeholder).join("");
    assertEquals(readArguments(command).filter((word) => word === "<URL>"), ["<URL>"]);
  }
});

it("call: its URL and its JSON reach curl as they are, and what not all shells read alike is left out", () => {
  const json = { name: 'it\'s $(id) `id` "x"', other: "’" };
  const [, address, ...words] = readArguments(writeCall({ url: "https://as.test/?a=$(id)&b", json }));
  assertEquals(address, "https://as.test/?a=$(id)&b");
  assertEquals(JSON.parse(words.at(-1)!), json);
  const left = writeCall({ url: "https://as.test/it's/$(id)", tokenVariable: "TOKEN" });
  assertMatch(left, /^# <url>: the URL of the call\. .*\ncurl '<url>' -H "authorization: Bearer \$TOKEN"$/);
});

it("token request: placeholders are inside the quotes", () => {
  const pieces = writeTokenRequest(endpoint, { ...codeOf("x"), codeVerifier: placeholders.codeVerifier }, {
    clientId: placeholders.clientId,
    method: "client_secret_basic",
    secret: placeholders.clientSecret,
  });
  const command = pieces.map((piece) => typeof piece === "string" ? piece : piece.placeholder).join("");
  const { user, form } = readCurl(readArguments(command));
  assertEquals(user, "<CLIENT_ID>:<CLIENT_SECRET>");
  assertEquals(form["code_verifier"], "<CODE_VERIFIER>");
});
