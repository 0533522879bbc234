/**
 * Writes the parts of the modules for pages and of the service worker as scripts. A worker of this kind takes no modules in
 * every browser, so each part becomes a function in a script, which runs when another part first needs it. A page imports
 * the same script as a module. The worker loads all scripts when it is installed, because a browser gives it no others
 * later.
 */
import { createHash } from "node:crypto";
import type { OutputChunk } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { minifySync } from "rolldown/utils";
import { browser, worker } from "./entries.ts";

/** The texts of files by their paths in the package. The parts that both need are in both. */
export interface BrowserFiles {
  readonly page: ReadonlyMap<string, string>;
  readonly worker: ReadonlyMap<string, string>;
}

/** A part by its name, which is that of its file without the ending. */
type Parts = ReadonlyMap<string, Part>;

interface Part {
  readonly code: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly lateImports: readonly string[];
  /** What the part itself calls its exports, by their names. */
  readonly exports: ReadonlyMap<string, string>;
}

const entryOf = { page: browser.file, worker: worker.file } as const;

export function writeScripts(chunks: readonly OutputChunk[], version: string): BrowserFiles {
  const parts: Parts = new Map(chunks.map((chunk) => [shorten(chunk.fileName), readPart(chunk)]));
  const ofWorker = findLoaded([shorten(entryOf.worker)], parts, { late: true });
  const ofPage = findLoaded([entryOf.page], parts, { late: true });
  // The same for all files of a release: a page with two releases of the package needs both.
  const release = createHash("sha256").update(chunks.map(({ code }) => code).join()).digest("hex").slice(
    0,
    8,
  );
  const placeOf = (name: string) =>
    `${ofWorker.has(name) ? entryOf.worker : entryOf.page}/${fileOf(name)}-${release}.js`;
  const registry = `postern_${release}`;
  const write = createWriting(parts);
  const writeScript = (names: readonly string[]) => {
    const text = names.map((name) => `(globalThis.${registry}??={}).${name}=${write(name)};`).join("");
    // Inside a function, more code is known to be unused than in a module.
    const options = { module: false, compress: { target: "es2024" }, mangle: false } as const;
    return minifySync("part.js", text, options).code.trim();
  };
  const listScripts = (names: readonly string[]) =>
    [...Map.groupBy(names.filter((name) => !parts.get(name)!.isEntry), placeOf)].map(([path, together]) =>
      [path, `${writeScript(together)}\n`] as const
    );
  const scripts = listScripts([...ofWorker]);
  const paths = scripts.map(([path]) => path);
  const entry = writeWorker(write(shorten(entryOf.worker)), { version, release, registry, paths });
  return {
    page: new Map([
      ...listScripts([...ofPage].filter((name) => !inModules.includes(name))),
      ...writePage(parts, { registry, release, placeOf, writeScript }),
    ]),
    worker: new Map([...scripts, [`${entryOf.worker}.js`, entry]]),
  };
}

/** These parts are in the modules that export from them. */
const inModules = ["page_start", "page_first"];

/** The functions of rolldown are in the file of the first part. */
function fileOf(name: string): string {
  return name === "rolldown_runtime" ? "first" : name;
}

function shorten(fileName: string): string {
  return fileName.replace(/^\.\//, "").replace(/\.js$/, "").replaceAll("-", "_");
}

function readPart({ code, isEntry, imports, dynamicImports }: OutputChunk): Part {
  const exports = new Map<string, string>();
  for (const node of parseAst(code).body) {
    if (node.type !== "ExportNamedDeclaration") continue;
    for (const { exported, local } of node.specifiers) exports.set(nameOf(exported), nameOf(local));
  }
  return { code, isEntry, exports, imports: imports.map(shorten), lateImports: dynamicImports.map(shorten) };
}

/** Returns the parts that are loaded together with some, also late. Those that others need come first. */
function findLoaded(
  names: readonly string[],
  parts: Parts,
  { late }: { readonly late: boolean },
): ReadonlySet<string> {
  const found = new Set<string>(), visited = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    const { imports, lateImports } = parts.get(name)!;
    imports.forEach(visit);
    found.add(name);
    if (late) lateImports.forEach(visit);
  };
  names.forEach(visit);
  return found;
}

type Named = { readonly type: "Identifier"; readonly name: string } | {
  readonly type: "Literal";
  readonly value: unknown;
};

function nameOf(node: Named): string {
  if (node.type === "Identifier") return node.name;
  throw new Error(`A part has an export without a usual name: ${node.value}`);
}

const lateImport = /\bimport\([`"']\.\/([\w-]+)\.js[`"']\)(?:\.then\((\w+)=>\2\.(\w+)\))?/g;

/**
 * Returns a function that writes a part as a function, which returns what the part exports. An imported part becomes a call
 * of `need`, and one that is imported late a call of `late`. Parts do not need each other in a circle, so a part is whole
 * when another needs it. An export has the name that the part itself uses, which a compressed file has already.
 */
function createWriting(parts: Parts): (name: string) => string {
  // the exports of a part that is loaded late as it is have the names of its source
  const whole = new Set(
    [...parts.values()].flatMap(({ code }) =>
      [...code.matchAll(lateImport)].flatMap(([, name = "", , picked]) => picked === undefined ? [name] : [])
    ),
  );
  const rename = (name: string, exported: string) =>
    whole.has(name) ? exported : parts.get(name)!.exports.get(exported)!;
  const member = (name: string, local: string) => name === local ? name : `${name}:${local}`;

  return (own) => {
    const { code } = parts.get(own)!;
    let text = "", at = 0;
    for (const node of parseAst(code).body) {
      if (!/^(Im|Ex)port/.test(node.type)) continue;
      text += code.slice(at, node.start);
      at = node.end;
      if (node.type === "ImportDeclaration") {
        const name = shorten(node.source.value);
        const names = node.specifiers.map((each) => {
          if (each.type !== "ImportSpecifier") throw new Error(`A part imports another as ${each.type}`);
          return member(rename(name, nameOf(each.imported)), each.local.name);
        });
        text += `${names.length === 0 ? "" : `const{${names.join()}}=`}need("${name}");`;
      } else if (
        node.type === "ExportNamedDeclaration" && node.declaration === null && node.source === null
      ) {
        const names = node.specifiers.map(({ exported, local }) =>
          member(rename(own, nameOf(exported)), nameOf(local))
        );
        text += `return{${[...new Set(names)].join()}}`;
      } else {
        throw new Error(`A part has ${node.type}`);
      }
    }
    text = `${text}${code.slice(at)}`.trim().replaceAll(
      lateImport,
      (_, name: string, module?: string, exported = "") =>
        `late("${name}")${
          module === undefined ? "" : `.then(${module}=>${module}.${rename(name, exported)})`
        }`,
    );
    // only a module is strict by itself
    return `(need,late)=>{${/^page_/.test(own) ? "" : `"use strict";`}${text}}`;
  };
}

/** Says how a page and the worker run the parts. */
const runParts = `const posternLoaded = new Map();
function posternRun(name) {
  let part = posternLoaded.get(name);
  if (part === undefined) posternLoaded.set(name, part = posternFind(name)(posternRun, posternLate));
  return part;
}`;

function writeWorker(entry: string, { version, release, registry, paths }: {
  readonly version: string;
  readonly release: string;
  readonly registry: string;
  readonly paths: readonly string[];
}): string {
  return `// postern ${version}
${runParts}
const posternUrl = (path) => new URL(path, location.href).href;
function posternFind(name) {
  if (globalThis.${registry}?.[name] === undefined) importScripts(posternUrl(\`${entryOf.worker}/\${name}-${release}.js\`));
  return ${registry}[name];
}
async function posternLate(name) { return posternRun(name); }
addEventListener("install", () => importScripts(...${JSON.stringify(paths)}.map(posternUrl)));
(${entry})(posternRun, posternLate);
`;
}

/**
 * Writes the module that pages import. It exports from two others, so that a bundler leaves out what is not used: only the
 * files with parts have effects.
 */
function writePage(parts: Parts, { registry, release, placeOf, writeScript }: {
  readonly registry: string;
  readonly release: string;
  readonly placeOf: (name: string) => string;
  readonly writeScript: (names: readonly string[]) => string;
}): readonly (readonly [path: string, text: string])[] {
  const exported = readEntry(parts);
  const isStart = ({ part }: Exported) => part === "page_start";
  const findNeeded = (names: readonly string[]) => [...findLoaded(names, parts, { late: false })];
  const fileOf = (name: string) => `./${name}-${release}.js`;
  const urlsOf = (names: readonly string[]) => new Set(names.map((name) => `"../${placeOf(name)}"`));

  function write(all: readonly Exported[], imports: string, before = ""): string {
    const own = [...new Set(all.map(({ part }) => part))];
    const needed = findNeeded(own);
    const urls = urlsOf(needed.filter((name) => !inModules.includes(name)));
    const imported = [...urls].map((url) => `import${url};`).join("");
    const script = writeScript(needed.filter((name) => inModules.includes(name)));
    const exports = own.map((part) => {
      const members = all.filter((each) => each.part === part).map(({ name, inPart }) => `${inPart}:${name}`);
      return `export const{${members.join()}}=run("${part}");`;
    });
    return `import{${imports}}from"${fileOf("run")}";${imported}${before}${script}${exports.join("")}\n`;
  }

  const [starting, others] = [exported.filter(isStart), exported.filter((each) => !isStart(each))];
  const atOnce = findNeeded(others.map(({ part }) => part));
  const all = findLoaded(exported.map(({ part }) => part), parts, { late: true });
  const late = new Set([...all].flatMap((name) => parts.get(name)!.lateImports));
  const table = [...late].map((name) => {
    const urls = urlsOf(findNeeded([name]).filter((each) => !atOnce.includes(each)));
    const imports = [...urls].map((url) => `import(${url})`);
    return `${name}:()=>${imports.length === 1 ? imports[0] : `Promise.all([${imports.join()}])`}`;
  });
  const exportFrom = (all: readonly Exported[], file: string) =>
    `export{${all.map(({ name }) => name).join()}}from"./${entryOf.page}/${file.slice(2)}";`;
  const files = {
    run: minifySync(
      "run.js",
      `${runParts}
const posternFind = (name) => ${registry}[name];
async function posternLate(name) {
  await later[name]();
  return posternRun(name);
}
export const later = {};
export { posternRun as run };
`,
    ).code,
    start_worker: write(starting, "run"),
    page: write(others, "later,run", `Object.assign(later,{${table.join()}});`),
  };
  return [
    [
      `${entryOf.page}.js`,
      `${exportFrom(starting, fileOf("start_worker"))}${exportFrom(others, fileOf("page"))}\n`,
    ],
    ...Object.entries(files).map(([name, text]) =>
      [`${entryOf.page}/${fileOf(name).slice(2)}`, text] as const
    ),
  ];
}

interface Exported {
  readonly name: string;
  readonly part: string;
  readonly inPart: string;
}

/** Reads which parts have what the entry exports. It has no code of its own. */
function readEntry(parts: Parts): readonly Exported[] {
  const { code, exports } = parts.get(entryOf.page)!;
  const imported = new Map<string, Omit<Exported, "name">>();
  for (const node of parseAst(code).body) {
    if (node.type !== "ImportDeclaration") continue;
    for (const each of node.specifiers) {
      if (each.type !== "ImportSpecifier") continue;
      const part = shorten(node.source.value);
      imported.set(each.local.name, { part, inPart: parts.get(part)!.exports.get(nameOf(each.imported))! });
    }
  }
  return [...exports].map(([name, local]) => ({ name, ...imported.get(local)! }));
}
