/** The programs of the documentation as modules, each with the declarations that the text around it assumes. */

import { assert } from "@std/assert";
import { readFile } from "node:fs/promises";
import { root } from "./project.ts";

interface Surroundings {
  /** Matches the programs that need these declarations. */
  readonly of: RegExp;
  readonly before: string;
}

// the types of Express are in another package
const express = `import { createServer } from "postern";
import type { IncomingMessage, ServerResponse } from "node:http";
type Handler = (
  req: IncomingMessage & { readonly method: string; readonly originalUrl: string; readonly body: string },
  res: ServerResponse & { status(code: number): ServerResponse },
) => Promise<void>;
declare const express: { text(options: { readonly type: string }): Handler };
declare const app: { use(...handlers: readonly Handler[]): void };
const server = createServer();
`;

const surroundings: readonly Surroundings[] = [
  {
    of: /^app\.all\(/m,
    before: `import { Hono } from "hono";
import { createServer } from "postern";
const app = new Hono(), server = createServer();
`,
  },
  { of: /^app\.use\(/m, before: express },
  {
    of: /openMyStore/,
    before: `import { memoryStore } from "postern";
declare const Deno: { test(name: string, fn: () => Promise<void>): void };
const openMyStore = () => Promise.resolve(memoryStore());
`,
  },
];

/** Text by file name. */
export async function readPrograms(): Promise<Readonly<Record<string, string>>> {
  const names = [
    ...["test_a_login", "test_refresh_races", "test_an_api", "reference/test_kit"],
    ...["in_your_own_program", "write_a_store"],
  ];
  const pages = await Promise.all(names.map((name) => readFile(`${root}docs/${name}.md`, "utf8")));
  const text = pages.join("\n");
  const programs = [...text.matchAll(/^```(?:js|ts|typescript)\n([^]*?)^```$/gm)].map((
    [, code = ""],
  ) => code);
  const [, changes = ""] = /^```diff\n([^]*?)^```$/m.exec(text) ?? [];
  const changed = [...changes.matchAll(/^\+ (.*)$/gm)].map(([, line]) =>
    `import { createMock } from "postern/mock";\n${line}\nawait as.login();\n`
  );
  assert(programs.length > 0 && changed.length > 0);
  const modules = [...programs, ...changed].map((code) =>
    (surroundings.find(({ of }) => of.test(code))?.before ?? "") + code
  );
  return Object.fromEntries(modules.map((code, index) => [`readme_${index + 1}.ts`, code]));
}
