/** `deno task build`: makes the npm package in dist/npm, and packs it as `npm publish` would. */
import { dirname } from "node:path";
import { buildBrowser, buildMsw } from "./package/browser.ts";
import { buildDeclarations } from "./package/declarations.ts";
import { type Configuration, describePackage } from "./package/description.ts";
import { browser, command, entries, folder, msw } from "./package/entries.ts";
import { buildModules } from "./package/modules.ts";
import { pack } from "./package/pack.ts";
import { describeLlms, describeReadme } from "./package/readme.ts";

async function main(): Promise<void> {
  const configuration = JSON.parse(await Deno.readTextFile("deno.json")) as Configuration;
  for (const old of [folder, `dist/postern-${configuration.version}.tgz`]) await remove(old);
  try {
    await make(configuration);
  } catch (error) {
    // a package without some of its files could be installed
    await remove(folder);
    throw error;
  }
}

async function remove(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(() => {});
}

async function make(configuration: Configuration): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const imported = await buildModules([...entries, command], configuration);
  await buildBrowser(folder, configuration.version);
  await buildMsw(folder);
  await buildDeclarations([...entries, browser, msw]);
  await Deno.copyFile("LICENSE", `${folder}/LICENSE`);
  await writeCompact("static/configuration.schema.json");
  await Deno.writeTextFile(`${folder}/README.md`, describeReadme(await Deno.readTextFile("README.md")));
  for (const [path, text] of describeLlms((path) => Deno.readTextFileSync(path))) {
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
  const description = describePackage(configuration, imported);
  await Deno.writeTextFile(`${folder}/package.json`, `${JSON.stringify(description, null, 2)}\n`);
  await pack();
}

async function writeCompact(file: string): Promise<void> {
  await Deno.mkdir(dirname(`${folder}/${file}`), { recursive: true });
  await Deno.writeTextFile(
    `${folder}/${file}`,
    `${JSON.stringify(JSON.parse(await Deno.readTextFile(file)))}\n`,
  );
}

if (import.meta.main) await main();
