/** The errors of the engines and runtimes themselves say that a program is broken. Errors that a library throws do not. */

import { assert, assertEquals } from "@std/assert";
import { engineForms, isEngineError } from "../../../../src/kit/faults/engine_errors.ts";
import { judge, readThrown } from "../../../../src/kit/faults/judge.ts";
import type { Watch } from "../../../../src/kit/faults/misbehaviour.ts";
import { runtime, test } from "../../../runner.ts";

/** Programs that are broken, in JavaScript. They run as they are, because a compiler refuses or changes some of them. */
const broken: readonly string[] = [
  ...[
    "missing.refresh",
    "nothing.refresh",
    "object.a.b",
    "missing[object.name]",
    "missing.a = 1",
    "nothing.a = 1",
  ],
  ...["const { a } = missing", "const { a } = nothing", "const {} = missing", "const { a: { b } } = object"],
  ...[
    "(({ a }) => a)(missing)",
    "object.start()",
    "number()",
    "missing()",
    "(() => {})()()",
    'number.split(".")',
  ],
  ...['object["x"]()', "[1].map(missing)", "[1].forEach(object)", "[2, 1].sort(1)", "new Promise(missing)"],
  ...["new object.Thing()", "new (() => 1)()", "class A {} A()", "class A extends missing {}"],
  ...[
    "for (const a of missing) a",
    "for (const a of nothing) a",
    "for (const a of object) a",
    "for (const a of number) a",
  ],
  ...["[...missing]", "[...object]", "Math.max(...missing)", "Math.max(...object)", "const [a] = missing"],
  ...["const [a] = object", "const [a] = number", "new Map(object)", "new Map([1])", "new Set(5)"],
  ...[
    "Object.keys(missing)",
    "Object.entries(nothing)",
    "Object.fromEntries(missing)",
    "Object.fromEntries([1])",
  ],
  ...[
    "Array.from(missing)",
    '"a" in text',
    '"a" in missing',
    "object instanceof missing",
    "object instanceof object",
  ],
  ...[
    "const a = 1; a = 2",
    "frozen.a = 2",
    "frozen.b = 2",
    "frozen.list.push(1)",
    "delete frozen.a",
    "getter.a = 2",
  ],
  ...["Array.prototype.map.call(missing, number)", "Reflect.ownKeys(1)", "[].reduce((a, b) => a + b)"],
  ...[
    "`${Symbol()}`",
    "+Symbol()",
    "1n + 1",
    "Math.max(1n)",
    "JSON.stringify({ a: 1n })",
    "JSON.stringify(circular)",
  ],
  ...["`${Object.create(null)}`", "Map.prototype.get.call({}, 1)", "Date.prototype.getTime.call({})"],
  ...["const { get } = new URLSearchParams(); get(text)", "const { get } = new Headers(); get(text)"],
  ...["class A { #a = 1; static read(b) { return b.#a; } } A.read({})"],
  ...[
    'new URL("/token")',
    'new URL("")',
    "new URL(missing)",
    'new URL("/token", text)',
    'new Request("http://")',
    'return fetch("http://")',
  ],
  // A page has an address, and completes these.
  ...runtime === "chromium"
    ? []
    : ['new Request("/token")', 'return fetch("/token")', "return fetch(missing)", 'return fetch("")'],
  ...["Buffer.from(missing)", "Buffer.from(5)"],
  ...["undeclared", "undeclared()", "early; const early = 1"],
  ...["class A extends Object { constructor() { this.a = 1; } } new A()"],
  ...[
    "const again = () => again() + 1; again()",
    "new Array(-1)",
    "[].length = -1",
    "new Date(NaN).toISOString()",
  ],
  ...["new Intl.DateTimeFormat().format(NaN)", "text.repeat(-1)", "text.repeat(2 ** 31)", "(1).toFixed(101)"],
  ...["(1).toPrecision(101)", "(1).toString(1)", "String.fromCodePoint(-1)", "new Uint8Array(-1)"],
  ...["BigInt(1.5)", "new DataView(new ArrayBuffer(1)).getUint32(0)"],
];

async function provoke(program: string): Promise<unknown> {
  // A page has none.
  const Buffer = Reflect.get(globalThis, "Buffer");
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const values = {
    ...{ missing: undefined, nothing: null, object: {}, number: 5, text: "text", circular, Buffer },
    frozen: Object.freeze({ a: 1, list: Object.freeze([]) }),
    getter: Object.defineProperty({}, "a", { get: () => 1 }),
  };
  const run = new Function(...Object.keys(values), `"use strict"; ${program}`);
  try {
    await run(...Object.values(values));
  } catch (error) {
    return error;
  }
  throw new Error(`${program} does not fail`);
}

const here: readonly string[] = [runtime, runtime === "bun" ? "JavaScriptCore" : "V8"];

/** By a path alone, a client may let its runtime refuse an address of the metadata that has no host. */
const refused: { readonly [runtime: string]: readonly string[] } = {
  node: ['new Request("/token")', 'return fetch("/token")'],
  deno: ['new URL("/token")', 'new Request("/token")', 'return fetch("/token")'],
};

test("crashes: each error of this engine and runtime is one, unless it refuses an address without a host", async () => {
  const refusedHere = refused[runtime] ?? [];
  for (const program of broken) {
    const error = await provoke(program);
    assert(isEngineError(error), `${program}: ${error}`);
    const expected = refusedHere.includes(program) ? "refusal" : "crash";
    assertEquals(readThrown(error, {}).kind, expected, program);
  }
});

test("crashes: each form in the table is one that this engine or runtime has", async () => {
  const errors = await Promise.all(broken.map(provoke));
  for (const [name, forms] of Object.entries(engineForms)) {
    for (const [, form] of forms.filter(([of]) => of.some((each) => here.includes(each)))) {
      assert(errors.some((error) => isNamed(error, name) && form.test(error.message)), `${form}`);
    }
  }
});

function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

const deliberate: readonly Error[] = [
  new TypeError("TODO: Authorization server did not provide a token endpoint."),
  new TypeError('"expectedSubject" must not be empty'),
  new TypeError('"as.token_endpoint" must be a string'),
  new TypeError("The option fetch is not a function"),
  new TypeError("the issuer is not defined"),
  new TypeError("Invalid URL in the metadata"),
  new TypeError("client_id is required"),
  new TypeError(""),
  new RangeError("the token lives too long"),
  new ReferenceError("the token is not defined"),
];

test("crashes: an error that a library throws on purpose is none, but its refusal", () => {
  for (const error of deliberate) {
    const refusal = { kind: "refusal", error: error.message === "" ? error.name : `${error}` } as const;
    assertEquals([error, readThrown(error, {})], [error, refusal]);
    assertEquals(readThrown(new Error("the login failed", { cause: error }), {}).kind, "refusal");
  }
});

test("crashes: an unusual error of the runtime, or one that another process has told, refuses nothing", async () => {
  const ofRuntime = await provoke("new Headers({ a: '\\u1234' })");
  const told = deliberate.map((error) =>
    Object.assign(new Error(error.message), { name: error.name, stack: "" })
  );
  for (const error of [ofRuntime, ...told]) {
    assertEquals([error, readThrown(error, {}).kind], [error, "nothing"]);
  }
});

test("crashes: a browser that reaches no server says so, which refuses nothing", () => {
  const stack = "TypeError: Failed to fetch\n    at logIn (https://app.example/page.js:1:2)";
  const messages = [
    "Failed to fetch",
    "Failed to fetch (as.example)",
    "Load failed",
    "NetworkError when attempting to fetch resource.",
  ];
  for (const message of messages) {
    const error = Object.assign(new TypeError(message), { stack });
    assertEquals([message, readThrown(error, {}).kind], [message, "nothing"]);
    assertEquals(readThrown(error, { lossIsRefusal: true }).kind, "refusal");
  }
  const deliberate = Object.assign(new TypeError("Failed to fetch the keys of the issuer"), { stack });
  assertEquals(readThrown(deliberate, {}).kind, "refusal");
});

test("crashes: an error that shows nothing leaves the verdict to a sign", () => {
  const error = new TypeError("fetch failed: the network is away");
  const request = { endpoint: "token", params: new URLSearchParams() };
  const entry = { id: "1", receivedAt: 0, request: { method: "POST" }, response: { status: 200 }, facts: {} };
  const seen = { ...request, entry } as never;
  const outcomeOf = (watch: Watch) =>
    judge({ level: "must", watch }, {
      ...{ acted: [seen], later: [seen], earlier: [], usual: [], isHung: false, othersActed: false },
      word: readThrown(error, watch),
    }).outcome;
  assertEquals(outcomeOf({ sign: (later) => later }), "noticed");
  assertEquals([outcomeOf({ sign: () => [] }), outcomeOf({}), outcomeOf({ invisible: true })], [
    "unknown",
    "unknown",
    "unknown",
  ]);
});
