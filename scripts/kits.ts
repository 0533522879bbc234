/**
 * `deno task kits`: makes the server as one file, and the calls and types of the kits in `kits/`, from the rows of the
 * control plane. With `--check` it only compares the committed files, and makes no server.
 */
import project from "../deno.json" with { type: "json" };
import { bundleServer, serverFile } from "./kits/bundle_server.ts";
import { languages } from "./kits/languages.ts";
import { readModel } from "./kits/model.ts";
import { saveOrCompare } from "./made_files.ts";

const model = readModel();
for (const { folder, ending, write } of languages) {
  const made = new Map([...write(model)].map(([name, text]) => [`${folder}/${name}`, text]));
  await saveOrCompare(made, { folder, ending, task: "kits" });
}
if (!Deno.args.includes("--check")) {
  await bundleServer(project.version);
  for (const { serverCopy } of languages) {
    await Deno.mkdir(serverCopy.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(serverFile, serverCopy);
  }
}
