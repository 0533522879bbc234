/** What the npm package leaves out of its declarations. */
import { assertEquals } from "@std/assert";
import { leaveNeeded } from "../../scripts/package/needed_types.ts";
import { type EndpointName, listEndpointNames } from "../../src/kit/mock/endpoints.ts";
import { test } from "../runner.ts";

function leave(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(leaveNeeded(new Map(Object.entries(texts)), ["types/mod.d.ts"]));
}

test("declarations: what an entry exports and mentions stays with its comments, and nothing else", () => {
  assertEquals(
    leave({
      "types/mod.d.ts": `/** An entry. */
import type { Unused } from "./unused.ts";
/** Not shown. */
export { createIt, type Shown as Renamed } from "./made/it.ts";
export type * from "./all.ts";
`,
      "types/made/it.d.ts": `/** What makes it. */
import { type Hidden, type Option, left } from "../options.ts";
import type { Key } from "jose";
import type * as names from "../names.ts";
/** Makes it. */
export declare function createIt(option: Option, left: Key, ...others: Rest[]): Own;
/** Its own. */
interface Own {
    /** A member. */
    readonly list: {
        readonly name: keyof typeof names;
    };
    readonly createOther: number;
    others(Hidden: string): number;
    readonly [mark]: Partial<Deep>;
}
declare const mark: unique symbol;
interface Deep {
}
interface Rest {
}
declare function others(): Hidden;
export interface Shown {
}
/** Makes another. */
export declare function createOther(left: Hidden): Left;
interface Left {
}
export {};
`,
      "types/options.d.ts":
        'export { type Some as Option, Other } from "./some.ts";\nexport interface Hidden {\n}\n',
      "types/some.d.ts":
        "/** What some are. */\n/** Some. */\nexport type Some = import('./late.ts').Late;\nexport type Other = 1;\n",
      "types/names.d.ts":
        'export declare const first = 1, second = 2;\nexport { third } from "./third.ts";\n',
      "types/third.d.ts":
        "/** The third. */\nexport declare class third {\n}\nexport declare const fourth = 4;\n",
      "types/late.d.ts": "export interface Late {\n}\n",
      "types/all.d.ts": 'interface Here {\n}\nexport { Here };\nexport * from "./more.ts";\n',
      "types/more.d.ts": "export type More = 1;\n",
      "types/unused.d.ts": "export interface Unused {\n}\n",
    }),
    {
      "types/mod.d.ts": `export { createIt, type Shown as Renamed } from "./made/it.ts";
export type * from "./all.ts";
`,
      "types/made/it.d.ts": `import { type Option } from "../options.ts";
import type { Key } from "jose";
import type * as names from "../names.ts";
/** Makes it. */
export declare function createIt(option: Option, left: Key, ...others: Rest[]): Own;
/** Its own. */
interface Own {
\t/** A member. */
\treadonly list: {
\t\treadonly name: keyof typeof names;
\t};
\treadonly createOther: number;
\tothers(Hidden: string): number;
\treadonly [mark]: Partial<Deep>;
}
declare const mark: unique symbol;
interface Deep {
}
interface Rest {
}
export interface Shown {
}
export {};
`,
      "types/options.d.ts": 'export { type Some as Option } from "./some.ts";\n',
      "types/some.d.ts": "/** Some. */\nexport type Some = import('./late.ts').Late;\n",
      "types/late.d.ts": "export interface Late {\n}\n",
      "types/names.d.ts":
        'export declare const first = 1, second = 2;\nexport { third } from "./third.ts";\n',
      "types/third.d.ts": "/** The third. */\nexport declare class third {\n}\n",
      "types/all.d.ts": 'interface Here {\n}\nexport { Here };\nexport * from "./more.ts";\n',
      "types/more.d.ts": "export type More = 1;\n",
    },
  );
});

test("declarations: what an entry declares for others stays, with what it mentions", () => {
  const others = "declare global {\n  namespace Chai { interface Assertion extends Matchers<void> {} }\n}\n";
  assertEquals(
    leave({
      "types/mod.d.ts":
        `import type { Matchers } from "./matchers.js";\n${others}export declare const one = 1;\n`,
      "types/matchers.d.ts":
        "export interface Matchers<T> {\n    readonly is: T;\n}\nexport declare const two = 2;\n",
    }),
    {
      "types/mod.d.ts":
        `import type { Matchers } from "./matchers.js";\n${others}export declare const one = 1;\n`,
      "types/matchers.d.ts": "export interface Matchers<T> {\n\treadonly is: T;\n}\n",
    },
  );
});

// The package lists the names, and the sources compute their type: this does not compile if a name is missing.
const endpoints: Readonly<Record<EndpointName, true>> = {
  ...{
    authorize: true,
    par: true,
    sign_in: true,
    sign_up: true,
    second_factor: true,
    account: true,
    consent: true,
  },
  ...{ token: true, register: true, device_authorization: true, device_verification: true, userinfo: true },
  ...{ revoke: true, introspect: true, logout: true, jwks: true, metadata: true, resource: true, page: true },
};

test("declarations: the endpoints of the package are those of the type", () => {
  assertEquals([...listEndpointNames()].sort(), Object.keys(endpoints).sort());
});
