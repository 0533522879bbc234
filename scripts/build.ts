/** Makes the npm package: dist/npm, modules by esbuild, declarations by TypeScript; and packed, to be installed. */
import process from "node:process";
import { build, stop } from "esbuild";
import { portable } from "./bundle.ts";
import { asDeveloper } from "./runtimes.ts";

const folder = "dist/npm";

/** What may be imported from the package; the source of each becomes a file of that name. */
const entries: Readonly<Record<string, { readonly file: string; readonly source: string }>> = {
  ".": { file: "mod", source: "src/mod.ts" },
  "./store-contract": { file: "store_contract", source: "src/store/contract.ts" },
  "./mock": { file: "mock", source: "src/mock/mod.ts" },
};

const command = { file: "cli", source: "src/cli/main.ts" };

const relativeImport = /(?:\bfrom |\bimport\(|^import )"(\.[^"]+\.tsx?)"/gm;

interface Configuration {
  readonly version: string;
  readonly license: string;
  readonly imports: Readonly<Record<string, string>>;
}

async function main(): Promise<void> {
  const configuration = await readJson<Configuration>("deno.json");
  for (const old of [folder, `dist/postern-${configuration.version}.tgz`]) {
    await Deno.remove(old, { recursive: true }).catch(() => {});
  }
  await Deno.mkdir(folder, { recursive: true });
  const present = Object.entries(entries).filter(([, { source }]) => exists(source));

  const imported = await buildModules(present.map(([, entry]) => entry));
  await buildDeclarations(present.map(([, entry]) => entry));
  for (const file of ["README.md", "LICENSE"]) await Deno.copyFile(file, `${folder}/${file}`);
  const description = describePackage(configuration, imported, present);
  await Deno.writeTextFile(`${folder}/package.json`, `${JSON.stringify(description, null, 2)}\n`);
  await pack();
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(file)) as T;
}

/** Returns the names of the packages that the modules import. */
async function buildModules(sources: readonly { file: string; source: string }[]): Promise<string[]> {
  const { metafile } = await build({
    ...portable,
    // with `node`, esbuild would choose the Node half of packages that have several
    platform: "neutral",
    entryPoints: [...sources, command].map(({ file, source }) => ({ in: source, out: file })),
    outdir: folder,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    metafile: true,
  });
  await stop();
  const cli = `${folder}/${command.file}.js`;
  await Deno.writeTextFile(cli, `#!/usr/bin/env node\n${await Deno.readTextFile(cli)}`);
  await Deno.chmod(cli, 0o755).catch(() => {});
  const paths = Object.values(metafile.outputs).flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !path.startsWith("node:"))
    .map(({ path }) => path.split("/").slice(0, path.startsWith("@") ? 2 : 1).join("/"));
  return [...new Set(paths)].sort();
}

async function buildDeclarations(sources: readonly { source: string }[]): Promise<void> {
  const types = `${folder}/types`;
  const project = await Deno.makeTempFile({ dir: "dist", suffix: ".json" });
  await Deno.writeTextFile(
    project,
    JSON.stringify({
      compilerOptions: {
        ...{
          target: "esnext",
          module: "esnext",
          moduleResolution: "bundler",
          jsx: "react-jsx",
        },
        ...{
          declaration: true,
          emitDeclarationOnly: true,
          isolatedDeclarations: true,
          allowImportingTsExtensions: true,
        },
        // `deno check` has looked at the types, with the libraries of Deno, which this compiler does not know
        ...{ noCheck: true, skipLibCheck: true, types: [], rootDir: "../src", outDir: `../${types}` },
      },
      files: sources.map(({ source }) => `../${source}`),
    }),
  );
  const { imports } = await readJson<Pick<Configuration, "imports">>("dev.json");
  const tsc = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...asDeveloper, "--allow-all", `${imports["typescript"]}/tsc`, "--project", project],
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  await Deno.remove(project);
  if (!tsc.success) throw new Error("Cannot make declarations");

  // only what the public ones refer to goes along
  const needed = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    if (needed.has(path)) return;
    needed.add(path);
    const text = await Deno.readTextFile(path);
    for (const [, specifier = ""] of text.matchAll(relativeImport)) {
      await visit(new URL(specifier.replace(/\.tsx?$/, ".d.ts"), `file:///${path}`).pathname.slice(1));
    }
    await Deno.writeTextFile(
      path,
      text.replace(relativeImport, (whole) => whole.replace(/\.tsx?"$/, '.js"')),
    );
  };
  for (const { source } of sources) await visit(declarationOf(source));
  for (const path of [...walk(types)]) if (!needed.has(path)) await Deno.remove(path);
  await removeEmptyFolders(types);
}

function declarationOf(source: string): string {
  return source.replace(/^src\//, `${folder}/types/`).replace(/\.tsx?$/, ".d.ts");
}

function describePackage(
  { version, license, imports }: Configuration,
  imported: readonly string[],
  present: readonly (readonly [string, { file: string; source: string }])[],
): Record<string, unknown> {
  const rangeOf = (name: string): string => {
    const range = /^npm:.*@(\^[^@/]*)$/.exec(imports[name] ?? "")?.[1];
    if (range === undefined) throw new Error(`deno.json has no ^ range for ${name}`);
    return range;
  };
  return {
    name: "postern",
    version,
    description:
      "A pocket OAuth 2.1 authorization server: strict by default, small enough to live inside a test.",
    license,
    type: "module",
    sideEffects: ["./cli.js"],
    engines: { node: ">=20.12" },
    bin: { postern: `./${command.file}.js` },
    exports: {
      ...Object.fromEntries(present.map(([name, { file, source }]) => [name, {
        types: declarationOf(source).replace(folder, "."),
        default: `./${file}.js`,
      }])),
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(imported.map((name) => [name, rangeOf(name)])),
  };
}

/** Packs what npm would publish, prints what is in it, and refuses what has no place there. */
async function pack(): Promise<void> {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const packed = await new Deno.Command(npm, {
    args: ["pack", "--json", "--ignore-scripts", "--pack-destination", ".."],
    cwd: folder,
    stderr: "inherit",
  }).output().catch(() => undefined);
  if (packed === undefined) {
    return console.log(`${folder} is made; npm is not here, so that it is not packed`);
  }
  if (!packed.success) throw new Error(`npm cannot pack ${folder}`);
  const [contents] = JSON.parse(new TextDecoder().decode(packed.stdout)) as {
    filename: string;
    size: number;
    unpackedSize: number;
    files: { path: string; size: number }[];
  }[];
  if (contents === undefined) throw new Error("Cannot read what npm has packed");
  const { filename, files, size, unpackedSize } = contents;
  const surplus = files.filter(({ path }) =>
    !/^(package\.json|README\.md|LICENSE|[a-z_]+\.js|chunks\/[^/]+\.js|types\/.+\.d\.ts)$/.test(path)
  );
  if (surplus.length > 0) {
    throw new Error(`The package holds too much: ${surplus.map(({ path }) => path).join(", ")}`);
  }
  for (const { path, size } of files.filter(({ path }) => !path.startsWith("types/"))) {
    console.log(`${kilobytes(size).padStart(9)}  ${path}`);
  }
  const types = files.filter(({ path }) => path.startsWith("types/"));
  const typesSize = types.reduce((total, { size }) => total + size, 0);
  console.log(`${kilobytes(typesSize).padStart(9)}  types/ (${types.length} files)`);
  console.log(`dist/${filename}: ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}

function* walk(path: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(path)) {
    if (isDirectory) yield* walk(`${path}/${name}`);
    else yield `${path}/${name}`;
  }
}

async function removeEmptyFolders(path: string): Promise<void> {
  for (const { name, isDirectory } of [...Deno.readDirSync(path)]) {
    if (isDirectory) await removeEmptyFolders(`${path}/${name}`);
  }
  if ([...Deno.readDirSync(path)].length === 0) await Deno.remove(path);
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

if (import.meta.main) await main();
