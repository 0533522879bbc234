/** The second factor of a demo person behind a tunnel: no page, log and journal has the code (RFC 4226 §7). */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { request as sendRequest } from "node:http";
import { createVisitor } from "../../portable/server/clients/visitor.ts";
import { createFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";
import { withServer } from "./in_process.ts";

/** Sends a request as the end of a tunnel on this machine does, with the `Host` that it passes on. */
async function send(port: number, host: string, added: Readonly<Record<string, string>>, asked: Request) {
  const { pathname, search } = new URL(asked.url);
  const body = await asked.text();
  const headers = { accept: "text/html", ...Object.fromEntries(asked.headers), ...added, host };
  return await new Promise<Response>((resolve, reject) => {
    const sent = sendRequest(
      { host: "127.0.0.1", port, path: pathname + search, method: asked.method, headers },
      (answer) => {
        const chunks: string[] = [];
        answer.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk)).on("end", () => {
          const lines = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value])
          );
          resolve(new Response(chunks.join("") || null, { status: answer.statusCode!, headers: lines }));
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const publicName = "https://pony.tunnel.example";

const token = "a-token-of-the-control-plane";

interface Tunnel {
  readonly flags?: readonly string[];
  /** Absent: the demo people. */
  readonly people?: readonly object[];
  readonly host?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: the page asks for the code, and does not show it. */
  readonly outcome?: "shown" | "refused";
}

const tunnels: Readonly<Record<string, Tunnel>> = {
  "without a tunnel, the page shows the code": { headers: {}, outcome: "shown" },
  "without a tunnel, the page shows no code of a person of the configuration": {
    people: [{ username: "alice", secondFactor: { kind: "totp" } }],
    headers: {},
  },
  "a server that other machines reach": {
    flags: ["--host", "0.0.0.0", "--issuer", "http://localhost:9000", "--expose-demo"],
    headers: {},
  },
  "a tunnel that passes its own Host gets nothing": {
    host: "pony.tunnel.example",
    headers: {},
    outcome: "refused",
  },
  "a tunnel that writes the Host anew, and X-Forwarded-For": {
    headers: { "x-forwarded-for": "203.0.113.9" },
  },
  "a tunnel that writes the Host anew, and X-Forwarded-Host": {
    headers: { "x-forwarded-host": "pony.tunnel.example", "x-forwarded-proto": "https" },
  },
  "a tunnel that writes the Host anew, and Forwarded": {
    headers: { forwarded: "for=203.0.113.9;proto=https" },
  },
  "a tunnel that writes the Host anew, and CF-Connecting-IP": {
    headers: { "cf-connecting-ip": "203.0.113.9" },
  },
  "a tunnel whose name programs use, with its own Host": {
    flags: ["--also", publicName, "--expose-demo"],
    host: "pony.tunnel.example",
    headers: {},
    outcome: "refused",
  },
  "a tunnel whose name programs use, with the Host written anew": {
    flags: ["--also", publicName, "--expose-demo"],
    headers: {},
  },
  "a tunnel whose name is the issuer": {
    flags: ["--issuer", publicName, "--expose-demo"],
    host: "pony.tunnel.example",
    headers: {},
  },
  "a tunnel whose name is the issuer, with the Host written anew": {
    flags: ["--issuer", publicName, "--expose-demo"],
    headers: {},
  },
};

for (const [name, { people, flags = [], host, headers, outcome }] of Object.entries(tunnels)) {
  test(`second factor, tunnel: ${name}`, async () => {
    const secrets: string[] = [];
    await using path = await createFolder();
    if (people !== undefined) await writeFile(path("people.json"), JSON.stringify({ people }));
    const file = people === undefined ? [] : ["--people", path("people.json")];
    const { stdout, stderr } = await withServer(
      [`--control=${token}`, "--login", "auto", ...file, ...flags],
      async ({ port, issuer, ...running }) => {
        const control = async (path: string, body?: object) => {
          const response = await fetch(`http://127.0.0.1:${port}/_postern${path}`, {
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            ...(body && { method: "POST", body: JSON.stringify(body) }),
          });
          assertEquals(response.status, 200);
          return await response.text();
        };
        const visitor = createVisitor({
          send: (asked) => send(port, host ?? `localhost:${port}`, headers, asked),
          serves: ({ pathname }) => !pathname.startsWith("/callback"),
        });
        const url = new URL("/oauth2/authorize", issuer);
        url.search = `${new URLSearchParams({
          ...{ client_id: "demo", response_type: "code", scope: "openid", acr_values: "mfa" },
          ...{ redirect_uri: `${issuer}/authorized`, code_challenge_method: "S256" },
          code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        })}`;
        const first = await visitor.open(url);
        const pages = [first.html];
        if (outcome === "refused") {
          assertEquals(first.status, 421);
        } else {
          assertStringIncludes(first.html, 'id="code"');
          pages.push((await visitor.press(first, "continue", { code: "abc" })).html);
        }
        const { code } = JSON.parse(await control("/code_of", { username: "alice" }));
        const { secret } = JSON.parse(await control("/authenticator_of", { username: "alice" }));
        assertMatch(`${code} ${secret}`, /^\d{6} [A-Z2-7]{16,}$/);
        secrets.push(code, secret);
        assertEquals(pages.some((page) => page.includes(code)), outcome === "shown");
        assertFalse(pages.some((page) => page.includes(secret)));
        for (const path of ["/requests", "/timeline", "/explain"]) {
          const text = await control(path);
          for (const each of secrets) assertFalse(text.includes(each), path);
        }
        assert(running.stdout().includes("authorize"), "the log has the requests");
      },
    );
    for (const each of secrets) assertFalse((stdout + stderr).includes(each));
  });
}
