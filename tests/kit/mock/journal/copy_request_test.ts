/** The copies of a request: each one sends the same request again when its placeholders are filled. */

import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { execFileSync } from "node:child_process";
import { test } from "../../../runner.ts";
import { basic, inWorld, verifier, type World } from "../../../world.ts";
import { authority, certify, post } from "../../../server/features/mtls/certificates.ts";
import { describeLast } from "./kept_world.ts";

function copy(world: World, kind: "curl" | "fetch" | "http", secrets = false): string {
  return describeLast(world, { secrets }).copies.find((each) => each.kind === kind)!.text;
}

test("copy: a token request as curl has a placeholder for each secret", () =>
  inWorld({}, async (world) => {
    await world.redeem(await world.code());
    assertEquals(
      copy(world, "curl"),
      [
        "curl -i 'https://as.test/oauth2/token' \\",
        "  -H 'content-type: application/x-www-form-urlencoded' \\",
        "  --data-raw 'grant_type=authorization_code&code=<code>&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&" +
        "client_id=public&code_verifier=<code_verifier>'",
      ].join("\n"),
    );
  }));

test("copy: with the key the request is complete, but for the secret of the client", () =>
  inWorld({}, async (world) => {
    const headers = basic("basic", "basic secret: a+b%c");
    await world.redeem(await world.code({ client_id: "basic" }), { client_id: undefined }, headers);
    const text = copy(world, "curl", true);
    assertStringIncludes(text, `code_verifier=${verifier}`);
    assertStringIncludes(text, "authorization: Basic <base64 of basic:client_secret>");
    assertFalse(text.includes(headers.authorization));
  }));

test("copy: a request with a certificate goes to the port for certificates, and names one (RFC 8705 §5)", async () => {
  const client = {
    client_id: "app",
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: "CN=app",
    grant_types: ["client_credentials"],
  };
  await inWorld({ mtls: { ca: authority.cert, port: 9443 }, clients: [client] }, async (world) => {
    const form = { grant_type: "client_credentials", client_id: "app" };
    const sent = await post(world, "/oauth2/token", form, await certify("CN=app"), { host: "as.test:9443" });
    assertEquals(sent.status, 200);
    assertStringIncludes(
      copy(world, "curl"),
      "curl -i 'https://as.test:9443/oauth2/token' \\\n  --cert '<certificate>' --key '<key>' \\\n",
    );
  });
});

test("copy: the call of fetch is JavaScript that sends the request", () =>
  inWorld({}, async (world) => {
    await world.get("/userinfo?x=it's", { authorization: "Bearer it's", accept: "application/json" });
    const sent: unknown[] = [];
    const fetch = (...all: unknown[]) => void sent.push(all);
    new Function("fetch", copy(world, "fetch", true).replace("await ", ""))(fetch);
    assertEquals(sent, [["https://as.test/userinfo?x=it's", {
      method: "GET",
      headers: { authorization: "Bearer it's", accept: "application/json" },
      redirect: "manual",
    }]]);
  }));

test("copy: an .http file has the request line, the headers and the body", () =>
  inWorld({}, async (world) => {
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
  }));

test("copy: no value leaves its quotes in a shell", () =>
  inWorld({}, async (world) => {
    const hostile = `'; echo INJECTED #$(echo INJECTED)\`echo INJECTED\``;
    await world.get(`/userinfo?${new URLSearchParams({ client_id: hostile })}`, { accept: hostile });
    const script = copy(world, "curl", true).replace(/^curl/, "printf '%s\\n'");
    const lines = execFileSync("sh", ["-c", script], { encoding: "utf8" }).trimEnd().split("\n");
    assertEquals(lines.includes(`accept: ${hostile}`), true, lines.join("\n"));
    assertEquals(lines.length, 4);
  }));
