/** Builds the programs and the package that the bench starts on Node and Bun. */
import { bundle } from "../bundle.ts";
import { runDeno } from "../run_program.ts";
import { confidentialClient, person, publicClient } from "./clients.ts";

/** The form of Postern's access tokens. */
export type AccessTokenForm = "jwt" | "opaque";

/** What Node and Bun run: bundles of the programs, and the package. */
export interface PreparedPrograms {
  readonly root: string;
  readonly configFiles: Readonly<Record<AccessTokenForm, string>>;
  /** The reason why the package could not be built. */
  readonly packageProblem?: string;
}

const bundledPrograms = [
  "bare_serve",
  "bare_signing",
  "create_server",
  "mock_login_bare",
  "mock_login_jose",
  "mock_login_oauth2_mock_server",
  "mock_login_oidc_provider",
  "mock_login_package",
  "oauth2_mock_server",
  "oidc_provider",
] as const;

/** The last one is for Deno, which runs sources. */
export type Program = typeof bundledPrograms[number] | "mock_login_source";

/** A folder with the package installed. Node finds the other packages in the checkout above. */
export const project = "dist/bench";
/** The same with the package of another checkout. */
export const projectBefore = "dist/bench/before";

export async function preparePrograms(
  root: string,
  folder: string,
  against: string | undefined,
): Promise<PreparedPrograms> {
  const configFiles = {
    jwt: await writeConfiguration(folder, "jwt"),
    opaque: await writeConfiguration(folder, "opaque"),
  };
  const packageProblem = await buildPackage();
  await bundle({
    entryPoints: bundledPrograms.map((name) => `${root}/scripts/bench/programs/${name}.ts`),
    outdir: `${root}/${project}`,
    outExtension: { ".js": ".mjs" },
  });
  await installPackage(root, `${root}/${project}`);
  if (against !== undefined) {
    const before = `${root}/${projectBefore}`;
    await installPackage(against, before);
    for (const name of ["mock_login_package.mjs", "create_server.mjs"]) {
      await Deno.copyFile(`${root}/${project}/${name}`, `${before}/${name}`);
    }
  }
  return packageProblem === undefined ? { root, configFiles } : { root, configFiles, packageProblem };
}

async function installPackage(checkout: string, folder: string): Promise<void> {
  const installed = `${folder}/node_modules`;
  await Deno.remove(installed, { recursive: true }).catch(() => {});
  await Deno.mkdir(installed, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  await Deno.symlink(`${checkout}/dist/npm`, `${installed}/postern`);
}

async function writeConfiguration(folder: string, accessTokens: AccessTokenForm): Promise<string> {
  const file = `${folder}/postern-${accessTokens}.json`;
  const configuration = { clients: [publicClient, confidentialClient], people: [person], accessTokens };
  await Deno.writeTextFile(file, JSON.stringify(configuration, null, 2));
  return file;
}

/** Resolves to the reason when the package cannot be built. */
async function buildPackage(): Promise<string | undefined> {
  const { success, output } = await runDeno("task", "--quiet", "build");
  return success ? undefined : `deno task build: ${output.trim().split("\n")[0]?.slice(0, 200) || "failed"}`;
}
