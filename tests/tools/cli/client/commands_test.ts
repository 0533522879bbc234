/** What commands print, send and refuse. A table stands in for the server. */

import { assertEquals } from "@std/assert";
import process from "node:process";
import { test } from "../../../runner.ts";
import { program } from "../command.ts";
import { run, withEnvironment } from "../in_process.ts";
import { readList } from "../assert_kept.ts";
import { replaceGlobals } from "../../../replace_globals.ts";

const issuer = "http://localhost:9000";
/** By the path of the request: JSON, a page, a redirect after `>`, a status, or nothing at all. Others are not found. */
type Replies = Readonly<Record<string, Readonly<Record<string, unknown>> | string | number | null>>;

const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  device_authorization_endpoint: `${issuer}/device`,
  pushed_authorization_request_endpoint: `${issuer}/par`,
  dpop_signing_alg_values_supported: ["ES256"],
};
const place = "/.well-known/oauth-authorization-server";
const usual: Replies = {
  "/authorize": "> ?code=c&state=STATE&iss=http://localhost:9000",
  "/token": { access_token: "a-token", token_type: "Bearer" },
  "/device": {
    device_code: "d",
    user_code: "U-1",
    verification_uri: `${issuer}/device`,
    expires_in: 9,
    interval: 0.01,
  },
  "/par": { request_uri: "urn:a" },
  "/cb": "Hello",
  "/health": { status: "ok" },
  "/ready": { status: "ready" },
};

/** Leaves out random values, times and the folder. */
const shown = (text: string) =>
  text.replaceAll(program, "deno task").replace(/=[\w-]{22,43}(?=&|$)/gm, "=…").replace(
    /\beyJ[\w.-]+/g,
    "JWT",
  ).replaceAll("\x1b", "ESC")
    .replace(/"time":"[^"]+"/g, '"time":"…"').replaceAll(`${process.cwd()}/`, "");

/** Answers as the table says, and writes down what is asked. */
function createFetch(replies: Replies, asked: string[]): typeof fetch {
  let state = "";
  let back = "";
  return (input, { method = "GET", body = "", headers = {} } = {}) => {
    const url = new URL(`${input}`);
    const sent = [...new Headers(headers)].map(([name, value]) => value && `(${name}: ${value})`);
    const parts = [method, decodeURI(`${url}`), ...sent, decodeURIComponent(`${body}`)];
    asked.push(shown(parts.filter(Boolean).join(" ")));
    const params = new URLSearchParams(`${url.search.slice(1)}&${body}`);
    state = params.get("state") ?? state;
    back = params.get("redirect_uri") ?? back;
    const reply = Object.hasOwn(replies, url.pathname) ? replies[url.pathname]! : 404;
    if (reply === null) return Promise.reject(new Error("connection refused"));
    if (typeof reply === "number") return Promise.resolve(new Response("", { status: reply }));
    if (typeof reply === "object") {
      const status = Number(reply["STATUS"] ?? ("error" in reply ? 400 : 200));
      return Promise.resolve(Response.json(reply, { status }));
    }
    if (!reply.startsWith("> ")) return Promise.resolve(new Response(reply));
    const location = reply.slice(2).replace("STATE", state).replace(/^(?=[?#])/, back);
    return Promise.resolve(new Response(null, { status: 303, headers: { location } }));
  };
}

async function play(command: string, replies: Replies): Promise<string> {
  // A value may have several words, with a tilde between them.
  const args = command.split(" ").map((word) => word.replaceAll("~", " "));
  const asked: string[] = [];
  const known = { ...metadata, ...Object(replies["metadata"]) };
  using _ = replaceGlobals({ fetch: createFetch({ ...usual, [place]: known, ...replies }, asked) });
  const { code, stdout, stderr } = await run(...args);
  return [...asked, ...shown(stdout + stderr).trimEnd().split("\n"), `exit code ${code}`].join("\n");
}

/** Where a line ends depends on the name by which the program was started. */
const wordsOf = (text: string) => text.split(/\s+/);

for (const [given = "", ...expected] of readList("commands")) {
  test(`commands: ${given}`, () =>
    withEnvironment({ GITHUB_ACTIONS: "", INIT_CWD: process.cwd() }, async () => {
      const [command = "", replies = "{}"] = given.split(/ (?=\{)/);
      assertEquals(wordsOf(await play(command, JSON.parse(replies))), wordsOf(expected.join("\n")));
    }));
}
