/** The Redis server of the tests: POSTERN_TEST_REDIS names it, or this module starts it when it is imported. */
import { connect } from "node:net";
import process from "node:process";
import { test } from "../runner.ts";
import { findRedisProblem, startRedis } from "./start_redis.ts";

export interface TestRedis {
  /** The URL of an empty database of its own. */
  readonly url: string;
  /** Empties the database. */
  discard(): Promise<void>;
}

const given = process.env["POSTERN_TEST_REDIS"];
const problem = given === undefined ? findRedisProblem() : undefined;
// Outside the tests, because Deno does not allow that a test leaves a process.
const server = given ?? (problem === undefined ? (await startRedis()).url : undefined);

/** Registers a test that needs Redis. Without a server it is skipped. */
export function testWithRedis(name: string, body: () => Promise<void>): void {
  if (problem === undefined) test(name, body);
  else test.skip(name, problem);
}

export async function openRedis(): Promise<TestRedis> {
  if (server === undefined) throw new Error(`There is no Redis: ${problem}`);
  // A counter in the server, because several processes take databases of it at the same time.
  const number = Number((await ask(server, ["INCR", "postern_test"])).slice(1));
  const url = Object.assign(new URL(server), { pathname: `/${number}` }).href;
  await ask(url, ["FLUSHDB"]);
  return { url, discard: async () => void await ask(url, ["FLUSHDB"]) };
}

/** Sends one command in the database of the URL. Resolves to the first line of the reply. */
async function ask(url: string, command: readonly string[]): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = password === "" ? [] : [
    ["AUTH", ...(username === "" ? [] : [decodeURIComponent(username)]), decodeURIComponent(password)],
  ];
  const commands = [...login, ["SELECT", pathname.slice(1) || "0"], command];
  const socket = connect(Number(port || 6379), hostname);
  try {
    socket.write(commands.map((words) => `${words.join(" ")}\r\n`).join(""));
    let text = "";
    for await (const part of socket.setEncoding("utf8")) {
      text += part;
      const lines = text.split("\r\n").slice(0, commands.length);
      const refusal = lines.find((line) => line.startsWith("-"));
      if (refusal !== undefined) throw new Error(`Redis refuses ${command[0]}: ${refusal}`);
      if (text.split("\r\n").length > commands.length) return lines.at(-1)!;
    }
    throw new Error(`Redis closed the connection: ${text}`);
  } finally {
    socket.destroy();
  }
}
