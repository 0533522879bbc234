/** Examines programs of other languages by the command line, and writes their cards into docs/cards. */
import { cp } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type ClientBeyond,
  clientsBeyond,
  type CommandLine,
  languages,
} from "../tests/kit/examined/clients_beyond.ts";
import { chooseForClient, formatLines, keepClientBeyond } from "../tests/kit/examined/examine_library.ts";
import { deno } from "./runtimes.ts";

const built = "dist/beyond";

// In seconds. The programs wait 10 for an answer, and a busy machine must not change a card.
const within = 60;

/** Returns the names of the cards that were left out, because this machine lacks a program. */
export async function makeCardsBeyond(names: readonly string[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const name of names) {
    try {
      await makeCard(name, clientsBeyond[name]!);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      console.error(`${name}: left out, because this machine lacks a program: ${error.message}`);
      left.push(name);
    }
  }
  return left;
}

async function makeCard(name: string, client: ClientBeyond): Promise<void> {
  const languageVersion = await read(languages[client.language].version, ".");
  const folder = `${built}/${name}`;
  await Deno.mkdir(built, { recursive: true });
  await cp(`tests/kit/examined/beyond/${name}`, folder, { recursive: true });
  for (const command of client.prepare) await read(command, folder);
  const packages = [client.package, ...client.dependsOn];
  const versions = (await read(languages[client.language].versionsOf(packages), folder)).split("\n");
  const [version = "", ...others] = versions.map((each) => each.replace(/^v/, ""));
  if (versions.length !== packages.length) {
    throw new Error(`${name}: ${packages} have the versions ${versions}`);
  }

  await using _application = await serve(client, folder);
  const card = `${folder}/card.json`;
  await examine(client, folder, resolve(card));
  const kept = keepClientBeyond(client, {
    language: `${client.language} ${/\d+(\.\d+)+/.exec(languageVersion)![0]}`,
    version,
    ...(others.length === 0
      ? {}
      : { dependencies: client.dependsOn.map((each, at) => `${each} ${others[at]}`).join(", ") }),
    date: new Date().toISOString().slice(0, 10),
  }, await Deno.readTextFile(card));
  if (kept.problem !== undefined) throw new Error(`${name}: ${kept.problem}`);
  await Deno.writeTextFile(`docs/cards/${name}.json`, formatLines(kept));
  console.log(`${name}: ${kept.rows.length} misbehaviours in the phases ${kept.phases.join(", ")}`);
}

async function examine(
  { command, leaves, runsAlone }: ClientBeyond,
  folder: string,
  card: string,
): Promise<void> {
  const { code } = await new Deno.Command(deno.path, {
    args: [
      ...["run", "--quiet", "--config", resolve("deno.json"), "-P=examine", resolve("src/tools/cli/main.ts")],
      ...["examine", "--card", card, "--within", `${within}`, "--jobs", runsAlone ? "1" : "2"],
      ...["--only", chooseForClient(leaves).join(","), "--", ...command],
    ],
    cwd: folder,
    stdin: "null",
    stdout: "null",
  }).spawn().status;
  // 1 says that the client failed somewhere.
  if (code > 1) throw new Error(`examine ended with exit code ${code}`);
}

/** Starts the application that the command logs in to, if it has one. */
async function serve({ serve }: ClientBeyond, folder: string): Promise<AsyncDisposable> {
  if (serve === undefined) return { async [Symbol.asyncDispose]() {} };
  if (await answers(serve.url)) throw new Error(`Another program listens at ${serve.url}`);
  const [program, ...args] = serve.command;
  const child = new Deno.Command(program, { args, cwd: folder, stdin: "null", stdout: "null" }).spawn();
  let ended = false;
  const end = child.status.then(() => ended = true);
  while (!ended && !await answers(serve.url)) await new Promise((resolve) => setTimeout(resolve, 200));
  if (ended) throw new Error(`${serve.command.join(" ")} has ended at once`);
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await end;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** Resolves to what the command prints. */
async function read([program, ...args]: CommandLine, cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd, stdin: "null" }).output();
  const decoder = new TextDecoder();
  if (!success) {
    throw new Error(`${program} ${args.join(" ")}: ${decoder.decode(stderr)}${decoder.decode(stdout)}`);
  }
  return decoder.decode(stdout).trim();
}
