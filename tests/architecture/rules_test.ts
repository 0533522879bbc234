/** The sources keep the rules of rules.ts, and each of those rules can fail. */
import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { doors } from "./doors.ts";
import { describeViolations, findViolations, type Source } from "./rules.ts";
import { listFiles, readSources } from "./sources.ts";

test("architecture: the sources keep every rule", () => {
  const violations = findViolations(readSources("src", "tests", "scripts"), doors);
  if (violations.length > 0) throw new Error(`\n${describeViolations(violations)}\n`);
});

const header = "/** A file for a test. */\n";
const source = (path: string, code = ""): Source => ({ path, text: header + code });

interface Case {
  readonly path: string;
  readonly code: string;
  /** Words of the one rule that the file breaks. Absent: it breaks none. */
  readonly breaks?: string;
}

const par = "src/server/features/par.ts";
const grant = "src/server/oauth/contracts/grant.ts";
const server = "src/server/server.ts";
const tenant = "src/kit/mock/tenant.ts";
const features = "features never import one another";
const globals = "use a runtime's globals";

const cases: readonly Case[] = [
  // The parts.
  { path: "src/ground/http/router.ts", code: `import { json } from "./respond.ts";` },
  {
    path: "src/ground/http/router.ts",
    code: `import { key } from "../crypto/jwk.ts";`,
    breaks: "http imports only http",
  },
  {
    path: grant,
    code: `import { par } from "../../features/par.ts";`,
    breaks: "oauth imports only libraries, oauth",
  },
  {
    path: grant,
    code: `import css from "../../../../static/page.css" with { type: "text" };`,
    breaks: "oauth imports only",
  },
  { path: server, code: `import { serve } from "./runtime/serve.ts";`, breaks: "server imports only" },
  {
    path: "src/mod.ts",
    code: `export { clock } from "./kit/mock/conditions/clock.ts";`,
    breaks: "downwards",
  },
  {
    path: "src/ground/values/present.ts",
    code: `export { grant } from "../../server/oauth/contracts/grant.ts";`,
    breaks: "downwards",
  },
  { path: "src/other/file.ts", code: "", breaks: "src/ holds" },
  // The rooms of a folder.
  {
    path: "src/server/oauth/contracts/client.ts",
    code: `import type { AccessToken } from "../tokens/access_token.ts";`,
    breaks: "the rooms of src/server/oauth/",
  },
  {
    path: "src/server/oauth/contracts/feature.ts",
    code: `import type { SignInLimits } from "../people/sign_in_limits.ts";`,
  },
  {
    path: "src/server/oauth/contracts/feature.ts",
    code: `import { createSignInLimits } from "../people/sign_in_limits.ts";`,
    breaks: "the rooms of src/server/oauth/",
  },
  {
    path: "src/server/oauth/clients/metadata/scope.ts",
    code: `import { findClient } from "../records/find_client.ts";`,
    breaks: "the rooms of src/server/oauth/clients/",
  },
  {
    path: "src/kit/mock/terms/members.ts",
    code: `import type { Tenant } from "../tenant.ts";`,
    breaks: "the rooms of src/kit/mock/",
  },
  // The entry of a folder.
  {
    path: tenant,
    code: `import { end } from "../../server/oauth/authorization/asking/end_request.ts";`,
    breaks: "only src/server/oauth/authorization/steps.ts imports",
  },
  // Features.
  { path: par, code: `import { dpop } from "./dpop.ts";`, breaks: features },
  { path: par, code: `export { dpop } from "./dpop.ts";`, breaks: features },
  { path: par, code: `const late = await import("./dpop.ts");`, breaks: features },
  { path: par, code: `type Late = import("./dpop.ts").Dpop;`, breaks: features },
  { path: par, code: `import "./dpop.ts";`, breaks: features },
  { path: par, code: `import {\n  dpop,\n  other,\n} from "./dpop.ts";`, breaks: features },
  {
    path: "src/server/features/par/push.ts",
    code: `import { dpop } from "../dpop/dpop.ts";`,
    breaks: features,
  },
  {
    path: tenant,
    code: `import type { Par } from "../../server/features/par.ts";`,
    breaks: "only features/creators.ts imports",
  },
  // Pages.
  { path: par, code: `import { page } from "../pages/page.tsx";`, breaks: "only through services.pages" },
  {
    path: par,
    code: `import { page } from "../pages/sign_in/sign_up_props.ts";`,
    breaks: "only through services.pages",
  },
  {
    path: par,
    code: `import type { Page } from "../pages/page.tsx";`,
    breaks: "only through services.pages",
  },
  {
    path: "src/server/pages/home.tsx",
    code: `import { type Pages, draw } from "../oauth/contracts/pages.ts";`,
    breaks: "write `import type`",
  },
  {
    path: "src/server/pages/home.tsx",
    code: `import type { Grant } from "../oauth/contracts/grant.ts";`,
    breaks: "pages import only oauth/contracts/pages.ts",
  },
  // Packages.
  {
    path: par,
    code: `import { h } from "preact";`,
    breaks: "only src/server/pages/, src/kit/timeline/ and src/tools/ may import this",
  },
  {
    path: "src/server/store/sqlite.ts",
    code: `import lodash from "lodash";`,
    breaks: "no run-time dependency",
  },
  {
    path: server,
    code: `import process from "node:process";`,
    breaks: "only src/server/runtime/ and src/tools/cli/ may import this",
  },
  // The globals of runtimes.
  {
    path: "src/tools/cli/start/start.ts",
    code: `import process from "node:process";\nprocess.exit(Deno.pid);`,
  },
  { path: server, code: `const pid = Deno.pid;`, breaks: globals },
  { path: server, code: `const made = typeof Bun === "object";`, breaks: globals },
  { path: server, code: `const home = globalThis.process?.env;`, breaks: globals },
  { path: server, code: "const text = `Deno.serve(${Deno.pid})`;", breaks: globals },
  {
    path: server,
    code: "// Deno and process.env\nconst text = \"Bun.serve\" + 'process.env' + `Deno.serve(${1})`;",
  },
  {
    path: server,
    code: 'const process = { id: 1 };\nconst quote = /[`"]/;\nconst { Deno: name } = versions;',
  },
  {
    path: server,
    code: 'const example = `\nimport { x } from "elsewhere";\n`;\n/*\nimport "elsewhere";\n*/',
  },
  // Names.
  { path: "src/ground/http/Router.ts", code: "", breaks: "snake_case" },
  { path: "src/ground/http/static-files.ts", code: "", breaks: "snake_case" },
];

for (const { path, code, breaks } of cases) {
  test(`architecture: ${path} ${breaks ? "may not hold" : "may hold"} ${JSON.stringify(code)}`, () => {
    const rules = findViolations([source(path, code)]).map(({ rule }) => rule);
    if (breaks === undefined) assertEquals(rules, []);
    else assertEquals(rules.map((rule) => rule.includes(breaks)), [true], rules.join("\n"));
  });
}

test("architecture: a file's first line says what it contains", () => {
  const rules = (text: string) => findViolations([{ path: "src/ground/http/router.ts", text }]).length;
  assertEquals(rules("/** Finds the endpoint. */\n"), 0);
  assertEquals(rules("/**\n * Finds the endpoint.\n */\n"), 0);
  assertEquals(rules("export {};\n"), 1);
  assertEquals(rules("// Finds the endpoint.\n"), 1);
  assertEquals(rules("/** */\n"), 1);
  assertEquals(rules("/** @module */\n"), 1);
});

test("architecture: what one feature alone reaches is not in src/server/oauth/", () => {
  const used = source("src/server/oauth/tokens/push.ts", `import { bound } from "./bound.ts";`);
  const par = source("src/server/features/par/par.ts", `import { push } from "../../oauth/tokens/push.ts";`);
  const owned = (...sources: readonly Source[]) =>
    findViolations(sources).map(({ path, found }) => `${path} ${found}`).sort();
  assertEquals(owned(used, par), [
    "src/server/oauth/tokens/bound.ts serves the feature par alone",
    "src/server/oauth/tokens/push.ts serves the feature par alone",
  ]);
  const late = source(
    "src/kit/mint.ts",
    `const { bound } = await import("../server/oauth/tokens/bound.ts");`,
  );
  assertEquals(owned(used, par, late), ["src/server/oauth/tokens/push.ts serves the feature par alone"]);
  const other = source("src/server/features/dpop.ts", `import { push } from "../oauth/tokens/push.ts";`);
  assertEquals(owned(used, par, other), []);
});

test("architecture: a higher building imports only the doors of a lower one, and no other file is a door", () => {
  const found = (path: string, code: string, building = "server", door = "slots.ts") =>
    findViolations([source(path, code)], { [building]: { [door]: "a door" } }).map(({ path, found }) =>
      `${path} ${found}`
    );
  assertEquals(found(tenant, `import type { Slots } from "../../server/slots.ts";`), []);
  const unused = "src/server/slots.ts is a door that no higher building imports";
  assertEquals(found(tenant, `const late = await import("../../server/rehearse.ts");`), [
    `${tenant} imports "../../server/rehearse.ts"`,
    unused,
  ]);
  assertEquals(found(server, `import type { Slots } from "./slots.ts";`), [unused]);
  const plan = "src/tools/cli/start/plan.ts";
  const imports = (name: string) => `import type { X } from "../../../kit/mock/${name}";`;
  assertEquals(found(plan, imports("mock.ts"), "kit", "mock/mock.ts"), []);
  assertEquals(found(plan, imports("tenants.ts"), "kit", "mock/mock.ts"), [
    `${plan} imports "../../../kit/mock/tenants.ts"`,
    "src/kit/mock/mock.ts is a door that no higher building imports",
  ]);
});

test("architecture: the server has at most 91 doors, so that the list says what matters outside", () => {
  const count = Object.keys(doors["server"]!).length;
  assert(count > 50 && count <= 91, `${count} doors`);
});

test("architecture: tests of a building import no higher building, also through other files", () => {
  const broken = (path: string, code: string, ...others: readonly Source[]) =>
    findViolations([source(path, code), ...others]).map(({ found, rule }) => `${found}: ${rule}`);
  const rule = "tests of the server import no higher building and no script";
  const parTest = "tests/server/features/par_test.ts";
  const specifiers = [
    ...["../../../src/kit/mod.ts", "../../../src/tools/cli/plan.ts", "../../kit/mock/kept_world.ts"],
    ...["../../portable/tools/cli/world.ts", "../../../scripts/build.ts", "postern/mock"],
  ];
  for (const specifier of specifiers) {
    assertEquals(broken(parTest, `import { x } from "${specifier}";`), [`imports "${specifier}": ${rule}`]);
  }
  const site = source("tests/security/site.ts", `import type { Mock } from "../../src/kit/mod.ts";`);
  assertEquals(broken(parTest, `import { x } from "../../security/site.ts";`, site), [
    `imports "../../src/kit/mod.ts", through tests/security/site.ts: ${rule}`,
  ]);
  const kitTest = "tests/portable/kit/network/fetch_test.ts";
  assertEquals(broken(kitTest, `import { createMock } from "../../../../src/kit/mod.ts";`), []);
  assertEquals(broken(kitTest, `import { plan } from "../../../../src/tools/cli/plan.ts";`), [
    'imports "../../../../src/tools/cli/plan.ts": tests of the kit import no higher building and no script',
  ]);
  assertEquals(broken("tests/tools/cli/plan_test.ts", `import { x } from "../../../src/kit/mod.ts";`), []);
});

test("architecture: the pages have at most twelve style sheets, because a page requests each of its own", () => {
  const sheets = listFiles("static").filter((path) => path.endsWith(".css"));
  assert(sheets.length > 0 && sheets.length <= 12, `${sheets.length}: ${sheets.join(", ")}`);
});

test("architecture: imports form no cycle", () => {
  const found = findViolations([
    source("src/ground/http/a.ts", `import { b } from "./b.ts";`),
    source("src/ground/http/b.ts", `export * from "./c.ts";`),
    source("src/ground/http/c.ts", `import { type A, a } from "./a.ts";`),
    source("src/ground/http/d.ts", `import { a } from "./a.ts";`),
  ]);
  assertEquals(found, [{
    path: "src/ground/http/a.ts",
    found: "is part of the cycle ground/http/a.ts → ground/http/b.ts → ground/http/c.ts → ground/http/a.ts",
    rule: "imports form no cycle",
  }]);
});

test("architecture: imports of types form no cycle either", () => {
  const found = findViolations([
    source("src/ground/http/a.ts", `import type { B } from "./b.ts";`),
    source("src/ground/http/b.ts", `import { type A, type C } from "./a.ts";`),
  ]);
  assertEquals(found.map(({ found }) => found), [
    "is part of the cycle ground/http/a.ts → ground/http/b.ts → ground/http/a.ts",
  ]);
});
