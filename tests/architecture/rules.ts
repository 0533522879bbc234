/** The rules of the architecture: which parts and tests import which, where packages and globals are used, and file names. */

import { testedBuilding } from "../../scripts/test/suites.ts";
import type { Doors } from "./doors.ts";

export interface Source {
  /** Relative to the repository's root, with slashes: `src/server/oauth/contracts/grant.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface Violation {
  readonly path: string;
  /** The import, global or line that breaks the rule. */
  readonly found: string;
  readonly rule: string;
}

/** The buildings with their parts, from top to bottom. Each imports only itself and the ones after it. */
const buildings: Readonly<Record<string, readonly string[]>> = {
  tools: ["cli", "browser", "dashboard", "control", "guard"],
  kit: ["examine", "runners", "mock", "timeline", "faults"],
  server: ["runtime", "pipeline", "setup", "features", "pages", "oauth", "client", "libraries", "store"],
  // What knows no OAuth. All buildings stand on it.
  ground: ["http", "crypto", "schema", "values"],
};

const steps = ["oauth", "http", "crypto", "store", "schema"];
const server = [
  "server",
  "pipeline",
  "setup",
  "features",
  "pages",
  "client",
  "libraries",
  ...steps,
  "static",
  "deno.json",
];
const kit = ["mock", "timeline", "faults", "runtime", "mod", ...server];

/** The folder that every part may import. */
const forAll = "values";

/** Which parts each part of src/ may import. Also itself only where it is listed. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  values: ["values"],
  http: ["http"],
  crypto: ["crypto"],
  // Where the runtime does not check a server, the store does.
  store: ["store", "crypto"],
  schema: ["schema"],
  // The judge of a token shares no code with what issued it.
  client: ["client", "http", "crypto", "schema"],
  oauth: ["libraries", ...steps],
  // The words of libraries know nothing of this server.
  libraries: ["libraries"],
  features: ["client", ...steps],
  pipeline: ["pipeline", ...steps],
  setup: ["setup", ...steps],
  pages: ["pages", "schema", "static"],
  runtime: ["runtime", "oauth", "http", "crypto"],
  // The files beside the folders of src/server/.
  server,
  // The public API: src/mod.ts.
  mod: server,
  faults: ["faults", "oauth", "http", "crypto", "schema"],
  // What pages and files show of recorded exchanges.
  timeline: ["timeline", "pages", "schema", "static"],
  // The mock imports the runtime for `listen()`.
  mock: kit,
  examine: ["examine", ...kit],
  // The fixtures and matchers of test runners. They import no runner.
  runners: ["runners", "examine", "mock", "client", "crypto", "runtime"],
  // The public API of the test kit: src/kit/mod.ts.
  kit: ["examine", ...kit],
  // What the control plane and the dashboard share.
  guard: ["guard", ...kit],
  control: ["control", "guard", "examine", ...kit],
  dashboard: ["dashboard", "guard", "kit", "examine", ...kit],
  // The bundle for web pages.
  browser: ["browser", "dashboard", "control", "guard", "kit", "examine", ...kit],
  cli: ["anything"],
};

/**
 * The rooms of a folder, from top to bottom: each imports only itself and the ones after it. Files beside the rooms
 * assemble them, so no room imports these files.
 */
const floors: Readonly<Record<string, readonly string[]>> = {
  "src/server/oauth/": [
    "endpoints",
    "authorization",
    "tokens",
    "people",
    "clients",
    "foreign",
    "requests",
    "secrets",
    "options",
    "contracts",
  ],
  "src/server/oauth/clients/": ["authentication", "records", "reach", "metadata"],
  "src/kit/mock/": [
    "tokens",
    "client",
    "server",
    "misbehaving",
    "provider",
    "journal",
    "conditions",
    "network",
    "endpoints.ts",
    "terms",
  ],
};

/** The imports of types that lead up between the rooms of a folder, with the reason. */
const upward: Readonly<Record<string, string>> = {
  "src/server/oauth/contracts/authorization_request.ts → src/server/oauth/options/clock_skew.ts":
    "a record with times names their clock, and its type stands beside the functions that read it",
  "src/server/oauth/contracts/feature.ts → src/server/oauth/people/sign_in_limits.ts":
    "the services have the limits, and their type stands beside the code that applies them",
};

/** The files beside rooms that say what the functions in the rooms take. They import the rooms for types only. */
const contracts: readonly string[] = ["src/kit/mock/running_tenant.ts"];

/** The folders of src/ whose files one file puts together. Others do not import them. */
const entries: readonly { readonly folder: string; readonly entry: string }[] = [
  {
    folder: "src/server/oauth/authorization/asking/",
    entry: "src/server/oauth/authorization/steps.ts",
  },
];

/** The run-time dependencies and the only places that may import them. */
const packages: readonly { readonly name: RegExp; readonly where: RegExp; readonly place: string }[] = [
  {
    name: /^jose(\/|$)/,
    where: /^src\/ground\/crypto\/(jose|jose_parts_browser|jwe)\.ts$/,
    place: "src/ground/crypto/jose.ts and its stand-in, and jwe.ts its types,",
  },
  {
    name: /^preact/,
    where: /^src\/(server\/pages|kit\/timeline|tools\/\w+)\//,
    place: "src/server/pages/, src/kit/timeline/ and src/tools/",
  },
  {
    name: /^lean-qr/,
    where: /^src\/kit\/mock\/client\/qr_code\.ts$/,
    place: "src/kit/mock/client/qr_code.ts",
  },
  { name: /^postgres$/, where: /^src\/server\/store\/postgres\.ts$/, place: "src/server/store/postgres.ts" },
  {
    name: /^(node:)?process$/,
    where: /^src\/(server\/runtime|tools\/cli)\//,
    place: "src/server/runtime/ and src/tools/cli/",
  },
  { name: /^node:/, where: /^src\//, place: "src/" },
  {
    name: /^@noble\/hashes\//,
    where: /^src\/ground\/crypto\/\w+_browser\.ts$/,
    place: "what stands in for the platform in the bundle for web pages",
  },
];

/**
 * The violations in `sources`. Outside src/, only names, headers, and what tests of a building reach have rules. `doors`
 * has the doors by building. It is left out if `sources` are not all sources.
 */
export function findViolations(
  sources: readonly Source[],
  doors: Readonly<Record<string, Doors>> = {},
): Violation[] {
  const inside = sources.filter(({ path }) => path.startsWith("src/"));
  const imports = inside.flatMap((source) => readImports(source));
  const importsOfTests = sources.filter(({ path }) => path.startsWith("tests/"))
    .flatMap((source) => readImports(source));
  return [
    ...sources.flatMap(checkName),
    ...sources.flatMap(checkHeader),
    ...inside.flatMap(checkPlace),
    ...inside.flatMap(checkGlobals),
    ...imports.flatMap(checkImport),
    ...imports.flatMap(checkFloor),
    ...imports.flatMap(checkEntry),
    ...Object.entries(doors).flatMap(([building, ofBuilding]) =>
      findWrongDoors(imports, building, ofBuilding)
    ),
    ...findOwned(imports),
    ...findUpwardTests(importsOfTests),
    ...findCycles(imports),
  ];
}

export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(({ path, found, rule }) => `${path}: ${found}\n    ${rule}`).join("\n");
}

export interface Import {
  readonly path: string;
  readonly specifier: string;
  /** The path of the imported file, if it is in the repository. */
  readonly target: string | undefined;
  readonly typesOnly: boolean;
  /** The import is an expression, so the file is loaded when it runs. */
  readonly isLate: boolean;
}

export function readImports({ path, text }: Source): Import[] {
  const code = blank(text, "comments and templates");
  const found: Import[] = [];
  const add = (specifier: string, typesOnly: boolean, isLate = false) => {
    const target = specifier.startsWith(".") ? join(path, specifier) : undefined;
    found.push({ path, specifier, target, typesOnly, isLate });
  };
  // Import and export statements start a line, and their clauses contain no quotes.
  for (
    const [, clause = "", specifier = ""] of code.matchAll(
      /^(?:import|export)\b([^"';]*?)\bfrom\s*"([^"]+)"/gm,
    )
  ) {
    const names = /\{([\s\S]*)\}/.exec(clause)?.[1]?.split(",").map((name) => name.trim()).filter(Boolean) ??
      [];
    const onlyTypes = names.length > 0 && !/^\s*[\w$]+\s*,/.test(clause) &&
      names.every((name) => /^type\s/.test(name));
    add(specifier, /^\s+type\s/.test(clause) || onlyTypes);
  }
  for (const [, specifier = ""] of code.matchAll(/^import\s*"([^"]+)"/gm)) add(specifier, false);
  for (
    const [, isType, specifier = "", member] of code.matchAll(
      /(\btypeof\s+)?\bimport\(\s*"([^"]+)"(\s*\)\.[A-Z])?/g,
    )
  ) {
    const typesOnly = isType !== undefined || member !== undefined;
    add(specifier, typesOnly, !typesOnly);
  }
  return found;
}

function checkImport({ path, specifier, target, typesOnly }: Import): Violation[] {
  const wrong = (rule: string): Violation[] => [{ path, found: `imports "${specifier}"`, rule }];
  if (target === undefined) {
    const dependency = packages.find(({ name }) => name.test(specifier));
    if (dependency === undefined) return wrong("this is no run-time dependency of the server");
    return dependency.where.test(path) ? [] : wrong(`only ${dependency.place} may import this`);
  }
  if (isUpwards(path, target)) {
    return wrong(`buildings import only downwards: ${Object.keys(buildings).join(" → ")}`);
  }
  const from = partOf(path), to = partOf(target);
  const allowed = mayImport[from] ?? [];
  if (/^src\/server\/features\/(creators|mod)\.ts$/.test(path) && to === "features") return [];
  if (path === "src/server/features/options.ts" && to === "features" && typesOnly) return [];
  // The server hands the runtime's way to open connections to the guarded fetch.
  if (path === "src/server/server.ts" && target === "src/server/runtime/open_tls.ts") return [];
  // The types of the options that features read. The file of a deleted feature has no types to import.
  if (
    path === "src/server/setup/configuration.ts" && target === "src/server/features/options.ts" && typesOnly
  ) return [];
  // The types of the client members that features read.
  if (path === "src/server/setup/client_metadata.ts" && to === "features" && typesOnly) return [];
  const own = featureOf(target);
  if (to === forAll || (from === "features" && own !== undefined && own === featureOf(path))) return [];
  if (from === "features" && to === "features") return wrong("features never import one another");
  if (from === "features" && to === "pages") {
    // The types of what a page of one feature shows. The page stays if the folder of the feature is deleted.
    return typesOnly && /_props\.ts$/.test(target)
      ? []
      : wrong("features reach pages only through services.pages");
  }
  if (from === "pages" && to === "oauth") {
    if (target !== "src/server/oauth/contracts/pages.ts") {
      return wrong("pages import only oauth/contracts/pages.ts");
    }
    return typesOnly
      ? []
      : wrong("pages import only the types of oauth/contracts/pages.ts: write `import type`");
  }
  if (!allowed.includes("anything") && !allowed.includes(to)) {
    return wrong(`${from} imports only ${allowed.join(", ")}`);
  }
  if (to !== "features" || /^src\/server\/features\/(mod|options)\.ts$/.test(target)) return [];
  return wrong("only features/creators.ts imports the file of a feature, so that the file can be deleted");
}

function checkFloor({ path, specifier, target = "", typesOnly }: Import): Violation[] {
  if (typesOnly && Object.hasOwn(upward, `${path} → ${target}`) || contracts.includes(target)) return [];
  const beside = path.slice(0, path.lastIndexOf("/") + 1);
  if (contracts.includes(path) && target.startsWith(beside) && !typesOnly) {
    return [{ path, found: `imports "${specifier}"`, rule: "contracts import rooms for types only" }];
  }
  return Object.entries(floors).flatMap(([folder, rooms]) => {
    if (!path.startsWith(folder) || !target.startsWith(folder)) return [];
    const [from, to] = [path, target].map((each) => rooms.indexOf(roomIn(folder, each)));
    if (from === -1 || from! <= to!) return [];
    const rule = `the rooms of ${folder}, each importing only those after it: ${rooms.join(", ")}`;
    return [{ path, found: `imports "${specifier}"`, rule }];
  });
}

function checkEntry({ path, specifier, target = "" }: Import): Violation[] {
  const within = entries.find(({ folder }) => target.startsWith(folder));
  if (within === undefined || path.startsWith(within.folder) || path === within.entry) return [];
  return [{ path, found: `imports "${specifier}"`, rule: `only ${within.entry} imports ${within.folder}` }];
}

/** Finds the files of a building that a higher one imports and that are no doors, and the doors that none imports. */
function findWrongDoors(imports: readonly Import[], building: string, doors: Doors): Violation[] {
  const folder = `src/${building}/`;
  const used = imports.filter(({ path, target }) => isUpwards(folder, path) && target?.startsWith(folder));
  const files = new Set(used.map(({ target = "" }) => target.slice(folder.length)));
  const unused = Object.keys(doors).filter((file) => !files.has(file));
  const list = "tests/architecture/doors.ts";
  return [
    ...used.filter(({ target = "" }) => !Object.hasOwn(doors, target.slice(folder.length))).map((
      { path, specifier },
    ) => ({
      path,
      found: `imports "${specifier}"`,
      rule: `a higher building imports only the doors of the ${building} in ${list}`,
    })),
    ...unused.map((file) => ({
      path: folder + file,
      found: "is a door that no higher building imports",
      rule: `remove it from ${list}`,
    })),
  ];
}

/** The feature of a file in src/server/features/: the name of its file or of its folder. */
function featureOf(path: string): string | undefined {
  const name = /^src\/server\/features\/([^/]+?)(?:\.ts|\/.+)$/.exec(path)?.[1];
  return ["creators", "files", "mod", "options"].includes(name ?? "") ? undefined : name;
}

/** Finds the files of src/server/oauth/ that one feature alone reaches, and that are no contracts. */
function findOwned(imports: readonly Import[]): Violation[] {
  const importers = Map.groupBy(imports, ({ target }) => target ?? "");
  const reaching = (path: string): ReadonlySet<string> => {
    const found = new Set([path]);
    // A set that grows goes on with what is added.
    for (const each of found) {
      if (partOf(each) === "oauth") importers.get(each)?.forEach(({ path }) => found.add(path));
    }
    return new Set([...found].filter((each) => partOf(each) !== "oauth"));
  };
  const helpers = [...importers.keys()].filter((path) => /^src\/server\/oauth\/(?!contracts\/)/.test(path));
  return helpers.flatMap((path) => {
    const users = new Set([...reaching(path)].map((each) => featureOf(each) ?? ""));
    const [feature = ""] = users;
    return users.size !== 1 || feature === "" ? [] : [{
      path,
      found: `serves the feature ${feature} alone`,
      rule: "what one feature alone needs is in the folder of the feature",
    }];
  });
}

/** The folder within `folder`, or the file beside the folders. */
function roomIn(folder: string, path: string): string {
  return path.slice(folder.length).split("/")[0]!;
}

/** The part of a file: the folder in its building, or the building if the file stands directly in it. */
function partOf(path: string): string {
  const [top = path, building = "", folder = "", file] = path.split("/");
  if (top !== "src") return top;
  return file !== undefined ? folder : building.replace(/\.ts$/, "");
}

function buildingOf(path: string): string | undefined {
  return /^src\/(\w+)\//.exec(path)?.[1];
}

function checkPlace({ path }: Source): Violation[] {
  const building = buildingOf(path), part = partOf(path);
  if (path === "src/mod.ts" || part === building && part in mayImport) return [];
  if (building !== undefined && buildings[building]?.includes(part)) return [];
  return [{
    path,
    found: "is in no part of src/",
    rule: `src/ holds ${
      Object.entries(buildings).map(([building, parts]) => `${building}/{${parts.join(",")}}`).join(", ")
    }`,
  }];
}

function isUpwards(path: string, target: string): boolean {
  const order = Object.keys(buildings);
  // src/mod.ts and the files that are not sources are below every building.
  const [from, to] = [path, target].map((each) => order.indexOf(buildingOf(each) ?? "server"));
  return to! < from!;
}

/** Finds the tests of a building that import a higher one, themselves or through other files of tests/. */
function findUpwardTests(imports: readonly Import[]): Violation[] {
  const importsOf = Map.groupBy(imports, ({ path }) => path);
  return [...importsOf.keys()].flatMap((path) => {
    const building = testedBuilding(path);
    if (building === undefined) return [];
    const found = new Set([path]);
    for (const each of found) {
      for (const { target = "", specifier } of importsOf.get(each) ?? []) {
        if (isAbove(building, target, specifier)) {
          const through = each === path ? "" : `, through ${each}`;
          const rule = `tests of the ${building} import no higher building and no script`;
          return [{ path, found: `imports "${specifier}"${through}`, rule }];
        }
        found.add(target);
      }
    }
    return [];
  });
}

function isAbove(building: string, target: string, specifier: string): boolean {
  // The names of the package's entries lead out of the building without a path.
  if (target.startsWith("scripts/") || /^postern(\/|$)/.test(specifier)) return true;
  const of = buildingOf(target) ?? testedBuilding(target);
  const order = Object.keys(buildings);
  return of !== undefined && order.indexOf(of) < order.indexOf(building);
}

function checkGlobals({ path, text }: Source): Violation[] {
  if (/^src\/(server\/runtime|tools\/cli)\//.test(path)) return [];
  const code = blank(text, "comments, templates and strings");
  const mentions = code.matchAll(
    /(?<![\w$.]|\.\s)(?:globalThis\??\.)?\b(Deno|Bun)\b(?!\s*\??:)|(?<![\w$.])(?:globalThis\??\.)?\b(process)\s*\??\.(?!\.)/g,
  );
  const names = new Set([...mentions].map(([, first, second]) => first ?? second));
  return [...names].map((name) => ({
    path,
    found: `mentions ${name}`,
    rule: "only src/server/runtime/ and src/tools/cli/ use a runtime's globals",
  }));
}

function checkHeader({ path, text }: Source): Violation[] {
  const words = /^\/\*\*\s+(?:\*\s)?\s*([^@\s*][^\n]*)/.exec(text)?.[1];
  if (words !== undefined && /\w+\W+\w+/.test(words)) return [];
  const found = `starts with ${JSON.stringify(text.split("\n")[0])}`;
  return [{ path, found, rule: "a file's first line is a comment that says what it contains: /** … */" }];
}

function checkName({ path }: Source): Violation[] {
  const wrong = path.split("/").filter((part) => !/^[a-z0-9]+(_[a-z0-9]+)*((?:\.d)?\.ts|\.tsx)?$/.test(part));
  return wrong.map((part) => ({
    path,
    found: `is called ${part}`,
    rule: "file and folder names are snake_case",
  }));
}

function findCycles(imports: readonly Import[]): Violation[] {
  const targets = new Map<string, string[]>();
  for (const { path, target } of imports) {
    if (target === undefined) continue;
    targets.set(path, [...targets.get(path) ?? [], target]);
  }
  const done = new Set<string>();
  const violations: Violation[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      const cycle = [...trail.slice(at), path].map((each) => each.replace(/^src\//, "")).join(" → ");
      violations.push({ path, found: `is part of the cycle ${cycle}`, rule: "imports form no cycle" });
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return violations;
}

function join(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

/**
 * The same text with everything that is not code replaced by spaces: templates may contain examples of imports, and
 * comments and strings the names of globals. Text between JSX tags counts as code; a quote there ends with its line.
 */
export function blank(
  text: string,
  what: "comments and templates" | "comments, templates and strings",
): string {
  const keepStrings = what === "comments and templates";
  // comment | quoted string | regular expression, which can only occur where a value is expected
  const piece =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[=(,:[!&|?{};\n]\s*|\breturn\s+)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*|[`{}]/y;
  const hide = (part: string) => part.replace(/[^\n]/g, " ");
  // The number of open braces inside each open `${`.
  const depths: number[] = [];
  let code = "", at = 0;
  const skipTemplate = () => {
    const rest = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(`|\$\{|$)/y;
    rest.lastIndex = at;
    const [part = "", end] = rest.exec(text) ?? [];
    code += hide(part);
    at += part.length;
    if (end === "${") depths.push(0);
  };
  while (at < text.length) {
    piece.lastIndex = at;
    const part = piece.exec(text)?.[0] ?? text.charAt(at);
    at += part.length;
    const depth = depths.at(-1);
    if (part === "`") {
      code += " ";
      skipTemplate();
    } else if (part === "}" && depth === 0) {
      depths.pop();
      code += " ";
      skipTemplate();
    } else {
      if (depth !== undefined && (part === "{" || part === "}")) {
        depths[depths.length - 1] = depth + (part === "{" ? 1 : -1);
      }
      const isString = /^["']/.test(part);
      code += part.length === 1 || (isString && keepStrings) ? part : hide(part);
    }
  }
  return code;
}
