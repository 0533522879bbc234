/**
 * `deno task test:kits [NAME ...]`: builds each kit, and runs its tests with the tools of its language. Leaves out the kits
 * whose language is not on this machine, and names them.
 */
import { runDeno, runProgram } from "./run_program.ts";
import { sideBySide } from "../src/ground/values/side_by_side.ts";

type Command = readonly [program: string, ...args: string[]];

interface Kit {
  /** A command that succeeds where the language is. */
  readonly asked: Command;
  /** The commands of a person who works on the kit. They run in its folder, and put what they make into another. */
  steps(made: string): readonly Command[];
}

const kits: Readonly<Record<string, Kit>> = {
  python: {
    asked: ["python3", "-c", "import sys, venv; sys.exit(sys.version_info < (3, 10))"],
    steps: (made) => {
      const python = `${made}/venv/bin/python`;
      const pip: Command = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"];
      return [
        ["python3", "-m", "venv", `${made}/venv`],
        [...pip, "install", "--upgrade", "pip"],
        [...pip, "wheel", "--no-deps", "--wheel-dir", made, "."],
        [...pip, "install", "--find-links", made, "--group", "dev", "pytest-postern[node]"],
        // the tests import the installed wheel, because the sources are in a folder of their own
        [python, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-W", "ignore"],
        [python, "-m", "ruff", "check", "--no-cache"],
        [python, "-m", "ruff", "format", "--check", "--no-cache"],
        [python, "-m", "mypy", "--cache-dir", `${made}/mypy`],
        [python, "-m", "pyright", "--pythonpath", python],
      ];
    },
  },
  java: {
    asked: ["mvn", "--version"],
    steps: (made) => {
      const mvn: Command = ["mvn", "--batch-mode", "--quiet"];
      return [
        [...mvn, `-Dmade=${made}/junit6`, "package", "javadoc:javadoc"],
        [...mvn, `-Dmade=${made}/junit5`, "-Pjunit5", "test"],
      ];
    },
  },
  go: {
    asked: ["go", "version"],
    steps: () => [
      // prints nothing, and fails if a file is not as gofmt writes it
      ["sh", "-c", 'test -z "$(gofmt -l .)" || { gofmt -l .; exit 1; }'],
      ["go", "vet", "./..."],
      ["go", "test", "-count=1", "./..."],
      // the tests with libraries of other people are a module of their own, so that users never download these
      ["go", "-C", "tests", "vet", "./..."],
      ["go", "-C", "tests", "test", "-count=1", "./..."],
    ],
  },
};

async function main(names: readonly string[]): Promise<boolean> {
  const unknown = names.filter((name) => !Object.hasOwn(kits, name));
  if (unknown.length > 0) {
    console.error(`There is no kit ${unknown.join(", ")}: known are ${Object.keys(kits).join(", ")}`);
    return false;
  }
  const made = await runDeno("task", "--quiet", "kits");
  if (!made.success) {
    console.error(made.output);
    return false;
  }
  const chosen = names.length === 0 ? Object.keys(kits) : names;
  const results = await sideBySide(chosen, testKit, navigator.hardwareConcurrency);
  return results.every((each) => each);
}

/** Resolves to whether the kit works, or is left out. */
async function testKit(name: string): Promise<boolean> {
  const { asked: [program, ...args], steps } = kits[name]!;
  if (!await runProgram(program, args).then(({ success }) => success, () => false)) {
    console.log(`left out: ${name}, because this machine has no ${program} that it needs`);
    return true;
  }
  const started = performance.now();
  const folder = await Deno.makeTempDir({ prefix: `postern_kit_${name}_` });
  try {
    for (const step of steps(folder)) {
      const [program, ...args] = step;
      const { success, output } = await runProgram(
        program,
        args,
        // Java finds no file whose name the locale cannot write.
        { PYTHONDONTWRITEBYTECODE: "1", LC_ALL: "C.UTF-8" },
        `kits/${name}`,
      );
      if (success) continue;
      console.error(`${output.trim()}\nnot ok: ${name}: ${step.join(" ")}`);
      return false;
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  console.log(`ok: ${name} (${((performance.now() - started) / 1000).toFixed(0)} s)`);
  return true;
}

if (import.meta.main) Deno.exit(await main(Deno.args) ? 0 : 1);
