/** Examines programs of other languages by the command line, and writes their cards into docs/cards and docs/api_cards. */
import { cp } from "node:fs/promises";
import { resolve } from "node:path";
import { type ApiBeyond, apisBeyond } from "../tests/kit/examined/apis_beyond.ts";
import {
  type ClientBeyond,
  clientsBeyond,
  type CommandLine,
  languages,
} from "../tests/kit/examined/clients_beyond.ts";
import {
  audience,
  chooseForApi,
  chooseForClient,
  type Examination,
  formatLines,
  keepBeyond,
  longRun,
} from "../tests/kit/examined/examine_library.ts";
import { deno } from "./runtimes.ts";

/** Returns the names of the cards that were left out, because this machine lacks a program. */
export async function makeCardsBeyond(names: readonly string[]): Promise<readonly string[]> {
  const left: string[] = [];
  const make = async (name: string, makeCard: () => Promise<void>) => {
    try {
      await makeCard();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      console.error(`${name}: left out, because this machine lacks a program: ${error.message}`);
      left.push(name);
    }
  };
  for (const name of names) {
    const [client, api] = [clientsBeyond[name], apisBeyond[name]];
    if (client !== undefined) await make(name, () => makeClientCard(name, client));
    if (api !== undefined) await make(name, () => makeApiCard(name, api));
  }
  return left;
}

async function makeClientCard(name: string, client: ClientBeyond): Promise<void> {
  const { command, leaves, runsAlone } = client;
  const prepared = await prepare(client, `beyond/${name}`);
  await using _application = await serve(client.serve, prepared.folder);
  await examine("examine", prepared.folder, [
    ...["--within", `${longRun}`, "--jobs", runsAlone ? "1" : "2"],
    ...["--only", chooseForClient(leaves).join(","), "--", ...command],
  ]);
  await keep(client, prepared, `docs/cards/${name}.json`);
}

async function makeApiCard(name: string, api: ApiBeyond): Promise<void> {
  const { command, flags, omits, program } = api;
  const prepared = await prepare(api, `beyond_apis/${program}`);
  const [own, issuing] = findFreePorts();
  const url = `http://localhost:${own}/orders`;
  const env = { PORT: `${own}`, ISSUER: `http://localhost:${issuing}` };
  await using _api = await serve({ command, url }, prepared.folder, env);
  await examine("examine-api", prepared.folder, [
    ...["--url", url, "--audience", audience, "--port", `${issuing}`, "--wait", `${longRun}`],
    ...["--only", chooseForApi(omits).join(","), ...flags],
  ]);
  await keep(api, prepared, `docs/api_cards/${name}.json`);
}

function findFreePorts(): readonly number[] {
  const listeners = [1, 2].map(() => Deno.listen({ hostname: "localhost", port: 0 }));
  for (const each of listeners) each.close();
  return listeners.map(({ addr: { port } }) => port);
}

interface Prepared {
  /** A copy, in which the program is built. */
  readonly folder: string;
  readonly examination: Examination;
}

async function prepare(
  { prepare, language, package: name, dependsOn }: ClientBeyond | ApiBeyond,
  program: string,
): Promise<Prepared> {
  const { version: versionCommand, versionsOf } = languages[language];
  const languageVersion = await read(versionCommand, ".");
  const folder = `dist/${program}`;
  await Deno.mkdir("dist", { recursive: true });
  await cp(`tests/kit/examined/${program}`, folder, { recursive: true });
  for (const command of prepare) await read(command, folder);
  const packages = [name, ...dependsOn];
  const versions = (await read(versionsOf(packages), folder)).split("\n");
  const [version = "", ...others] = versions.map((each) => each.replace(/^v/, ""));
  if (versions.length !== packages.length) {
    throw new Error(`${program}: ${packages} have the versions ${versions}`);
  }
  return {
    folder,
    examination: {
      language: `${language} ${/\d+(\.\d+)+/.exec(languageVersion)![0]}`,
      version,
      ...(others.length === 0
        ? {}
        : { dependencies: dependsOn.map((each, at) => `${each} ${others[at]}`).join(", ") }),
      date: new Date().toISOString().slice(0, 10),
    },
  };
}

/** The command writes its card into the folder. */
async function examine(
  command: "examine" | "examine-api",
  folder: string,
  args: readonly string[],
): Promise<void> {
  const { code } = await new Deno.Command(deno.path, {
    args: [
      ...["run", "--quiet", "--config", resolve("deno.json"), `-P=${command}`],
      ...[resolve("src/tools/cli/main.ts"), command, "--card", cardFile, ...args],
    ],
    cwd: folder,
    stdin: "null",
    stdout: "null",
  }).spawn().status;
  // 1 says that the program failed somewhere.
  if (code > 1) throw new Error(`${command} ended with exit code ${code}`);
}

const cardFile = "card.json";

async function keep(
  library: ClientBeyond | ApiBeyond,
  { folder, examination }: Prepared,
  file: string,
): Promise<void> {
  const kept = keepBeyond(library, examination, await Deno.readTextFile(`${folder}/${cardFile}`));
  if (kept.problem !== undefined) throw new Error(`${file}: ${kept.problem}`);
  await Deno.writeTextFile(file, formatLines(kept));
  console.log(`${file}: ${kept.rows.length} misbehaviours in the phases ${kept.phases.join(", ")}`);
}

/** Starts the program that runs all the time, if there is one. */
async function serve(
  serve: ClientBeyond["serve"],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable> {
  if (serve === undefined) return { async [Symbol.asyncDispose]() {} };
  if (await answers(serve.url)) throw new Error(`Another program listens at ${serve.url}`);
  const [program, ...args] = serve.command;
  const child = new Deno.Command(program, { args, cwd: folder, env, stdin: "null", stdout: "null" }).spawn();
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
