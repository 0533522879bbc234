/** A copy of the checkout, in which some sources are changed. */
import { copyFiles } from "../test/copy_files.ts";
import { listFiles } from "../test/changed.ts";
import { asDeveloper } from "../runtimes.ts";
import { switchFile, writeSwitch } from "./switch.ts";

export interface Copy extends AsyncDisposable {
  readonly folder: string;
}

export async function makeCopy(changed: ReadonlyMap<string, string>): Promise<Copy> {
  const folder = await Deno.makeTempDir({ prefix: "postern_mutants_" });
  const copy = { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
  try {
    await copyFiles(listFiles(), folder);
    for (const [file, text] of changed) await Deno.writeTextFile(`${folder}/${file}`, text);
    await Deno.writeTextFile(`${folder}/${switchFile}`, writeSwitch());
    const install = ["install", "--quiet", ...asDeveloper];
    const { success } = await new Deno.Command(Deno.execPath(), { args: install, cwd: folder }).output();
    if (!success) throw new Error(`Cannot install the packages of the copy in ${folder}`);
    return copy;
  } catch (error) {
    await copy[Symbol.asyncDispose]();
    throw error;
  }
}
