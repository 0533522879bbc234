/** What the kits of other languages are made from, and whether their generated files are those of the control plane. */
import { assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { languages } from "../../scripts/kits/languages.ts";
import { type Member, readModel, type Type } from "../../scripts/kits/model.ts";
import { code, joinPath, toCamel, toPascal, toSnake, wrap } from "../../scripts/kits/text.ts";
import { controlRoutes } from "../../src/tools/control/routes.ts";
import { test } from "../runner.ts";

const model = readModel();

function callOf(name: string) {
  return model.calls.find((each) => each.name === name)!;
}

function describeMembers(members: readonly Member[]): string {
  return members.map(({ name, type, isRequired, isNullable }) =>
    `${name}${isRequired ? "" : "?"}: ${describeType(type)}${isNullable ? " or null" : ""}`
  ).join(", ");
}

function describeType(type: Type): string {
  if (type.kind === "list" || type.kind === "map") return `${type.kind} of ${describeType(type.of)}`;
  if (type.kind === "either") return type.of.map(describeType).join(" or ");
  if (type.kind === "constant") return `${type.value}`;
  return "name" in type ? type.name : type.kind;
}

test("kits: the model has each call of the control plane that is not for tenants alone, in its order", () => {
  const routes = controlRoutes.filter(({ only }) => only !== "tenant");
  assertEquals(
    model.calls.map(({ name, method, path, isOfServer }) => [name, method, path, isOfServer]),
    routes.map(({ name, method, path, only }) => [name, method, path, only === "server"]),
  );
  assertEquals(controlRoutes.length - routes.length, 2);
});

test("kits: a call says what callers must give, what they may, and who it is about", () => {
  const described = ["createHook", "changePerson", "showTimeline", "login", "authorize", "reset"].map(
    (name) => {
      const { forms, options, person, sends } = callOf(name);
      return [name, describeMembers(forms[0]!), options.length, person?.name, sends];
    },
  );
  assertEquals(described, [
    ["createHook", "name: HookName, patch: object", 4, undefined, "body"],
    ["changePerson", "username: text", 5, undefined, "body"],
    ["showTimeline", "", 1, undefined, "query"],
    ["login", "", 19, "username", "body"],
    ["authorize", "url: text", 4, "username", "body"],
    ["reset", "", 0, undefined, undefined],
  ]);
});

test("kits: a member has its type, and says whether it is required and may be null", () => {
  assertEquals(
    describeMembers(callOf("createGate").members),
    "endpoint: EndpointName, kind: GateKind, count?: integer, by?: duration, status?: integer, retryAfter?: duration",
  );
  assertEquals(
    describeMembers(callOf("moveClock").members),
    "advance?: duration, set?: time, freeze?: boolean or number or text, resume?: true, skew?: duration",
  );
  assertEquals(
    describeMembers(callOf("changeResource").members).split(", ").slice(0, 2),
    ["scope?: texts or null", "rules?: list of ResourceRule or null"],
  );
  assertEquals(
    describeMembers(callOf("watchGate").members),
    "arrived?: integer, wait?: integer",
  );
  const response = model.records.find(({ name }) => name === "RawResponse")!;
  assertEquals(
    describeMembers(response.members),
    "headers: list of list of text, body?: text, bodyLength?: unknown or number, status: integer",
  );
});

test("kits: the members of a token response are no members of a body that takes it", () => {
  const taking = model.calls.filter(({ forms: [first] }) =>
    first!.some(({ type }) => type.kind === "tokens")
  );
  const forms = taking.map(({ name, forms }) => [name, forms.map(describeMembers).join("; ")]);
  assertEquals(Object.fromEntries(forms), {
    ...{ endSession: "tokens: tokens", refresh: "tokens: tokens", rotateRefreshToken: "tokens: tokens" },
    dpopHeaders: "tokens: tokens, url: text",
    ...{ revoke: "tokens: tokens; token: text", expire: "tokens: tokens; token: text" },
  });
  assertEquals(model.calls.filter(({ forms }) => forms.length > 1).length, 2);
  assertEquals(describeMembers(callOf("revoke").members), "client?: text, clientKey?: object");
  assertEquals([callOf("expire").members, callOf("expire").sends], [[], "body"]);
});

test("kits: an answer is a type, the one member of an object, a text, or nothing", () => {
  const answers = ["login", "mint", "listGates", "explain", "describeEnvironment"].map((name) => {
    const { answer, member } = callOf(name);
    return [name, describeType(answer), member?.name, member?.isRequired];
  });
  assertEquals(answers, [
    ["login", "Tokens", undefined, undefined],
    ["mint", "text", "token", true],
    ["listGates", "list of Gate", "gates", true],
    ["explain", "text", "explanation", false],
    ["describeEnvironment", "map of text", undefined, undefined],
  ]);
  assertEquals([callOf("reset").answer, callOf("showTimeline").isText], [{ kind: "nothing" }, true]);
});

test("kits: each type that is used has a name, each name has one type, and no name is that of a place", () => {
  const names = [...model.records, ...model.enums].map(({ name }) => name);
  assertEquals(names.length, new Set(names).size);
  assertEquals(names.filter((name) => /Answer[A-Z]|Body/.test(name)), []);
  const used = new Set<string>();
  const visit = (type: Type): void => {
    if ("name" in type) used.add(type.name);
    if (type.kind === "either") type.of.forEach(visit);
    if (type.kind === "list" || type.kind === "map") visit(type.of);
  };
  for (const { members } of model.records) members.forEach(({ type }) => visit(type));
  for (const { members, answer } of model.calls) {
    members.forEach(({ type }) => visit(type));
    visit(answer);
  }
  assertEquals([...used].toSorted(), names.toSorted());
});

test("kits: a name is spelled as each language does", () => {
  const spell = (name: string) => [toSnake(name), toCamel(name), toPascal(name)];
  assertEquals(spell("userCode"), ["user_code", "userCode", "UserCode"]);
  assertEquals(spell("client_id"), ["client_id", "clientId", "ClientId"]);
  assertEquals(spell("EndpointName"), ["endpoint_name", "endpointName", "EndpointName"]);
});

test("kits: a template has the indentation of the file, also in the lines of a hole, and drops empty holes", () => {
  const written = code`

    type ${"Gate"} {
      ${["// one", "", "// two"]}
      ${""}
      ${[]}

      ${"a\n  b"} c
    }
  `;
  assertEquals(written, "\ntype Gate {\n  // one\n\n  // two\n\n  a\n    b c\n}");
});

test("kits: a path is texts and values that are joined, and a comment is wrapped between words", () => {
  const join = (path: string) => joinPath(path, (each) => `part(${each})`);
  assertEquals(join("/gates/{gate}/release"), '"/gates/" + part(gate) + "/release"');
  assertEquals(join("/gates/{gate}"), '"/gates/" + part(gate)');
  assertEquals([join(""), join("/reset")], ['""', '"/reset"']);
  assertEquals(wrap("one two three", 7), ["one two", "three"]);
  assertEquals([wrap("longer", 3), wrap("", 3)], [["longer"], [""]]);
});

for (const { folder, ending, write } of languages) {
  test(`kits: the generated files in ${folder} are those of the control plane (deno task kits)`, () => {
    const made = write(model);
    for (const [name, text] of made) {
      assertEquals(readFileSync(`${folder}/${name}`, "utf8") === text, true, name);
    }
    const committed = readdirSync(folder).filter((name) => name.endsWith(ending));
    assertEquals(committed.toSorted(), [...made.keys()].toSorted());
  });
}

test("kits: the Java kit has the version of the server", () => {
  const [, version] = /<artifactId>postern-junit<\/artifactId>\s*<version>([^<]+)</.exec(
    readFileSync("kits/java/pom.xml", "utf8"),
  )!;
  assertEquals(version, model.version);
});
