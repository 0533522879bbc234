/** Makes the server as one JavaScript file, which every kit carries and starts. Node 20.12, Deno and Bun run it. */
import type { Plugin } from "esbuild";
import { dirname } from "node:path";
import { bundleCommand } from "../bundle.ts";
import { onlyVersion } from "../package/only_version.ts";

export const serverFile = "kits/server/postern.mjs";

/** In octets. A wheel, a jar and a Go module each have the file. */
const mostOctets = 2_480_000;

export async function bundleServer(version: string, outfile: string = serverFile): Promise<void> {
  await bundleCommand({
    outfile,
    conditions: ["node", "module"],
    minify: true,
    charset: "utf8",
    plugins: [onlyVersion(version), onlyStart],
  });
  const { size } = await Deno.stat(outfile);
  if (size > mostOctets) throw new Error(`${outfile} has ${size} octets: more than ${mostOctets}`);
  console.log(`${outfile}: ${(size / 1e6).toFixed(2)} MB`);
}

/** In place of what a kit never runs: it starts the server, and has its own words for the rest. */
const others: Readonly<Record<string, string>> = {
  commands: 'export const commands = { start: async () => (await import("../start/start.ts")).start };',
  explain_word: `import { CommandError } from "../terminal/command_error.ts";
export function explainWord(word) {
  throw new CommandError(\`the server of a kit has no "help \${word}": expected "help start", or the package of npm\`);
}`,
};

const onlyStart: Plugin = {
  name: "only start",
  setup({ onLoad }): void {
    onLoad(
      { filter: /[\\/]src[\\/]tools[\\/]cli[\\/]commands[\\/](?:commands|explain_word)\.ts$/ },
      ({ path }) => ({
        contents: others[/(\w+)\.ts$/.exec(path)![1]!]!,
        resolveDir: dirname(path),
      }),
    );
  },
};
