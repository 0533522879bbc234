/** Which files of the server and the kit need Node's modules, and what stands in for them in a web page. */
import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { type Import, readImports } from "./rules.ts";
import { readSources } from "./sources.ts";

/** The files that import `node:` modules, or the folders of such files, each with the reason. */
const needing: Readonly<Record<string, string>> = {
  "src/ground/crypto/platform.ts": "the platform: hashes and signs",
  "src/ground/values/octets.ts": "Buffer is the fastest way to encode octets",
  "src/ground/crypto/x509/certificate.ts": "reads the keys of certificates, for listeners and mutual TLS",
  "src/ground/crypto/x509/check_server.ts": "checks the certificates of databases",
  "src/ground/crypto/x509/parsed_certificate.ts": "verifies certificates, for mutual TLS",
  "src/ground/http/content_coding.ts": "Brotli, which CompressionStream does not have everywhere",
  "src/ground/http/send_to_address.ts": "sends requests to a checked address",
  "src/server/runtime/": "the listeners, and timers that no test can replace",
  "src/server/store/": "databases",
  "src/kit/mock/client/client_certificates.ts": "reads the keys of certificates, for mutual TLS",
  "src/kit/mock/network/agents.ts": "intercepts the agents of node:http",
  "src/kit/mock/network/dispatch.ts": "answers undici",
  "src/kit/mock/network/listening.ts": "listens",
  "src/kit/runners/": "test runners",
};

const entries = ["src/tools/browser/mod.ts", "src/tools/browser/worker/worker.ts"];

const sources = readSources("src");
const imports = sources.flatMap(readImports).filter(({ typesOnly }) => !typesOnly);
const paths = new Set(sources.map(({ path }) => path));
const inBrowser = (path: string) => path.replace(/\.ts$/, "_browser.ts");
const standIns = [...paths].filter((path) =>
  path.endsWith("_browser.ts") && paths.has(path.replace("_browser.ts", ".ts"))
);

test("platform: only listed files of the ground floor, the server and the kit import Node's modules", () => {
  const importing = new Set(
    imports.filter(({ path, specifier }) =>
      /^src\/(ground|server|kit)\//.test(path) && specifier.startsWith("node:")
    )
      .map(({ path }) => path),
  );
  const isListed = (path: string) => Object.keys(needing).some((each) => path.startsWith(each));
  assertEquals([...importing].filter((path) => !isListed(path)), []);
  assertEquals(
    Object.keys(needing).filter((each) => ![...importing].some((path) => path.startsWith(each))),
    [],
  );
});

test("platform: the bundles for web pages and for their worker reach no module of Node and no optional package", () => {
  const reached = new Set<string>();
  const visit = (path: string): readonly Import[] => {
    if (reached.has(path)) return [];
    reached.add(path);
    return imports.filter((each) => each.path === path).flatMap((each) => {
      if (each.target === undefined) return [each];
      return visit(paths.has(inBrowser(each.target)) ? inBrowser(each.target) : each.target);
    });
  };
  const packages = new Set(
    entries.flatMap(visit).map(({ specifier }) => specifier.replace(/^(@[^/]+\/)?([^/]+).*/, "$1$2")),
  );
  assertEquals([...packages].sort(), ["@noble/hashes", "jose", "preact", "preact-render-to-string"]);
  assert(
    reached.has("src/ground/crypto/platform_browser.ts") && reached.size > 400,
    `${reached.size} modules`,
  );
});

test("platform: what stands in for a file in a web page exports nothing else", () => {
  assert(standIns.length >= 10, `${standIns.length}`);
  const namesOf = (path: string): readonly string[] => {
    const { text } = sources.find((each) => each.path === path)!;
    const declared = [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map((
      [, name = ""],
    ) => name);
    const listed = [...text.matchAll(/^export \{ ([^}]+) \}/gm)].flatMap(([, names = ""]) =>
      names.split(", ")
    );
    const all = [...text.matchAll(/^export \* from "(.+)"/gm)].map(([, specifier = ""]) => specifier);
    return [...new Set([...declared, ...listed, ...all])].sort();
  };
  for (const path of standIns) {
    const names = namesOf(path.replace("_browser.ts", ".ts"));
    assertEquals(namesOf(path).filter((name) => !names.includes(name)), [], path);
  }
});

test("platform: only other stand-ins import what stands in for a file in a web page", () => {
  const wrong = imports.filter(({ path, target = "" }) =>
    standIns.includes(target) && !standIns.includes(path)
  );
  assertEquals(wrong.map(({ path, target }) => `${path}: ${target}`), []);
});
