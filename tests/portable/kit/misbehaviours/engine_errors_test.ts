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

test("crashes: each error of this engine and runtime is one", async () => {
  for (const program of broken) {
    const error = await provoke(program);
    assert(isEngineError(error), `${program}: ${error}`);
    assertEquals(readThrown(error, {}).kind, "crash", program);
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

/** Messages of CPython 3.11. */
const ofPython: readonly (readonly [name: string, message: string])[] = [
  ["TypeError", "'NoneType' object is not subscriptable"],
  ["TypeError", "'NoneType' object does not support item assignment"],
  ["TypeError", "argument of type 'NoneType' is not iterable"],
  ["TypeError", "object of type 'NoneType' has no len()"],
  ["TypeError", "unsupported operand type(s) for +: 'NoneType' and 'int'"],
  ["TypeError", 'can only concatenate str (not "NoneType") to str'],
  ["TypeError", "cannot unpack non-iterable NoneType object"],
  ["TypeError", "'<' not supported between instances of 'NoneType' and 'int'"],
  ["TypeError", "string indices must be integers, not 'str'"],
  ["TypeError", "unhashable type: 'list'"],
  ["TypeError", "verify() missing 1 required positional argument: 'key'"],
  ["TypeError", "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"],
  ["TypeError", "the JSON object must be str, bytes or bytearray, not NoneType"],
  ["AttributeError", "'NoneType' object has no attribute 'get'"],
  ["NameError", "name 'token' is not defined"],
  ["KeyError", "'access_token'"],
  ["IndexError", "list index out of range"],
];

test("crashes: the errors of CPython itself are some, too", () => {
  for (const [name, message] of ofPython) {
    assert(isEngineError(Object.assign(new Error(message), { name })), message);
  }
  const forms = Object.values(engineForms).flat().filter(([of]) => of.includes("CPython"));
  for (const [, form] of forms) assert(ofPython.some(([, message]) => form.test(message)), `${form}`);
});

/** What Firefox 153 says to the broken programs. */
const ofFirefox: readonly (readonly [name: string, message: string])[] = [
  ["TypeError", 'can\'t access property "refresh", missing is undefined'],
  ["TypeError", 'can\'t access property "refresh", nothing is null'],
  ["TypeError", 'can\'t access property "b", object.a is undefined'],
  ["TypeError", 'can\'t access property "undefined", missing is undefined'],
  ["TypeError", 'can\'t access property "a", missing is undefined'],
  ["TypeError", 'can\'t access property "a", nothing is null'],
  ["TypeError", "missing is undefined"],
  ["TypeError", "nothing is null"],
  ["TypeError", "object.a is undefined"],
  ["TypeError", "(destructured parameter) is undefined"],
  ["TypeError", "object.start is not a function"],
  ["TypeError", "number is not a function"],
  ["TypeError", "missing is not a function"],
  ["TypeError", "(intermediate value)() is not a function"],
  ["TypeError", "number.split is not a function"],
  ["TypeError", "object.x is not a function"],
  ["TypeError", "object is not a function"],
  ["TypeError", "invalid Array.prototype.sort argument"],
  ["TypeError", "object.Thing is not a constructor"],
  ["TypeError", "() => 1 is not a constructor"],
  ["TypeError", "class constructors must be invoked with 'new'"],
  ["TypeError", "class heritage missing is not an object or null"],
  ["TypeError", "can't access property Symbol.iterator, missing is undefined"],
  ["TypeError", "can't access property Symbol.iterator, nothing is null"],
  ["TypeError", "object is not iterable"],
  ["TypeError", "number is not iterable"],
  ["TypeError", "iterable for Map should have array-like objects"],
  ["TypeError", "5 is not iterable"],
  ["TypeError", "can't convert undefined to object"],
  ["TypeError", "can't convert null to object"],
  ["TypeError", "iterable for Object.fromEntries should have array-like objects"],
  ["TypeError", "can't access property Symbol.iterator, items is undefined"],
  ["TypeError", 'cannot use \'in\' operator to search for "a" in "text"'],
  ["TypeError", "right-hand side of 'in' should be an object, got undefined"],
  ["TypeError", "invalid 'instanceof' operand missing"],
  ["TypeError", "invalid assignment to const 'a'"],
  ["TypeError", '"a" is read-only'],
  ["TypeError", 'can\'t define property "b": Object is not extensible'],
  ["TypeError", "can't define array index property past the end of an array with non-writable length"],
  ["TypeError", 'property "a" is non-configurable and can\'t be deleted'],
  ["TypeError", 'setting getter-only property "a"'],
  ["TypeError", "`target` argument of Reflect.ownKeys must be an object, got the number 1"],
  ["TypeError", "reduce of empty array with no initial value"],
  ["TypeError", "can't convert symbol to string"],
  ["TypeError", "can't convert symbol to number"],
  ["TypeError", "can't convert BigInt to number"],
  ["TypeError", "BigInt value can't be serialized in JSON"],
  ["TypeError", "cyclic object value"],
  ["TypeError", "can't convert Object.create(...) to string"],
  ["TypeError", "get method called on incompatible Object"],
  ["TypeError", "Date.prototype.getTime called on incompatible Object"],
  ["TypeError", "'get' called on an object that does not implement interface URLSearchParams."],
  ["TypeError", "'get' called on an object that does not implement interface Headers."],
  ["TypeError", "can't access private field or method: object is not the right class"],
  ["TypeError", "URL constructor: /token is not a valid URL."],
  ["TypeError", "URL constructor:  is not a valid URL."],
  ["TypeError", "URL constructor: undefined is not a valid URL."],
  ["TypeError", "URL constructor: text is not a valid URL."],
  ["TypeError", "Request constructor: http:// is not a valid URL."],
  ["TypeError", "Window.fetch: http:// is not a valid URL."],
  ["ReferenceError", "undeclared is not defined"],
  ["ReferenceError", "can't access lexical declaration 'early' before initialization"],
  ["ReferenceError", "must call super constructor before using 'this' in derived class constructor"],
  ["InternalError", "too much recursion"],
  ["RangeError", "invalid array length"],
  ["RangeError", "invalid date"],
  ["RangeError", "date value is not finite in DateTimeFormat.format()"],
  ["RangeError", "repeat count must be non-negative"],
  ["RangeError", "repeat count must be less than infinity and not overflow maximum string size"],
  ["RangeError", "precision 101 out of range"],
  ["RangeError", "radix must be an integer at least 2 and no greater than 36"],
  ["RangeError", "-1 is not a valid code point"],
  ["RangeError", "1.5 can't be converted to BigInt because it isn't an integer"],
  ["RangeError", "offset is outside the bounds of the DataView"],
];

/** What Safari says in other words than Bun, which has the same engine. */
const ofSafari: readonly (readonly [name: string, message: string])[] = [
  ["ReferenceError", "Can't find variable: undeclared"],
  ["ReferenceError", "Cannot access uninitialized variable."],
  ["TypeError", '"/token" cannot be parsed as a URL.'],
  ["TypeError", '"/token" cannot be parsed as a URL against "text".'],
  ["TypeError", "URL is not valid or contains user credentials."],
  ["TypeError", "Can only call URLSearchParams.get on instances of URLSearchParams"],
];

for (
  const [browser, messages, own] of [
    ["Firefox", ofFirefox, ["SpiderMonkey", "firefox"]],
    ["Safari", ofSafari, ["safari"]],
  ] as const
) {
  test(`crashes: the errors of ${browser} itself are some, and each of its forms is one of them`, () => {
    for (const [name, message] of messages) {
      const error = Object.assign(new Error(message), { name });
      assertEquals([message, readThrown(error, {}).kind], [message, "crash"]);
    }
    for (const [name, forms] of Object.entries(engineForms)) {
      for (
        const [, form] of forms.filter(([of]) => own.some((each) => (of as readonly string[]).includes(each)))
      ) {
        assert(messages.some(([each, message]) => each === name && form.test(message)), `${form}`);
      }
    }
  });
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
  for (
    const message of [
      "Failed to fetch",
      "Failed to fetch (as.example)",
      "Load failed",
      "NetworkError when attempting to fetch resource.",
    ]
  ) {
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
