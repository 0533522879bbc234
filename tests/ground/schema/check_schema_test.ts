/** The schema checker: what fits, and where and how an error says what does not. */

import { assertEquals } from "@std/assert";
import { checkSchema } from "../../../src/ground/schema/check_schema.ts";
import { otherNames, type Schema } from "../../../src/ground/schema/schema.ts";
import { test } from "../../runner.ts";

const fits: readonly (readonly [name: string, schema: Schema, values: readonly unknown[]])[] = [
  ["anything", {}, [null, 0, NaN, -Infinity, "", [], {}, undefined]],
  ["a string", { type: "string" }, ["", "a"]],
  ["a short string", { type: "string", maxLength: 2 }, ["ab", "💻💻"]],
  ["an integer", { type: "integer" }, [0, -1, 1e300]],
  ["a number", { type: "number" }, [0, 0.5, -1e300]],
  ["a number above 0", { type: "number", exclusiveMinimum: 0 }, [0.001, 1]],
  ["a number in a range", { type: "number", minimum: 0, maximum: 1 }, [0, 0.5, 1]],
  ["null", { type: "null" }, [null]],
  ["a string or null", { type: ["string", "null"] }, ["a", null]],
  ["a constant", { const: true }, [true]],
  ["one of several", { enum: ["a", "b"] }, ["a", "b"]],
  ["an object", { type: "object" }, [{}, { a: 1 }, Object.create(null), Object.freeze({})]],
  ["an array", { type: "array", items: { type: "string" } }, [[], ["a"]]],
  ["a pair", { type: "array", minItems: 2, maxItems: 2 }, [["a", "b"]]],
  ["other members", { type: "object", additionalProperties: { type: "string" } }, [{}, { a: "b" }]],
  ["a member left out", { required: [], properties: { a: { type: "string" } } }, [{}, { a: undefined }]],
  ["alternatives", { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, ["a", [
    "a",
  ]]],
  [
    "alternatives beside other keywords",
    {
      type: "object",
      required: ["name"],
      anyOf: [{ properties: { name: { const: "a" } } }, { properties: { x: { type: "string" } } }],
    },
    [{ name: "a", x: 1 }, { name: "b", x: "y" }],
  ],
];

for (const [name, schema, values] of fits) {
  test(`checkSchema: ${name} fits`, () => {
    for (const value of values) assertEquals(checkSchema(value, schema), undefined, JSON.stringify(value));
  });
}

const closed: Schema = {
  type: "object",
  additionalProperties: false,
  properties: { scope: {}, resource: {} },
};
const synonyms: Schema = {
  additionalProperties: false,
  properties: { callback: { [otherNames]: ["redirectUri", "return-urls"] } },
};
const payment = {
  type: "object",
  required: ["type", "amount"],
  properties: { type: { const: "payment" }, amount: { type: "string" } },
} as const;
const account = {
  type: "object",
  required: ["type", "actions"],
  properties: { type: { const: "account" }, actions: { type: "array" } },
} as const;
/** An alternative has a second constant. */
const switched: Schema = {
  anyOf: [
    {
      type: "object",
      required: ["type", "isOn"],
      properties: { ...payment.properties, isOn: { const: true } },
    },
    account,
  ],
};
const details: Schema = { type: "array", items: { anyOf: [payment, account] } };

// Each row: the schema, the value, and the error as "place problem, not received".
const mismatches: readonly (readonly [schema: Schema, value: unknown, error: string])[] = [
  [{ type: "string" }, 5, " must be a string, not 5"],
  [{ type: "string" }, null, " must be a string, not null"],
  [{ type: "string", minLength: 1 }, "", ' must not be empty, not ""'],
  [{ type: "string", minLength: 8 }, "short", ' must have 8 characters or more, not "short"'],
  [{ type: "string", maxLength: 2 }, "💻💻💻", ' must have at most 2 characters, not "💻💻💻"'],
  [
    { pattern: "^auto(:.+)?$", examples: ["auto", "auto:bob"] },
    "x",
    ' must look like auto or auto:bob, not "x"',
  ],
  [
    { anyOf: [{ type: "integer" }, { type: "string", pattern: "^[0-9]+m$", examples: ["10m"] }] },
    1.5,
    " must be an integer or text like 10m, not 1.5",
  ],
  [
    { anyOf: [{ type: "integer" }, { type: "string", pattern: "^[0-9]+m$", examples: ["10m"] }] },
    "10 minutes",
    ' must look like 10m, not "10 minutes"',
  ],
  [{ type: "integer" }, 1.5, " must be an integer, not 1.5"],
  [{ type: "number" }, NaN, " must be a number, not NaN"],
  [{ type: "number" }, Infinity, " must be a number, not Infinity"],
  [{ type: "number" }, 10n, " must be a number, not 10n"],
  [{ type: "number", exclusiveMinimum: 0 }, 0, " must be a number above 0, not 0"],
  [{ type: "number", exclusiveMinimum: 0, maximum: 1 }, 2, " must be a number above 0 and up to 1, not 2"],
  [{ type: "number", maximum: 1 }, 2, " must be a number up to 1, not 2"],
  [{ type: "integer", minimum: 1 }, 0, " must be an integer of 1 or more, not 0"],
  [{ type: "integer", minimum: 1, maximum: 9 }, 10, " must be an integer from 1 to 9, not 10"],
  [{ type: "integer", minimum: 1, maximum: 9 }, false, " must be an integer from 1 to 9, not false"],
  [{ const: true }, false, " must be true, not false"],
  [{ const: true }, "canary", " must be true, not a string"],
  [{ const: "a" }, "b", ' must be a, not "b"'],
  [{ enum: ["a", "b"] }, "c", ' must be one of a, b, not "c"'],
  [{ enum: ["a", "b"] }, 5, " must be one of a, b, not 5"],
  [{ type: ["string", "null"] }, 5, " must be a string or null, not 5"],
  [{ type: "object" }, [], " must be an object, not an array"],
  [{ type: "object" }, new Map(), " must be an object, not a Map"],
  [{ type: "object" }, new URL("https://a.test"), " must be an object, not a URL"],
  [{ type: "object" }, Promise.resolve({}), " must be an object, not a promise: await it first"],
  [{ type: "array", items: { type: "string" } }, "a", " must be an array of strings, not a string"],
  [{ type: "array", items: { type: "string" } }, ["a", 5], "[1] must be a string, not 5"],
  [{ minItems: 2, maxItems: 2 }, ["a"], " must have 2 items, not an array"],
  [{ minItems: 1 }, [], " must have 1 item or more, not an array"],
  [{ maxItems: 3 }, ["a", "b", "c", "d"], " must have from 0 to 3 items, not an array"],
  [{ properties: { a: { items: { type: "string" } } } }, { a: [{}] }, "a[0] must be a string, not an object"],
  [{ additionalProperties: { type: "string" } }, { "a b": 5 }, '["a b"] must be a string, not 5'],
  [
    { properties: { a: { additionalProperties: { const: 1 } } } },
    { a: { "b.c": 2 } },
    'a["b.c"] must be 1, not 2',
  ],
  [{ required: ["a"], properties: { a: {} } }, {}, "a is required"],
  [{ required: ["a"], properties: { a: {} } }, { a: undefined }, "a is required"],
  [closed, { scpe: "a" }, "scpe is not known: did you mean scope?"],
  [synonyms, { redirect_uri: "a" }, "redirect_uri is not known: did you mean callback?"],
  [synonyms, { Return_URLs: "a" }, "Return_URLs is not known: did you mean callback?"],
  [closed, { zzz: "a" }, "zzz is not known: known are scope, resource"],
  [{ additionalProperties: false }, { zzz: "a" }, "zzz is not known: there are none"],
  [{ anyOf: [{ type: "number" }, { type: "string" }] }, [], " must be a number or a string, not an array"],
  [
    { anyOf: [{ const: true }, { type: "number" }, { type: "string" }] },
    false,
    " must be true, a number or a string, not false",
  ],
  [
    { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    ["a", 5],
    "[1] must be a string, not 5",
  ],
  [details, [{ type: "payment", amount: 5 }], "[0].amount must be a string, not 5"],
  [details, [{ type: "account" }], "[0].actions is required"],
  [details, [{ type: "other" }], '[0].type must be one of payment, account, not "other"'],
  [details, [{}], "[0].type is required"],
  [switched, { type: "payment", isOn: false }, "isOn must be true, not false"],
  [switched, { type: "payment" }, "isOn is required"],
  [details, ["payment"], "[0] must be an object, not a string"],
];

for (const [schema, value, error] of mismatches) {
  test(`checkSchema: ${error.trim()}`, () => {
    const found = checkSchema(value, schema);
    const received = found?.received === undefined ? "" : `, not ${found.received}`;
    assertEquals(`${found?.place} ${found?.problem}${received}`, error);
  });
}

test("checkSchema: an error about a name says what would be right there", () => {
  const expected = (value: unknown, schema: Schema) => checkSchema(value, schema)?.expected;
  assertEquals(expected({ zzz: 1 }, closed), "must be one of scope, resource");
  assertEquals(expected({ zzz: 1 }, { additionalProperties: false }), "must be left out");
  const required = (a: Schema): Schema => ({ required: ["a"], properties: { a } });
  assertEquals(expected({}, required({ type: "string", minLength: 1 })), "must be a string");
  assertEquals(expected({}, required({ type: "string", enum: ["x", "y"] })), "must be one of x, y");
  assertEquals(expected({}, required({})), "must be given");
});

const nested: Schema = {
  additionalProperties: false,
  properties: { id: {}, claims: { properties: { id: {}, email: {}, roles: {}, address: {}, token: {} } } },
};

test("checkSchema: a member that belongs in another member is shown there, to paste", () => {
  const problem = (value: unknown) => checkSchema(value, nested)?.problem;
  assertEquals(problem({ email: "a@b" }), 'belongs in claims: write "claims": { "email": "a@b" }');
  assertEquals(
    problem({ id: 1, email: "a@b", roles: ["x"] }),
    'belongs in claims: write "claims": { "email": "a@b", "roles": ["x"] }',
  );
  const longest = "x".repeat(198);
  assertEquals(problem({ email: longest }), `belongs in claims: write "claims": { "email": "${longest}" }`);
  assertEquals(problem({ claims: {}, roles: [] }), 'belongs in claims: write "roles": [] there');
  assertEquals(checkSchema([{ email: 1 }], { items: nested })?.place, "[0].email");
  assertEquals(checkSchema({ email: 1 }, nested)?.expected, "must be in claims");
  const twice: Schema = {
    additionalProperties: false,
    properties: {
      lists: { properties: { a: { type: "array" } } },
      texts: { properties: { a: { type: "string" } } },
    },
  };
  assertEquals(checkSchema({ a: "x" }, twice)?.problem, 'belongs in texts: write "texts": { "a": "x" }');
  assertEquals(checkSchema({ a: 5 }, twice)?.problem, "is not known: known are lists, texts");
});

test("checkSchema: a member that only the entries of one list have is said to belong there", () => {
  const listOf = (...names: string[]) => ({
    items: { properties: Object.fromEntries(names.map((name) => [name, {}])) },
  });
  const schema: Schema = {
    additionalProperties: false,
    properties: { clients: listOf("version", "name", "scope"), people: listOf("name"), scopes: {} },
  };
  const problem = (name: string) => checkSchema({ [name]: 1 }, schema)?.problem;
  assertEquals(problem("version"), "belongs in an entry of clients");
  assertEquals(problem("name"), "is not known: known are clients, people, scopes");
  assertEquals(problem("scope"), "is not known: did you mean scopes?");
});

test("checkSchema: a member that belongs elsewhere is not quoted if it may be a secret, or is long", () => {
  for (const value of [{ token: "canary" }, { address: { d: "canary" } }, { email: "x".repeat(199) }]) {
    const [name] = Object.keys(value);
    assertEquals(checkSchema(value, nested)?.problem, `belongs in claims: write "claims": { "${name}": … }`);
  }
});

test("checkSchema: an unknown name comes before a missing one, because it may be the misspelt one", () => {
  const schema: Schema = { ...closed, required: ["scope"] };
  assertEquals(checkSchema({ scpe: "a" }, schema)?.place, "scpe");
});

test("checkSchema: names that every object inherits are not members", () => {
  assertEquals(checkSchema({ toString: 1 }, closed)?.problem, "is not known: known are scope, resource");
  assertEquals(checkSchema({}, { required: ["a"], properties: { a: {} } })?.place, "a");
});

test("checkSchema: an error does not quote what may be a secret", () => {
  const cases: readonly (readonly [schema: Schema, value: unknown])[] = [
    // text where another type belongs
    ...(["boolean", "integer", "number", "object", "array", "null"] as const).map((type) =>
      [{ properties: { flag: { type } } }, { flag: "canary" }] as const
    ),
    ...["client_secret", "password", "jwks", "clientKey", "token", "access_token", "refresh_token", "d"].map((
      name,
    ) => [{ properties: { [name]: { enum: ["a"] } } }, { [name]: "canary" }] as const),
    [{ properties: { client_secret: { type: "string" } } }, { client_secret: 4711 }],
    [{ properties: { jwks: { properties: { keys: { items: { type: "object" } } } } } }, {
      jwks: { keys: [4711] },
    }],
    [{ properties: { url: { enum: ["a"] } } }, { url: "https://alice:canary@a.test" }],
    [{ properties: { url: { enum: ["a"] } } }, { url: "https://a.test/?code=canary" }],
    [{ properties: { url: { enum: ["a"] } } }, { url: "https://a.test/#canary" }],
  ];
  for (const [schema, value] of cases) {
    const found = JSON.stringify(checkSchema(value, schema));
    assertEquals(/canary|4711/.test(found), false, found);
  }
});
