/** Why a page cannot run a test file: what the file reaches and a page does not have. */
import { isBuiltin } from "node:module";

/**
 * What a page does not have, by the modules that need it: those of Node without "node:", or paths. Files that need something
 * else of Node are refused, because a page has other means for it.
 */
export const pageLacks: readonly (readonly [modules: RegExp, reason: string])[] = [
  [/^child_process$/, "a page starts no processes"],
  [/^src\/tools\/cli\//, "the command line is a process"],
  [/^(?:sqlite|src\/server\/store\/(?:redis|postgres)\.ts)$/, "a page reaches no database"],
  [/^(?:net|tls|https?|src\/server\/runtime\/(?:serve|trusted_proxies)\.ts)$/, "a page has no sockets"],
  [/^src\/ground\/crypto\/x509\/(?:certificate|check_server)\.ts$/, "a page sees no certificates"],
  [/^fs(?:\/promises)?$/, "a page has no files"],
  [/^node_modules\/.*\/@auth\/core\//, "Auth.js runs on servers"],
];

/** The modules that each module imports, by its path below the repository or its name. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Returns the reason, or `undefined`. Throws if the file needs Node for what pages have, too. */
export function findReason(file: string, graph: Graph): string | undefined {
  const importers = new Map([[file, file]]);
  for (const path of importers.keys()) {
    for (const imported of graph.get(path) ?? []) {
      if (!importers.has(imported)) importers.set(imported, path);
    }
  }
  const reached = [...importers.keys()];
  const [, reason] = pageLacks.find(([modules]) => reached.some((path) => modules.test(path))) ?? [];
  const builtin = reached.find((path) => isBuiltin(path));
  if (reason !== undefined || builtin === undefined) return reason;
  const importer = importers.get(builtin)!;
  const library = /^node_modules\/.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(importer)?.[1];
  if (library !== undefined) return `${library} is for Node`;
  throw new Error(
    `${file} cannot run in a page, because ${importer} imports node:${builtin}: expected a module that pages have, or a file ` +
      `beside it whose name ends in _browser.ts`,
  );
}
