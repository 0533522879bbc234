/**
 * `deno task bench:kits`: the first test of a session and each later one, with the kits in `kits/` and with the mocks of
 * their languages. With `--write`, the figures replace those in docs/performance.md. Needs Linux, Python 3.12, Java 17, Maven
 * and Go.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import project from "../deno.json" with { type: "json" };
import { median } from "./bench/statistics.ts";
import { fixed, formatTable, type Table, whole } from "./bench/table.ts";
import { table } from "./reference/markdown.ts";
import { rewritePage } from "./replace_parts.ts";
import { runProgram } from "./run_program.ts";

const programs = "scripts/bench/kits";
const root = Deno.cwd();

const { values: flags } = parseArgs({
  options: {
    python: { type: "string", default: "python3" },
    runs: { type: "string", default: "5" },
    tests: { type: "string", default: "100" },
    write: { type: "boolean", default: false },
  },
});
const runs = Number(flags.runs), tests = Number(flags.tests);

interface Contestant {
  readonly language: string;
  readonly name: string;
  readonly isKit?: true;
  readonly folder: string;
  readonly command: readonly string[];
}

/** In milliseconds. */
interface Effort {
  readonly time: number;
  readonly cpu: number;
}

interface Result extends Contestant {
  /** Of the whole command with one test. */
  readonly first: Effort;
  /** Of each further test of the same command. */
  readonly later: Effort;
}

const withoutServer = "a test without a server";

async function run(program: string, args: readonly string[], folder = root): Promise<string> {
  const { success, output } = await runProgram(program, args, {}, folder);
  if (!success) throw new Error(`${program} ${args.join(" ")}\n${output}`);
  return output;
}

async function preparePython(made: string): Promise<readonly Contestant[]> {
  const python = `${made}/venv/bin/python`;
  await run(flags.python, ["-m", "venv", `${made}/venv`]);
  const pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"];
  await run(python, [...pip, "wheel", "--no-deps", "--wheel-dir", made, `${root}/kits/python`]);
  const wheel = `${made}/pytest_postern-${project.version}-py3-none-any.whl`;
  await run(python, [...pip, "install", wheel, "oidc-provider-mock==0.4.8", "pytest-iam==0.3.0"]);
  const pytest = (name: string, file: string, plugin?: string): Contestant => ({
    language: "Python",
    name,
    folder: `${root}/${programs}/python`,
    // each command loads one plugin, and not those of its neighbours
    command: [
      ...["env", "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1", "PYTHONDONTWRITEBYTECODE=1", python, "-m", "pytest"],
      ...["-q", "-p", "no:cacheprovider", "-W", "ignore"],
      ...plugin === undefined ? [] : ["-p", plugin],
      file,
    ],
  });
  return [
    pytest(withoutServer, "test_none.py"),
    { ...pytest("pytest-postern", "test_postern.py", "pytest_postern.plugin"), isKit: true },
    pytest("oidc-provider-mock 0.4.8", "test_oidc_provider_mock.py"),
    pytest("oidc-provider-mock 0.4.8, shared", "test_oidc_provider_mock_shared.py"),
    pytest("pytest-iam 0.3.0, shared", "test_pytest_iam.py", "pytest_iam"),
  ];
}

async function prepareJava(made: string): Promise<readonly Contestant[]> {
  const mvn = ["--batch-mode", "--quiet", "--file"];
  await run("mvn", [...mvn, "kits/java/pom.xml", `-Dmade=${made}/kit`, "package", "-DskipTests"]);
  const at = `${programs}/java`;
  await run("mvn", [...mvn, `${at}/pom.xml`, "dependency:build-classpath", `-Dmdep.outputFile=${made}/path`]);
  const libraries = (await Deno.readTextFile(`${made}/path`)).trim();
  const path = `${made}/classes:${made}/kit/postern-junit-${project.version}.jar:${libraries}`;
  const sources = [...Deno.readDirSync(`${at}/src/test/java`)].map(({ name }) =>
    `${at}/src/test/java/${name}`
  );
  await run("javac", ["-d", `${made}/classes`, "-cp", path, ...sources]);
  const junit = (name: string, test: string): Contestant => ({
    language: "Java",
    name,
    folder: made,
    command: [
      ...["java", "-cp", path, "org.junit.platform.console.ConsoleLauncher", "execute"],
      ...["-c", test, "--details=none"],
    ],
  });
  return [
    junit(withoutServer, "NoneTest"),
    { ...junit("postern-junit", "PosternLoginTest"), isKit: true },
    junit("mock-oauth2-server 6.0.2", "NaviktTest"),
    junit("mock-oauth2-server 6.0.2, shared", "NaviktSharedTest"),
  ];
}

async function prepareGo(made: string): Promise<readonly Contestant[]> {
  for (const name of ["go.mod", "go.sum", "login_test.go"]) {
    await Deno.copyFile(`${programs}/go/${name}`, `${made}/${name}`);
  }
  await run("go", ["mod", "edit", `-replace=github.com/postern/postern/kits/go=${root}/kits/go`], made);
  await run("go", ["test", "-c", "-o", "bench.test"], made);
  const [, version] = /mockoidc (\S+)/.exec(await Deno.readTextFile(`${made}/go.mod`))!;
  const go = (name: string, test: string): Contestant => ({
    language: "Go",
    name,
    folder: made,
    command: ["./bench.test", "-test.run", `^${test}$`],
  });
  return [
    go(withoutServer, "TestNone"),
    { ...go("kits/go", "TestPostern"), isKit: true },
    go(`mockoidc ${version}`, "TestMockoidc"),
    go(`mockoidc ${version}, shared`, "TestMockoidcShared"),
  ];
}

async function measure({ folder, command }: Contestant, count: number): Promise<Effort> {
  const { success, stdout, stderr } = await new Deno.Command(flags.python, {
    args: [`${root}/${programs}/measure.py`, ...command],
    cwd: folder,
    env: { BENCH_TESTS: `${count}`, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (!success) throw new Error(`${command.join(" ")}\n${new TextDecoder().decode(stderr)}`);
  const [seconds, used] = new TextDecoder().decode(stdout).trim().split(" ").map(Number);
  return { time: seconds! * 1000, cpu: used! * 1000 };
}

/** All take turns, so that a change in the speed of the machine affects all of them. Reports after each turn. */
async function measureAll(
  contestants: readonly Contestant[],
  report: (results: readonly Result[], turns: number) => Promise<void>,
): Promise<void> {
  const measured = contestants.map((contestant) => ({
    contestant,
    first: [] as Effort[],
    later: [] as Effort[],
  }));
  const middle = (efforts: readonly Effort[]): Effort => ({
    time: median(efforts.map(({ time }) => time))!,
    cpu: median(efforts.map(({ cpu }) => cpu))!,
  });
  for (let turn = 1; turn <= runs; turn++) {
    for (const { contestant, first, later } of measured) {
      console.error(`… ${turn} of ${runs}: ${contestant.language}, ${contestant.name}`);
      const one = await measure(contestant, 1), all = await measure(contestant, tests + 1);
      first.push(one);
      later.push({ time: (all.time - one.time) / tests, cpu: (all.cpu - one.cpu) / tests });
    }
    const results = measured.map(({ contestant, first, later }) => ({
      ...contestant,
      first: middle(first),
      later: middle(later),
    }));
    await report(results, turn);
  }
}

/** Names what takes a kit more processor time than a mock of its language. */
function listSlower(results: readonly Result[]): readonly string[] {
  return results.filter(({ isKit }) => isKit).flatMap((kit) =>
    (["first", "later"] as const).flatMap((test) => {
      const mocks = results.filter(({ language, name, isKit, [test]: { cpu } }) =>
        language === kit.language && name !== withoutServer && !isKit && cpu < kit[test].cpu
      );
      if (mocks.length === 0) return [];
      const than = mocks.map(({ name, [test]: { cpu } }) => `${name} (${fixed(cpu, 1)} ms)`).join(" and ");
      const which = test === "first" ? "The first test of a session" : "Each later test";
      return [
        `- ${kit.language}: ${which.toLowerCase()} takes ${fixed(kit[test].cpu, 1)} ms, more than ${than}.`,
      ];
    })
  );
}

function writeTable(results: readonly Result[], turns: number): Table {
  return {
    caption: `The first test of a session and each later one, with a login: ${
      turns === 1 ? "one run" : `median of ${turns} runs`
    }`,
    columns: ["test with", "first, ms", "first, CPU ms", "later, ms", "later, CPU ms"],
    rows: results.map(({ language, name, first, later }) => [
      `${language}, ${name}`,
      ...[whole(first.time), whole(first.cpu), fixed(later.time, 1), fixed(later.cpu, 1)],
    ]),
  };
}

async function report(results: readonly Result[], turns: number): Promise<void> {
  const { caption, columns, rows } = writeTable(results, turns);
  const slower = listSlower(results);
  console.log(`${slower.join("\n")}\n\n${formatTable({ caption, columns, rows })}`);
  if (!flags.write) return;
  const part = [
    ...slower.length === 0
      ? []
      : ["More processor time than a mock of the same language:", slower.join("\n")],
    await describeMachine(),
    `${caption}:`,
    table(columns, rows),
  ];
  await rewritePage("docs/performance.md", "bench:kits", new Map([["kits", part.join("\n\n")]]));
}

async function describeMachine(): Promise<string> {
  const versions = await Promise.all([
    run(flags.python, ["--version"]),
    run("java", ["--version"]).then((text) => text.replace(/^openjdk (\S+)[^]*/, "Java $1")),
    run("go", ["version"]).then((text) => text.replace(/^go version go(\S+)[^]*/, "Go $1")),
    run("node", ["--version"]).then((text) => `the servers of the kits on Node ${text.trim().slice(1)}`),
  ]);
  const machine = `${cpus().length} cores, ${cpus()[0]?.model}`;
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} with ${
      versions.map((each) => each.trim()).join(", ")
    };`,
    `${machine}; ${tests} later tests in each run; load average ${Deno.loadavg()[0]!.toFixed(1)} at the end.`,
  ].join(" ");
}

const made = await Deno.makeTempDir({ prefix: "postern-bench-kits-" });
try {
  await run(Deno.execPath(), ["task", "--quiet", "kits"]);
  const contestants: Contestant[] = [];
  for (const [name, prepare] of Object.entries({ python: preparePython, java: prepareJava, go: prepareGo })) {
    console.error(`… preparing ${name}`);
    await Deno.mkdir(`${made}/${name}`);
    contestants.push(...await prepare(`${made}/${name}`));
  }
  await measureAll(contestants, report);
} finally {
  await Deno.remove(made, { recursive: true });
}
