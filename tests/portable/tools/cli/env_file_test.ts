/** The printed .env file: each of its readers takes its values as the configuration has them. */

import { assertEquals } from "@std/assert";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import process from "node:process";
import dotenv from "dotenv";
import { expand } from "dotenv-expand";
import { describeApplication } from "../../../../src/tools/cli/forms/application.ts";
import { defaultFeatures } from "../../../../src/server/features/mod.ts";
import { readSettings } from "../../../../src/server/setup/read_settings.ts";
import { gatherSlots } from "../../../../src/server/slots.ts";
import { inFolder } from "../../../in_folder.ts";
import { runtime, test } from "../../../runner.ts";

const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));

const ids: readonly string[] = [
  ...printable.flatMap((each) => [`${each}b`, `a${each}b`, `a${each}`, `a ${each}${each} b`, `it's${each}`]),
  ..."$HOME ${HOME} ${A:-x} $(id) `id` a\\nb a\\$b a\\'b a#b a=b export ~ * a;id a&&id a|id a>b '\" \"x\" 'x'"
    .split(" "),
];

/** The lines of a client's id, each with a name of its own. */
function printEnv(): readonly string[] {
  return ids.map((client_id, at) => {
    const configuration = { clients: [{ client_id, redirect_uris: ["https://shop.example/cb"] }] };
    const settings = readSettings(configuration, gatherSlots(defaultFeatures(configuration)));
    const lines = describeApplication("env", settings, configuration);
    return lines.find((line) => line.includes("OAUTH_CLIENT_ID"))!.replace("OAUTH_CLIENT_ID", `ID_${at}`);
  });
}

const program = "for (const name in process.env) if (name.startsWith('ID_')) " +
  "console.log(name + ' ' + encodeURIComponent(process.env[name]))";

/** How the programs of this runtime read such a file. */
const flags: Readonly<Partial<Record<typeof runtime, (file: string) => readonly string[]>>> = {
  deno: (file) => ["eval", `--env-file=${file}`, `import process from "node:process"; ${program}`],
  node: (file) => [`--env-file=${file}`, "-e", program],
  bun: (file) => [`--env-file=${file}`, "-e", program],
};

type Values = Readonly<Record<string, string | undefined>>;

const readers: readonly (readonly [name: string, read: (file: string, text: string) => Values])[] = [
  ["dotenv", (_file, text) => dotenv.parse(text)],
  ["dotenv-expand", (_file, text) => expand({ parsed: dotenv.parse(text), processEnv: {} }).parsed ?? {}],
  ["a POSIX shell", (file) => {
    const script = `set -a; . "${file}"; exec "${process.execPath}" "$@"`;
    const evaluate = runtime === "deno"
      ? ["eval", `import process from "node:process"; ${program}`]
      : ["-e", program];
    return readPrinted(execFileSync("sh", ["-eu", "-c", script, "sh", ...evaluate], { encoding: "utf8" }));
  }],
  [
    runtime,
    (file) => readPrinted(execFileSync(process.execPath, flags[runtime]!(file), { encoding: "utf8" })),
  ],
];

function readPrinted(text: string): Values {
  return Object.fromEntries(
    text.trimEnd().split("\n").map((line) => line.split(" "))
      .map(([name = "", value = ""]) => [name, decodeURIComponent(value)]),
  );
}

for (const [name, read] of readers) {
  test(`application: ${name} reads the printed .env file as it is meant, and what it could not is left out`, () =>
    inFolder(async (path) => {
      const lines = printEnv();
      const text = `${lines.join("\n")}\n`;
      await writeFile(path(".env"), text);
      const written = ids.flatMap((id, at) => lines[at]!.startsWith(`ID_${at}=`) ? [[`ID_${at}`, id]] : []);
      assertEquals(read(path(".env"), text), Object.fromEntries(written));
    }));
}

test("application: the printed .env file leaves out only what some reader would replace or end, and says so", () => {
  const lines = printEnv();
  for (const [at, id] of ids.entries()) {
    const isLeftOut = /[$\\]/.test(id) || id.includes("'") && /["`!]/.test(id);
    assertEquals(
      lines[at]!.startsWith("#"),
      isLeftOut,
      id,
    );
    if (isLeftOut) {
      assertEquals(
        lines[at],
        `# ID_${at} is left out, because not all programs read it as it is. The configuration of the server has it.`,
      );
    }
  }
});
