/** Makes package.json from deno.json and from the packages that the modules import. */
import { libraries } from "../../src/ground/values/library.ts";
import { declarationOf } from "./declarations.ts";
import { browser, command, entries, folder, msw, runners, worker } from "./entries.ts";

/** The members of deno.json that the package needs. */
export interface Configuration {
  readonly version: string;
  readonly license: string;
  readonly imports: Readonly<Record<string, string>>;
}

export const repository = "https://github.com/postern/postern";

export function describePackage(
  { version, license, imports }: Configuration,
  imported: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    name: "postern",
    version,
    description:
      "A pocket OAuth 2.1 authorization server: strict by default, small enough to live inside a test.",
    keywords: [
      ...["oauth", "oauth2", "oauth2.1", "openid-connect", "oidc", "authorization-server"],
      ...["pkce", "jwt", "mock", "test", "testing"],
    ],
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: "git", url: `git+${repository}.git` },
    license,
    type: "module",
    // The parts of the modules for pages register themselves.
    sideEffects: [`./${command.file}.js`, `./${browser.file}/page_*.js`, `./${worker.file}/*.js`],
    engines: { node: ">=20.12" },
    bin: { postern: `./${command.file}.js` },
    exports: {
      ...Object.fromEntries([...entries, browser, msw].map(({ name, source, file }) => [name, {
        types: declarationOf(source).replace(folder, "."),
        default: `./${file}.js`,
      }])),
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(imported.map((name) => [name, readRange(name, imports)])),
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }])),
  };
}

const peers = {
  // A store loads its library when it is opened.
  ...libraries,
  // Any version, because npm refuses to install a package beside a runner outside of its range.
  ...Object.fromEntries(runners.map((name) => [name, "*"])),
};

function readRange(name: string, imports: Configuration["imports"]): string {
  const range = /^npm:.*@(\^[^@/]*)$/.exec(imports[name] ?? "")?.[1];
  if (range === undefined) throw new Error(`deno.json has no ^ range for ${name}`);
  return range;
}
