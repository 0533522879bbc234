/** The copies of a request: each one sends the same request again when its placeholders are filled. */

import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { execFileSync } from "node:child_process";
import { writeCopies } from "../../../../src/server/client/write_request.ts";
import { test } from "../../../runner.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { basic, createWorld, verifier, type World } from "../../../world.ts";
import { authority, certify, post } from "../../../server/features/mtls/certificates.ts";
import { describeLast } from "./kept_world.ts";

function copy(world: World, kind: "curl" | "fetch" | "http", secrets = false): string {
  return describeLast(world, { secrets }).copies.find((each) => each.kind === kind)!.text;
}

const it = testInWorld({});

it("copy: a token request as curl has a placeholder for each secret", async (world) => {
  await world.redeem(await world.code());
  assertEquals(
    copy(world, "curl"),
    [
      "curl -i https://as.test/oauth2/token \\",
      "  -H 'content-type: application/x-www-form-urlencoded' \\",
      "  --data-raw 'grant_type=authorization_code&code=<code>&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&" +
      "client_id=public&code_verifier=<code_verifier>'",
    ].join("\n"),
  );
});

it("copy: with the key the request is complete, but for the secret of the client", async (world) => {
  const headers = basic("basic", "basic secret: a+b%c");
  await world.redeem(await world.code({ client_id: "basic" }), { client_id: undefined }, headers);
  const text = copy(world, "curl", true);
  assertStringIncludes(text, `code_verifier=${verifier}`);
  assertStringIncludes(text, "authorization: Basic <base64 of basic:client_secret>");
  assertFalse(text.includes(headers.authorization));
});

it("copy: a token without a scheme gets that of a token", async (world) => {
  await world.get("/userinfo", { authorization: "a-token-alone" });
  assertStringIncludes(copy(world, "curl"), "authorization: Bearer <access token>");
});

it("copy: a colon after the scheme, which Okta reads, shows no secret", async (world) => {
  const { authorization } = basic("basic", "basic secret: a+b%c");
  const headers = { authorization: authorization.replace("Basic", "Basic:") };
  await world.redeem(await world.code({ client_id: "basic" }), { client_id: undefined }, headers);
  const shown = JSON.stringify(describeLast(world, { secrets: true }));
  assertStringIncludes(shown, "authorization: Basic <base64 of ");
  assertFalse(shown.includes(authorization.slice("Basic ".length)));
});

/** A server whose client authenticates by its certificate, and the form with which it gets a token for itself. */
const certified = {
  mtls: { ca: authority.cert, port: 9443 },
  clients: [{
    client_id: "app",
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: "CN=app",
    grant_types: ["client_credentials"],
  }],
} as const;
const ownToken = { grant_type: "client_credentials", client_id: "app" };

test("copy: a request with a certificate goes to the port for certificates, and names one (RFC 8705 §5)", async () => {
  await using world = createWorld(certified);
  const sent = await post(world, "/oauth2/token", ownToken, await certify("CN=app"), {
    host: "as.test:9443",
  });
  assertEquals(sent.status, 200);
  assertStringIncludes(
    copy(world, "curl"),
    "curl -i https://as.test:9443/oauth2/token \\\n  --cert '<certificate>' --key '<key>' \\\n",
  );
});

test("copy: a call with a token that is bound to a certificate names one, whatever the client authenticates by (RFC 8705 §3)", async () => {
  const client = {
    client_id: "app",
    token_endpoint_auth_method: "none",
    tls_client_certificate_bound_access_tokens: true,
    redirect_uris: ["https://app.example/cb"],
  };
  await using world = createWorld({ mtls: { ca: authority.cert, port: 9443 }, clients: [client] });
  const certificate = await certify("CN=app");
  const code = await world.code({ client_id: "app", scope: "openid" });
  const form = {
    ...{ grant_type: "authorization_code", client_id: "app", code },
    ...{ redirect_uri: "https://app.example/cb", code_verifier: verifier },
  };
  const redeemed = await post(world, "/oauth2/token", form, certificate, { host: "as.test:9443" });
  const { access_token: token } = await redeemed.json();
  const headers = { authorization: `Bearer ${token}`, host: "as.test:9443" };
  const sent = await world.fetch(new Request(`${world.issuer}/userinfo`, { headers }), { certificate });
  assertEquals([redeemed.status, sent.status], [200, 200]);
  assertStringIncludes(
    copy(world, "curl"),
    "curl -i https://as.test:9443/userinfo \\\n  --cert '<certificate>' --key '<key>' \\\n",
  );
});

test("copy: a certificate goes to a port of the server, and not to the host that a request names", async () => {
  await using world = createWorld(certified);
  for (const host of ["elsewhere.test:9443", "not a host"]) {
    await post(world, "/oauth2/token", ownToken, await certify("CN=app"), { host });
    assertStringIncludes(copy(world, "curl"), "curl -i https://as.test/oauth2/token ", host);
  }
});

it("copy: the call of fetch is JavaScript that sends the request", async (world) => {
  await world.get("/userinfo?x=it's", { authorization: "Bearer it's", accept: "application/json" });
  const sent: unknown[] = [];
  const fetch = (...all: unknown[]) => void sent.push(all);
  new Function("fetch", copy(world, "fetch", true).replace("await ", ""))(fetch);
  assertEquals(sent, [["https://as.test/userinfo?x=it's", {
    method: "GET",
    headers: { authorization: "Bearer it's", accept: "application/json" },
    redirect: "manual",
  }]]);
});

it("copy: an .http file has the request line, the headers and the body", async (world) => {
  await world.redeem("x", { code_verifier: undefined });
  assertEquals(
    copy(world, "http"),
    [
      "POST https://as.test/oauth2/token",
      "content-type: application/x-www-form-urlencoded",
      "",
      "grant_type=authorization_code&code=<code>&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&client_id=public",
      "",
    ].join("\n"),
  );
});

it("copy: no value leaves its quotes in a shell, and one that not all shells read alike is left out", async (world) => {
  const readWords = async (hostile: string) => {
    await world.get(`/userinfo?${new URLSearchParams({ client_id: hostile })}`, { accept: hostile });
    const script = copy(world, "curl", true).replace(/^curl/m, "printf '%s\\n'");
    return execFileSync("sh", ["-c", script], { encoding: "utf8" }).trimEnd().split("\n").slice(-1);
  };
  for (const hostile of ["it's", '"; echo INJECTED #$(echo INJECTED)`echo INJECTED`\\ {{x}}']) {
    assertEquals(await readWords(hostile), [`accept: ${hostile}`]);
  }
  for (const hostile of [`'; echo INJECTED #$(echo INJECTED)`, "it's `echo INJECTED`"]) {
    assertEquals(await readWords(hostile), ["<name>: <value>"]);
    assertStringIncludes(
      copy(world, "curl", true),
      "# <name>: <value>: a header of the request. Not all shells read it as it is.\n",
    );
  }
});

const bodies: readonly (readonly [body: string, value: unknown])[] = [
  [`{\n\t"client_name": "Bob's ‘shop’ {{$processEnv HOME}} \u202e"\n}`, {
    client_name: "Bob's ‘shop’ {{$processEnv HOME}} \u202e",
  }],
  [`{"a":{"b":{"c":"  two  spaces  "}}}`, { a: { b: { c: "  two  spaces  " } } }],
];

test("copy: JSON keeps its meaning where its characters mean something in a shell or an editor (RFC 8259 §7)", () => {
  for (const [body, value] of bodies) {
    const [curl, fetch, http] = writeCopies({ method: "POST", url: "https://as.test/", headers: [], body });
    const script = curl!.text.replace(/^curl/m, "printf '%s\\n'");
    const sent = execFileSync("sh", ["-c", script], { encoding: "utf8" }).trimEnd().split("\n").at(-1)!;
    assertEquals(JSON.parse(sent), value);
    assertEquals(JSON.parse(http!.text.split("\n\n")[1]!), value);
    assertFalse(http!.text.includes("{{"));
    assertFalse(/\u202e|headers/.test(fetch!.text), fetch!.text);
  }
});

test("copy: an .http file has no line that an editor replaces, runs or reads from a file", () => {
  const notes: readonly (readonly [url: string, header: string, body: string, lines: readonly string[]])[] = [
    ["https://as.test/?a={{x}}", "{{y}}", "> {% client.log() %}", [
      "https://as.test/?a=%7B%7Bx}}",
      "<value>",
      "<body>",
    ]],
    ["https://as.test/?a=\u202e", "a\u0007b", "< /etc/passwd", [
      "https://as.test/?a=%E2%80%AE",
      "<value>",
      "<body>",
    ]],
    ["https://as.test/", "plain {x}", "### GET http://evil.test", [
      "https://as.test/",
      "plain {x}",
      "<body>",
    ]],
    ["https://as.test/", "plain", "a={{x}}", ["https://as.test/", "plain", "<body>"]],
    ["https://as.test/", "plain", "a\n> {% x %}", ["https://as.test/", "plain", "<body>"]],
    ["https://as.test/", "plain", "{ not JSON", ["https://as.test/", "plain", "{ not JSON"]],
  ];
  for (const [url, header, body, [sentTo, value, sent]] of notes) {
    const copies = writeCopies({ method: "POST", url, headers: [["accept", header]], body });
    assertEquals(
      copies.find(({ kind }) => kind === "http")!.text,
      [`POST ${sentTo}`, `accept: ${value}`, "", sent, ""].join("\n"),
    );
  }
});

test("copy: curl takes the URL as it is, also with brackets and braces", () => {
  for (const [url, isPattern] of [["https://as.test/?a={b,c}", true], ["https://as.test/", false]] as const) {
    const [curl] = writeCopies({ method: "GET", url, headers: [] });
    assertEquals(curl!.text.includes(" --globoff "), isPattern);
  }
});
