/** The calls and types of the Python kit. */
import { readFileSync } from "node:fs";
import { type Language, notice } from "./languages.ts";
import type { Call, Member, Model, RecordType } from "./model.ts";
import { isGiven, takesOneToken, toSnake, type Type, wrap } from "./model.ts";

const folder = "kits/python/src/pytest_postern";

export const python: Language = {
  folder,
  ending: "_generated.py",
  serverCopy: `${folder}/postern.mjs`,
  write: (model) => {
    const calls = writeCalls(model);
    return new Map([
      ["_types_generated.py", writeTypes(model)],
      ["_calls_generated.py", calls],
      ["_calls_async_generated.py", toAsync(calls)],
      ["_async_generated.py", toAsync(readFileSync(`${folder}/_sync.py`, "utf8"))],
    ]);
  },
};

const width = 100;
/** As pyproject.toml has it. */
const longestLine = 110;

/** Python's own words cannot name a member. */
const reserved = new Set(
  ("and as assert async await break class continue def del elif else except finally for from global if import in is " +
    "lambda nonlocal not or pass raise return try while with yield").split(" "),
);

function spell(name: string): string {
  const snake = toSnake(name);
  return reserved.has(snake) ? `${snake}_` : snake;
}

const describeModule = (summary: string): string => `"""${summary}\n\n${notice.replaceAll("`", "``")}\n"""`;

function writeTypes({ version, records, enums }: Model): string {
  return [
    describeModule("What the calls take and return."),
    "",
    "from __future__ import annotations",
    "",
    "from dataclasses import dataclass, field",
    "from datetime import datetime, timedelta",
    "from typing import Any, Literal, TypeAlias",
    "",
    "VERSION = " + JSON.stringify(version),
    "",
    "Json: TypeAlias = dict[str, Any]",
    "",
    "Duration: TypeAlias = timedelta | float | str",
    '"""A timedelta, seconds, or a text such as "2h"."""',
    "",
    "Moment: TypeAlias = datetime | float | str",
    '"""A datetime with a time zone, seconds since 1970, or an ISO text with a time zone."""',
    ...enums.flatMap(({ name, comment, values }) => [
      "",
      ...values.length === 1 ? [`${name}: TypeAlias = Literal["${values[0]}"]`] : [
        `${name}: TypeAlias = Literal[`,
        ...values.map((value) => `    ${JSON.stringify(value)},`),
        "]",
      ],
      ...(comment === "" ? [] : docstring(comment, [], "")),
    ]),
    ...records.flatMap(writeRecord),
    "",
  ].join("\n");
}

function writeRecord({ name, comment, members }: RecordType): readonly string[] {
  return [
    "",
    "",
    "@dataclass(frozen=True, kw_only=True)",
    `class ${name}:`,
    ...(comment === "" ? [] : [...docstring(comment, [], "    "), ""]),
    ...members.flatMap((member) => [
      ...writeField(member),
      ...(member.comment === "" ? [] : docstring(member.comment, [], "    ")),
    ]),
  ];
}

/** A long line is broken as ruff does it. */
function writeField({ name, type, isRequired }: Member): readonly string[] {
  const own = spell(name);
  const field = `    ${own}: ${writeType(type)}${isRequired ? "" : " | None"}`;
  if (own === name) return [isRequired ? field : `${field} = None`];
  const terms = `${isRequired ? "" : "default=None, "}metadata={"json": "${name}"}`;
  const line = `${field} = field(${terms})`;
  return line.length <= longestLine ? [line] : [`${field} = field(`, `        ${terms}`, "    )"];
}

function writeType(type: Type): string {
  switch (type.kind) {
    case "text":
      return "str";
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "any":
      return "Any";
    case "object":
      return "Json";
    case "duration":
      return "Duration";
    case "time":
      return "Moment";
    case "texts":
      return "str | list[str]";
    case "constant":
      return `Literal[${inPython(JSON.stringify(type.value))}]`;
    case "list":
      return `list[${writeType(type.of)}]`;
    case "map":
      return `dict[str, ${writeType(type.of)}]`;
    case "either":
      return type.of.map(writeType).join(" | ");
    default:
      return type.name;
  }
}

function writeCalls(model: Model): string {
  const calls = model.calls.filter(({ only }) => only !== "tenant");
  const classes = writeClasses(calls);
  const text = classes.join("\n");
  const named = ["Duration", "Json", "Moment", ...[...model.records, ...model.enums].map(({ name }) => name)];
  const used = named.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return [
    describeModule("The calls of the control plane."),
    "",
    "from __future__ import annotations",
    "",
    "from typing import Any, Literal",
    "",
    "from ._http import Connection",
    "from ._json import NOT_GIVEN, NotGiven, TokensLike, decode, nullable, part, token_members",
    "from ._types_generated import (",
    ...used.toSorted().map((name) => `    ${name},`),
    ")",
    "",
    "# The report of a failed test shows the line of the test, and not the members of a call.",
    "__tracebackhide__ = True",
    ...classes,
    "",
  ].join("\n");
}

function writeClasses(calls: readonly Call[]): readonly string[] {
  return [
    "",
    "",
    "class Calls:",
    '    """The calls that a server and a tenant have."""',
    "",
    "    connection: Connection",
    '    """Where the control plane is, and the key for it."""',
    "",
    "    def __init__(self, connection: Connection) -> None:",
    "        self.connection = connection",
    "",
    "    def send(",
    "        self,",
    "        method: str,",
    "        path: str,",
    "        *,",
    "        query: Json | None = None,",
    "        body: Json | None = None,",
    "        as_text: bool = False,",
    "    ) -> Any:",
    '        """Sends any call of the control plane, also one that this class has no method for."""',
    "        return self.connection.send(method, path, query, body, as_text)",
    ...calls.filter(({ only }) => only === undefined).flatMap(writeCall),
    "",
    "",
    "class ServerCalls(Calls):",
    '    """The calls that only a server has."""',
    ...calls.filter(({ only }) => only === "server").flatMap(writeCall),
  ];
}

interface Parameter {
  readonly name: string;
  readonly comment: string;
  readonly type: string;
  /** Absent: it must be given. */
  readonly default?: string;
}

function writeCall(call: Call): readonly string[] {
  const { name, comment, method, path, variables, takesTokens, answer, member, isText } = call;
  // The path names the entry, and a call that changes it does not rename it.
  const body = call.body.filter((each) => isGiven(each, call));
  const takesOne = takesOneToken(call);
  const first: readonly Parameter[] = [
    ...variables.map((each) => ({ name: spell(each), comment: "", type: "str" })),
    ...(takesTokens
      ? [{
        name: "tokens",
        comment: `The answer of \`login\`${takesOne ? ", or a single token" : ""}.`,
        type: takesOne ? "TokensLike | str" : "TokensLike",
      }]
      : []),
    ...body.filter(({ isRequired }) => isRequired).map(describe),
  ];
  const others = [...body, ...call.query].filter(({ isRequired }) => !isRequired).map(describe);
  // A call about a person alone takes the person first.
  const person = first.length === 0 ? others.filter((each) => each.name === "username") : [];
  const named = others.filter((each) => !person.includes(each));
  const parameters = [...first, ...person, ...named];
  const result = isText ? "str" : answer === undefined ? "None" : writeType(answer);
  const isOptional = member?.isRequired === false;
  const target = path.replace(/\{(\w+)\}/g, (_, each: string) => `{part(${spell(each)})}`);
  const sent = [
    `"${method}"`,
    variables.length > 0 ? `f"${target}"` : `"${target}"`,
    ...writeMembers("query", call.query, []),
    ...writeMembers("body", body, takesTokens ? ["**token_members(tokens),"] : []),
    ...(isText ? ["as_text=True"] : []),
  ];
  const call_ = [
    "self.send(",
    ...sent.flatMap((each) => `${each},`.split("\n").map((line) => `    ${line}`)),
    ")",
  ];
  const returned = result === "None" || isText
    ? [
      (result === "None" ? "" : "text: str = ") + call_[0],
      ...call_.slice(1),
      ...(isText ? ["return text"] : []),
    ]
    : [
      `answer = ${call_[0]}`,
      ...call_.slice(1),
      `return decode(${result}, answer${
        member === undefined ? "" : isOptional ? `.get("${member.name}")` : `["${member.name}"]`
      })${isOptional ? " if answer else None" : ""}`,
    ];
  return [
    "",
    `    def ${spell(name)}(`,
    "        self,",
    ...[...first, ...person].map(writeParameter),
    ...(named.length > 0 ? ["        *,", ...named.map(writeParameter)] : []),
    `    ) -> ${result}${isOptional ? " | None" : ""}:`,
    ...docstring(comment, parameters, "        "),
    ...returned.map((line) => `        ${line}`),
  ];
}

function describe({ name, comment, type, isRequired, isNullable }: Member): Parameter {
  const written = writeType(type);
  return {
    ...{ name: spell(name), comment },
    type: isNullable ? `${written} | NotGiven | None` : isRequired ? written : `${written} | None`,
    ...(isRequired ? {} : { default: isNullable ? "NOT_GIVEN" : "None" }),
  };
}

function writeParameter({ name, type, default: value }: Parameter): string {
  return `        ${name}: ${type}${value === undefined ? "" : ` = ${value}`},`;
}

function writeMembers(
  name: "query" | "body",
  members: readonly Member[],
  before: readonly string[],
): readonly string[] {
  if (members.length + before.length === 0) return [];
  const lines = members.map((each) => {
    const own = spell(each.name);
    return `"${each.name}": ${each.isNullable ? `nullable(${own})` : own},`;
  });
  return [`${name}={\n${[...before, ...lines].map((line) => `    ${line}`).join("\n")}\n}`];
}

/** Names of members are as Python spells them, and so are true, false and null. */
function inPython(comment: string): string {
  return comment.replaceAll("\\", "\\\\").replace(/\{ (\w+): (\w+) \}/g, '{"$1": $2}').replace(
    /(?<![\w".])(?:[a-z]+[A-Z]\w*(?!\.)|true|false|null)(?![\w"(]|\.\w)/g,
    (word) => ({ true: "True", false: "False", null: "None" })[word] ?? spell(word),
  );
}

function docstring(comment: string, parameters: readonly Parameter[], indent: string): readonly string[] {
  const explained = parameters.filter((each) => each.comment !== "");
  const [first = "", ...more] = wrap(inPython(comment), width - indent.length - 3);
  if (more.length === 0 && explained.length === 0) {
    return [`${indent}"""${first}${first.endsWith('"') ? " " : ""}"""`];
  }
  return [
    `${indent}"""${first}`,
    ...more.map((line) => indent + line),
    ...(explained.length === 0 ? [] : ["", `${indent}Args:`]),
    ...explained.flatMap(({ name, comment }) =>
      wrap(`${name}: ${inPython(comment)}`, width - indent.length - 8)
        .map((line, index) => `${indent}${index === 0 ? "    " : "        "}${line}`)
    ),
    `${indent}"""`,
  ];
}

const made = /\b(Block|Calls|ClockOf|Control|GateBlock|MisbehaviourBlock|ServerCalls)\b/g;

/** Returns the same module for asyncio. A method that sends something is a coroutine there. */
function toAsync(text: string): string {
  return text
    .replace(
      /^"""[^]*?"""/,
      describeModule('The same as the module without "async" in its name, for asyncio.'),
    )
    .replace(/^( {4})def (?:.*\n)(?:(?: {5,}.*| {4}\).*)?\n)*/gm, (method) => {
      const waiting = method
        .replace(
          /\bself(?:\._calls)?\.(?:send|[a-z]+_[a-z_]+)\(/g,
          (sent) => unsent.test(sent) ? sent : `await ${sent}`,
        )
        .replace(/self\.connection\.send\(/, "await self.connection.send_async(")
        .replace("super().__exit__", "await super().__aexit__")
        .replace(/__(enter|exit)__/, "__a$1__");
      return waiting.includes("await ") ? waiting.replace("    def ", "    async def ") : waiting;
    })
    .replaceAll("a ``with``", "an ``async with``")
    .replace("._calls_generated", "._calls_async_generated")
    .replace(made, "Async$1");
}

/** These methods send nothing. */
const unsent = /\.(is_end|describe_end|judge)\(/;
