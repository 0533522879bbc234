/** Flows behind a load balancer, whose two servers are restarted in turn. */

import { assert, assertEquals } from "@std/assert";
import { Agent, request } from "node:http";
import { findFreePort } from "../free_port.ts";
import { challenge, encodeForm, type Params, verifier } from "../world.ts";
import { createProgram, type Running, start } from "../cli/command.ts";

const workers = 3;
const redirectUri = "http://127.0.0.1:4000/cb";
const client = { client_id: "app", redirect_uri: redirectUri };

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: Readonly<Record<string, string>>;
}

/** Sends a request to the next server. Moves on if the connection is refused or the answer is 503, and otherwise never. */
type Balancer = (path: string, form?: Params) => Promise<Answer>;

function createBalancer(ports: readonly number[], host: string, agent: Agent): Balancer {
  let turn = 0;
  return async (path, form) => {
    for (;;) {
      const port = ports[turn++ % ports.length]!;
      try {
        const answer = await send(port, path, form, host, agent);
        if (answer.status !== 503) return answer;
      } catch (error) {
        // After any other error the request may have arrived.
        if ((error as { code?: string }).code !== "ECONNREFUSED") throw error;
      }
    }
  };
}

function send(
  port: number,
  path: string,
  form: Params | undefined,
  host: string,
  agent: Agent,
): Promise<Answer> {
  const headers = { host, ...(form && { "content-type": "application/x-www-form-urlencoded" }) };
  const method = form === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent }, async (response) => {
      try {
        let text = "";
        for await (const part of response.setEncoding("utf8")) text += part;
        const isJson = response.headers["content-type"]?.startsWith("application/json") ?? false;
        const body = isJson ? JSON.parse(text) : {};
        resolve({ status: response.statusCode!, location: response.headers.location, body });
      } catch (error) {
        reject(error);
      }
    });
    sent.on("error", reject).end(form === undefined ? undefined : encodeForm(form));
  });
}

/** A login, two refreshes with a rotated token each, and the end of the grant. */
async function runFlow(ask: Balancer): Promise<void> {
  const asked = {
    ...client,
    response_type: "code",
    scope: "openid",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  const { status, location } = await ask(`/oauth2/authorize?${encodeForm(asked)}`);
  assertEquals(status, 303);
  const code = new URL(location!).searchParams.get("code");
  assert(code !== null, location);
  const form = { grant_type: "authorization_code", ...client, code, code_verifier: verifier };
  let tokens = await ask("/oauth2/token", form);
  assertEquals(tokens.status, 200, JSON.stringify(tokens.body));
  for (let count = 0; count < 2; count++) {
    const refresh_token = tokens.body["refresh_token"]!;
    tokens = await ask("/oauth2/token", {
      grant_type: "refresh_token",
      client_id: client.client_id,
      refresh_token,
    });
    assertEquals(tokens.status, 200, JSON.stringify(tokens.body));
  }
  const ended = { token: tokens.body["refresh_token"]!, client_id: client.client_id };
  assertEquals((await ask("/oauth2/revoke", ended)).status, 200);
}

export interface RestartTerms {
  /** The store, as `POSTERN_STORE` names it. */
  readonly url: string;
  readonly restarts: number;
  /** The program of the servers. Default: the command line of this test. */
  readonly create?: typeof createProgram;
}

export interface RestartResult {
  readonly flows: number;
  readonly failures: readonly string[];
}

/** Restarts two servers in turn, while clients run flows behind a balancer. */
export async function restartInTurn(
  { url, restarts, create = createProgram }: RestartTerms,
): Promise<RestartResult> {
  const ports = [await findFreePort(), await findFreePort()];
  const issuer = `http://localhost:${ports[0]}`;
  const startOn = async (port: number): Promise<Running> => {
    const args = ["start", "--port", `${port}`, "--issuer", issuer, "--alg", "ES256", "--login", "auto"];
    const server = start(args, create(args, { POSTERN_STORE: url }));
    await server.printed(/^ {2}Issuer\s/m);
    return server;
  };
  const servers = await Promise.all(ports.map(startOn));
  const agent = new Agent({ keepAlive: true });
  const ask = createBalancer(ports, new URL(issuer).host, agent);
  let flows = 0, isOver = false;
  const failures: string[] = [];
  const work = async () => {
    while (!isOver) {
      try {
        await runFlow(ask);
        flows++;
      } catch (error) {
        failures.push(`${error}`);
      }
    }
  };
  const working = Array.from({ length: workers }, work);
  const moreFlows = async () => {
    const before = flows + failures.length;
    while (flows + failures.length < before + workers) await new Promise((wait) => setTimeout(wait, 10));
  };
  try {
    for (let restart = 0; restart < restarts; restart++) {
      await moreFlows();
      servers[restart % 2]!.signal("SIGTERM");
      const { code, stderr } = await servers[restart % 2]!.ended;
      assertEquals(code, 0, stderr);
      await moreFlows();
      servers[restart % 2] = await startOn(ports[restart % 2]!);
    }
    await moreFlows();
  } finally {
    isOver = true;
    await Promise.all(working);
    agent.destroy();
    for (const server of servers) server.signal("SIGINT");
    await Promise.all(servers.map(({ ended }) => ended));
  }
  return { flows, failures };
}
