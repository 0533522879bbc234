/** The bill of materials of the npm package, in the form of CycloneDX: which versions npm installs with it today. */
import { type Outcome, runProgram } from "../run_program.ts";

/** Takes the folder of the built package. The text is in `output`. */
export async function listMaterials(folder: string): Promise<Outcome> {
  const parent = await Deno.makeTempDir({ prefix: "postern_" });
  // npm takes the name of the folder for that of the package.
  const project = `${parent}/postern`;
  try {
    await Deno.mkdir(project);
    await Deno.copyFile(`${folder}/package.json`, `${project}/package.json`);
    const npm = (...args: readonly string[]) =>
      runProgram("npm", [...args, "--prefix", project, "--loglevel=error"]);
    const locked = await npm(
      "install",
      "--package-lock-only",
      "--ignore-scripts",
      "--omit=peer",
      "--no-audit",
    );
    if (!locked.success) return locked;
    return await npm("sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application");
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
}
