/** Finds the programs of a document that run in a page: those have a button that runs them. */
import { Marked, type Tokens } from "marked";

/** A program with the files of its document that it imports. */
export interface SiteProgram {
  /** The file that people see. */
  readonly name: string;
  /** Its script, below the root of the site. */
  readonly address: string;
  /** All files of the document by their names. */
  readonly files: ReadonlyMap<string, string>;
}

/** What a program may import in a page. The site has these modules, or something that does their work. */
export const modulesInPages: ReadonlySet<string> = new Set([
  ...["postern", "postern/mock", "postern/browser"],
  ...["node:assert/strict", "node:test", "openid-client", "oauth4webapi", "jose", "arctic", "hono"],
]);

/**
 * What a program calls that a page does not have: a process, a port, certificates, fake timers of `node:test`, the page for
 * a callback. Browsers keep cookies from programs, and a service worker needs a file at the root of the site.
 */
const needsMore =
  /\b(?:process|Deno|Bun)\.|\.(?:listen|certificate|dispatcher)\b|"cookie"|\bcookie[:=]|sqliteStore|startWorker|t\.mock|authorizedPage/;

export const programFolder = "assets/programs";

/** `path` is the address of the document below the root of the site. */
export function findPrograms(markdown: string, path: string): readonly SiteProgram[] {
  const named = new Marked().lexer(markdown).flatMap((token) => {
    const { type, lang = "", text } = token as Tokens.Code;
    const [language = "", name, ...words] = lang.split(" ");
    const isProgram = type === "code" && /^[jt]s$/.test(language) && name?.includes(".") === true;
    return isProgram ? [{ name: name!, text, words }] : [];
  });
  const files = new Map(named.map(({ name, text }) => [name, text]));
  const helpers = new Set([...files.values()].flatMap((text) => listImports(text).flatMap(toLocal)));
  return named
    .filter(({ name, words }) =>
      (words.includes("page") || !helpers.has(name)) && !words.some((word) =>
        /^(types|fails|continues)$/.test(word)
      ) &&
      runsInPage(name, files)
    )
    .map(({ name }) => ({ name, files, address: `${programFolder}/${nameScript(path, name)}.js` }));
}

export function nameScript(path: string, name: string): string {
  return `${path.replace(/\.html$/, "")}-${name.replace(/\.m?[jt]s$/, "")}`.replaceAll("/", "-");
}

function runsInPage(name: string, files: ReadonlyMap<string, string>): boolean {
  const texts = collect(name, files);
  const imports = texts.flatMap(listImports).filter((each) => toLocal(each).length === 0);
  return imports.some((each) => each.startsWith("postern")) &&
    imports.every((each) => modulesInPages.has(each)) && !texts.some((text) => needsMore.test(text));
}

/** Returns the program and the files that it imports. */
function collect(name: string, files: ReadonlyMap<string, string>): readonly string[] {
  const text = files.get(name);
  // A file that the document does not show.
  if (text === undefined) return [`import "${name}";`];
  return [text, ...listImports(text).flatMap(toLocal).flatMap((each) => collect(each, files))];
}

/** Types are no imports of the program that runs. */
function listImports(text: string): readonly string[] {
  return [...text.matchAll(/^import (?!type )(?:[^;]*? from )?"([^"]+)"/gm)].map(([, each]) => each!);
}

function toLocal(imported: string): readonly string[] {
  return imported.startsWith("./") ? [imported.slice(2)] : [];
}
