/** The sources keep the rules of rules.ts, and each of those rules can fail. */
import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { describeViolations, findViolations, type Source } from "./rules.ts";
import { readSources } from "./sources.ts";

test("architecture: the sources keep every rule", () => {
  const violations = findViolations(readSources("src", "tests", "scripts"));
  if (violations.length > 0) throw new Error(`\n${describeViolations(violations)}\n`);
});

const header = "/** A file for a test. */\n";
const source = (path: string, code = ""): Source => ({ path, text: header + code });

// Each line: a file, its code, and words of the one rule that it breaks. Without words it breaks none.
const cases: readonly (readonly [path: string, code: string, rule?: string])[] = [
  ["src/http/router.ts", `import { json } from "./respond.ts";`],
  ["src/http/router.ts", `import { key } from "../crypto/jwk.ts";`, "http imports only http"],
  ["src/crypto/jwk.ts", `import { json } from "../http/respond.ts";`, "crypto imports only crypto"],
  [
    "src/store/sql.ts",
    `import type { Grant } from "../oauth/tokens/grant.ts";`,
    "store imports only store, crypto",
  ],
  ["src/oauth/tokens/grant.ts", `import type { Store } from "../../store/store.ts";`],
  [
    "src/oauth/tokens/grant.ts",
    `import { par } from "../../features/par.ts";`,
    "oauth imports only oauth, http, crypto, store",
  ],
  [
    "src/oauth/clients/client.ts",
    `import type { Grant } from "../tokens/grant.ts";`,
    "the folders of src/oauth/",
  ],
  ["src/oauth/tokens/grant.ts", `import type { Client } from "../clients/client.ts";`],
  ["src/oauth/tokens/grant.ts", `import { fail } from "../error.ts";`],
  ["src/oauth/services.ts", `import type { People } from "./people/people.ts";`],
  ["src/oauth/services.ts", `import { people } from "./people/people.ts";`, "for types only"],
  [
    "src/oauth/tokens/grant.ts",
    `import { words } from "../../pages/words/english.ts";`,
    "oauth imports only",
  ],
  [
    "src/oauth/tokens/grant.ts",
    `import { createServer } from "../../server/server.ts";`,
    "oauth imports only",
  ],
  [
    "src/oauth/tokens/grant.ts",
    `import css from "../../../static/page.css" with { type: "text" };`,
    "oauth imports only",
  ],
  ["src/mock/tenant.ts", `import { askPerson } from "../oauth/authorization/asking/ask_person.ts";`],
  ["src/mock/tenant.ts", `import type { Reply } from "../oauth/authorization/asking/contract.ts";`],
  ["src/oauth/authorization/asking/ask_person.ts", `import { approve } from "./end_request.ts";`],
  [
    "src/mock/tenant.ts",
    `import { approve } from "../oauth/authorization/asking/end_request.ts";`,
    "only ask_person.ts of src/oauth/authorization/asking/",
  ],
  [
    "src/oauth/authorization/pkce.ts",
    `import type { Step } from "./asking/next_step.ts";`,
    "only ask_person.ts of src/oauth/authorization/asking/",
  ],
  [
    "src/mock/tenant.ts",
    `import { lifetime } from "../oauth/authorization/asking/contract.ts";`,
    "types of its contract.ts",
  ],
  ["src/features/par.ts", `import type { Feature } from "../oauth/feature.ts";`],
  ["src/features/par.ts", `import { dpop } from "./dpop.ts";`, "features never import one another"],
  ["src/features/par.ts", `export { dpop } from "./dpop.ts";`, "features never import one another"],
  ["src/features/par.ts", `const late = await import("./dpop.ts");`, "features never import one another"],
  ["src/features/par.ts", `type Late = import("./dpop.ts").Dpop;`, "features never import one another"],
  ["src/features/par.ts", `import "./dpop.ts";`, "features never import one another"],
  [
    "src/features/par.ts",
    `import {\n  dpop,\n  other,\n} from "./dpop.ts";`,
    "features never import one another",
  ],
  ["src/features/par.ts", `import { page } from "../pages/page.tsx";`, "only through services.pages"],
  ["src/features/par/par.ts", `import { push } from "./push.ts";`],
  [
    "src/features/par/push.ts",
    `import { dpop } from "../dpop/dpop.ts";`,
    "features never import one another",
  ],
  ["src/features/par/push.ts", `import { dpop } from "../dpop.ts";`, "features never import one another"],
  ["src/features/mod.ts", `import { dpop } from "./dpop.ts";`],
  ["src/features/mod.ts", `import { dpop } from "./dpop/dpop.ts";`],
  ["src/server/server.ts", `import { defaultFeatures } from "../features/mod.ts";`],
  ["src/server/server.ts", `import { par } from "../features/par.ts";`, "only features/mod.ts imports"],
  ["src/mock/tenant.ts", `import type { Par } from "../features/par.ts";`, "only features/mod.ts imports"],
  ["src/pages/home.tsx", `import type { Pages } from "../oauth/pages.ts";`],
  ["src/pages/home.tsx", `import { type Pages, type Page } from "../oauth/pages.ts";`],
  ["src/pages/home.tsx", `import { type Pages, draw } from "../oauth/pages.ts";`, "write `import type`"],
  [
    "src/pages/home.tsx",
    `import type { Grant } from "../oauth/tokens/grant.ts";`,
    "pages import only oauth/pages.ts",
  ],
  [
    "src/pages/home.tsx",
    `import { json } from "../http/respond.ts";`,
    "pages imports only pages, schema, static",
  ],
  ["src/pages/home.tsx", `import css from "../../static/page.css" with { type: "text" };`],
  ["src/pages/home.tsx", `import { render } from "preact-render-to-string";\nimport { h } from "preact";`],
  ["src/features/par.ts", `import { h } from "preact";`, "only src/pages/ may import this"],
  ["src/crypto/jwt.ts", `import { SignJWT } from "jose";`],
  [
    "src/crypto/jwk.ts",
    `import { SignJWT } from "jose";`,
    "only src/crypto/jwt.ts and jwe.ts may import this",
  ],
  ["src/store/postgres.ts", `import postgres from "postgres";`],
  ["src/store/sql.ts", `import postgres from "postgres";`, "only src/store/postgres.ts may import this"],
  ["src/store/sqlite.ts", `import { DatabaseSync } from "node:sqlite";`],
  ["src/store/sqlite.ts", `import lodash from "lodash";`, "no run-time dependency"],
  ["src/cli/start.ts", `import process from "node:process";\nprocess.exit(Deno.pid);`],
  [
    "src/server/server.ts",
    `import process from "node:process";`,
    "only src/runtime/ and src/cli/ may import this",
  ],
  ["src/server/server.ts", `const pid = Deno.pid;`, "use a runtime's globals"],
  ["src/server/server.ts", `const made = typeof Bun === "object";`, "use a runtime's globals"],
  ["src/server/server.ts", `const home = process.env.HOME;`, "use a runtime's globals"],
  ["src/server/server.ts", `const home = globalThis.process?.env;`, "use a runtime's globals"],
  [
    "src/server/server.ts",
    "// Deno and process.env\nconst text = \"Bun.serve\" + 'process.env' + `Deno.serve(${1})`;",
  ],
  ["src/server/server.ts", "const text = `Deno.serve(${Deno.pid})`;", "use a runtime's globals"],
  [
    "src/server/server.ts",
    'const process = { id: 1 };\nconst quote = /[`"]/;\nconst { Deno: name } = versions;',
  ],
  [
    "src/server/server.ts",
    'const example = `\nimport { x } from "elsewhere";\n`;\n/*\nimport "elsewhere";\n*/',
  ],
  ["src/server/server.ts", `import { serve } from "../runtime/serve.ts";`, "server imports only"],
  ["src/server/server.ts", `const late = await import("../runtime/open_tls.ts");`],
  ["src/mod.ts", `export { createServer } from "./server/server.ts";`],
  ["src/mod.ts", `export { clock } from "./mock/conditions/clock.ts";`, "mod imports only"],
  ["src/mock/conditions/clock.ts", `import { createServer } from "../../server/server.ts";`],
  ["src/mock/conditions/clock.ts", `import { serve } from "../../runtime/serve.ts";`],
  ["src/mock/conditions/clock.ts", `import { start } from "../../cli/start.ts";`, "mock imports only"],
  [
    "src/mock/conditions/clock.ts",
    `import { control } from "../../control/control.ts";`,
    "mock imports only",
  ],
  ["src/mock/tenant.ts", `import { mint } from "./tokens/mint.ts";`],
  ["src/mock/mock.ts", `import { createTenant } from "./create_tenant.ts";`],
  ["src/mock/tokens/mint.ts", `import { plainRequest } from "../client/plain_request.ts";`],
  ["src/mock/tokens/mint.ts", `import { expire } from "./expire.ts";`],
  [
    "src/mock/client/refresh.ts",
    `import type { Forgery } from "../tokens/forge.ts";`,
    "the folders of src/mock/",
  ],
  ["src/mock/terms/members.ts", `import type { Tenant } from "../tenant.ts";`, "the folders of src/mock/"],
  ["src/control/control.ts", `import { clock } from "../mock/conditions/clock.ts";`],
  ["src/control/control.ts", `import { start } from "../cli/start.ts";`, "control imports only"],
  [
    "src/cli/start.ts",
    `import { serve } from "../runtime/serve.ts";\nimport { clock } from "../mock/conditions/clock.ts";`,
  ],
  ["src/other/file.ts", "", "src/ holds"],
  ["src/setup/read_settings.ts", `import { check } from "../schema/check_schema.ts";`],
  ["src/oauth/feature.ts", `import type { Schema } from "../schema/schema.ts";`],
  [
    "src/schema/check_schema.ts",
    `import type { Jwk } from "../crypto/jwk.ts";`,
    "schema imports only schema",
  ],
  ["src/server/server.ts", `import { readSettings } from "../setup/read_settings.ts";`],
  ["src/setup/read_settings.ts", `import { createServer } from "../server/server.ts";`, "setup imports only"],
  [
    "src/oauth/tokens/grant.ts",
    `import { check } from "../../setup/configuration.ts";`,
    "oauth imports only",
  ],
  ["src/http/Router.ts", "", "snake_case"],
  ["src/http/static-files.ts", "", "snake_case"],
];

for (const [path, code, rule] of cases) {
  test(`architecture: ${path} ${rule ? "may not hold" : "may hold"} ${JSON.stringify(code)}`, () => {
    const rules = findViolations([source(path, code)]).map((violation) => violation.rule);
    if (rule === undefined) assertEquals(rules, []);
    else assertEquals(rules.map((text) => text.includes(rule)), [true], rules.join("\n"));
  });
}

test("architecture: a file's first line says what it contains", () => {
  const rules = (text: string) => findViolations([{ path: "src/http/router.ts", text }]).length;
  assertEquals(rules("/** Finds the endpoint. */\n"), 0);
  assertEquals(rules("/**\n * Finds the endpoint.\n */\n"), 0);
  assertEquals(rules("export {};\n"), 1);
  assertEquals(rules("// Finds the endpoint.\n"), 1);
  assertEquals(rules("/** */\n"), 1);
  assertEquals(rules("/** @module */\n"), 1);
});

test("architecture: what one feature alone reaches is not in src/oauth/", () => {
  const used = source("src/oauth/tokens/push.ts", `import { bound } from "./bound.ts";`);
  const par = source("src/features/par/par.ts", `import { push } from "../../oauth/tokens/push.ts";`);
  const owned = (...sources: readonly Source[]) =>
    findViolations(sources).map(({ path, found }) => `${path} ${found}`).sort();
  assertEquals(owned(used, par), [
    "src/oauth/tokens/bound.ts serves the feature par alone",
    "src/oauth/tokens/push.ts serves the feature par alone",
  ]);
  const late = source("src/mock/mint.ts", `const { bound } = await import("../oauth/tokens/bound.ts");`);
  assertEquals(owned(used, par, late), ["src/oauth/tokens/push.ts serves the feature par alone"]);
  const other = source("src/features/dpop.ts", `import { push } from "../oauth/tokens/push.ts";`);
  assertEquals(owned(used, par, other), []);
});

test("architecture: imports form no cycle", () => {
  const found = findViolations([
    source("src/http/a.ts", `import { b } from "./b.ts";`),
    source("src/http/b.ts", `export * from "./c.ts";`),
    source("src/http/c.ts", `import { type A, a } from "./a.ts";`),
    source("src/http/d.ts", `import { a } from "./a.ts";`),
  ]);
  assertEquals(found, [{
    path: "src/http/a.ts",
    found: "is part of the cycle http/a.ts → http/b.ts → http/c.ts → http/a.ts",
    rule: "imports form no cycle",
  }]);
});

test("architecture: imports of types form no cycle either, except between the slots and the services", () => {
  const found = findViolations([
    source("src/http/a.ts", `import type { B } from "./b.ts";`),
    source("src/http/b.ts", `import { type A, type C } from "./a.ts";`),
    source("src/oauth/feature.ts", `import type { Services } from "./services.ts";`),
    source("src/oauth/services.ts", `import type { Slots } from "./feature.ts";`),
  ]);
  assertEquals(found.map(({ found }) => found), ["is part of the cycle http/a.ts → http/b.ts → http/a.ts"]);
});
