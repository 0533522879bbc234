/** `postern mcp`: an agent uses a server over standard input and output. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import process from "node:process";
import { mcp } from "../../../src/tools/cli/commands/mcp.ts";
import { findFreePort } from "../../free_port.ts";
import { test } from "../../runner.ts";
import { challenge } from "../../world.ts";
import { type Agent, connectAgent } from "../agent.ts";
import { complaintOf, createProgram } from "./command.ts";
import { withServer } from "./in_process.ts";

const { command: [program, ...before] } = createProgram(["mcp"]);

test("mcp: it starts a server, of which only the protocol is on standard output, and ends with the agent", async () => {
  const port = await findFreePort();
  const child = spawn(program, [...before, "mcp", "--port", `${port}`], { stdio: "pipe" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors += text);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return JSON.parse(`${(await lines.next()).value}`);
  };
  const clientInfo = { name: "broken", version: "1" };
  await send(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  child.stdin.write('no JSON\n{"jsonrpc":"2.0"}\n\n');
  const login = await send(2, "tools/call", { name: "log_in", arguments: { username: "bob" } });
  assertMatch(login.result.content[0].text, /"access_token":"eyJ/);
  const paths = ["/_postern/clock", "/oauth2/authorize?client_id=unknown"];
  const answers = await Promise.all(paths.map((path) => fetch(`http://localhost:${port}${path}`)));
  await Promise.all(answers.map((each) => each.text()));
  assertEquals(answers.map(({ status }) => status), [401, 400]);
  child.stdin.end();
  assertEquals([await ended, (await lines.next()).done], [0, true]);
  assertEquals(errors, `postern: an agent uses http://localhost:${port}\n`);
});

/** Ends the program itself, because the transport would leave a timer. */
async function play(issuer: string, env: Record<string, string>, work: (agent: Agent) => Promise<void>) {
  const options = { command: program, args: [...before, "mcp", "--issuer", issuer] };
  const all = { ...process.env as typeof env, ...env };
  const transport = new StdioClientTransport({ ...options, stderr: "ignore", env: all });
  const agent = await connectAgent(transport);
  const closed = new Promise<void>((resolve) => agent.client.onclose = resolve);
  await work(agent).finally(() => process.kill(transport.pid!, "SIGTERM"));
  await closed;
}

test("mcp: with --issuer, the same tools use a running server, with its token from the environment", async () => {
  const token = "correct-horse-battery";
  await withServer(["--control", token], async ({ issuer, port }) => {
    await play(issuer, { POSTERN_CONTROL_TOKEN: token }, async ({ call, read, client }) => {
      const { json: { access_token } } = await call("log_in", { username: "bob" });
      const { json: { isValid, claims } } = await call("judge_token", { token: access_token });
      assertEquals([isValid, claims.sub, claims.iss], [true, "bob", issuer]);
      for (const misbehaviour of ["../people/alice", "../people/alice?", "x/../../people/alice"]) {
        assertMatch(
          (await call("end_misbehaviour", { misbehaviour })).texts.join(),
          /There is no misbehaviour/,
        );
      }
      assert((await read("configuration")).includes('\\"username\\":\\"alice\\"'));
      const journal = await read("journal");
      assert(journal.includes('\\"person\\":\\"bob\\"') && !journal.includes(access_token));
      const command = [process.execPath, "eval", "throw new Error('no such file')"];
      const args = { command, only: ["id_token.alg_none"] }, messages: (string | undefined)[] = [];
      const onprogress = ({ message }: { message?: string | undefined }) => void messages.push(message);
      const { content } = await client.callTool({ name: "examine_command", arguments: args }, { onprogress });
      assertEquals(messages, ["Two runs while the server is right:"]);
      const redirectUri = `${issuer}/authorized`;
      const terms = {
        client_id: "demo",
        redirect_uri: redirectUri,
        response_type: "code",
        code_challenge: challenge,
      };
      const query = new URLSearchParams({ ...terms, code_challenge_method: "S256" });
      const visited = await call("visit", { url: `${issuer}/oauth2/authorize?${query}`, username: "bob" });
      assert(visited.json.url.startsWith(`${redirectUri}?code=`) && visited.json.problem === undefined);
      assertMatch(
        JSON.stringify(content),
        /examine_command: the command fails although the server is right[^]*no such file/,
      );
    });
    await play(issuer, {}, async ({ call }) => {
      assertMatch((await call("show_settings")).texts.join(), /The control plane needs its token/);
    });
    assertMatch(await complaintOf(mcp, "--port", `${port}`), /is taken .* mcp --issuer URL/);
    const complaint = await complaintOf(mcp, "--issuer", issuer, "--port", `${port}`);
    assertMatch(complaint, /^2: --issuer names a server/);
  });
});
