/** The calls and types of the Python kit. */
import { readFileSync } from "node:fs";
import { type Language, notice } from "./languages.ts";
import { type Call, type Member, type Model, type RecordType, type TypeForms, writeType } from "./model.ts";
import { code, toSnake, wrap } from "./text.ts";

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

const writeTypes = ({ version, records, enums }: Model): string =>
  code`
    ${describeModule("What the calls take and return.")}

    from __future__ import annotations

    from dataclasses import dataclass, field
    from datetime import datetime, timedelta
    from typing import Any, Literal, TypeAlias

    VERSION = "${version}"

    Json: TypeAlias = dict[str, Any]

    Duration: TypeAlias = timedelta | float | str
    """A timedelta, seconds, or a text such as "2h"."""

    Moment: TypeAlias = datetime | float | str
    """A datetime with a time zone, seconds since 1970, or an ISO text with a time zone."""
    ${
    enums.map(({ name, comment, values }) => {
      const texts = values.map((value) => JSON.stringify(value));
      const listed = texts.length === 1 ? texts[0]! : `\n${texts.map((text) => `    ${text},\n`).join("")}`;
      return `\n${name}: TypeAlias = Literal[${listed}]${docstring(comment, 0)}`;
    })
  }
    ${records.map(writeRecord)}

  `;

const writeRecord = ({ name, comment, members }: RecordType): string =>
  code`


    @dataclass(frozen=True, kw_only=True)
    class ${name}:
        ${comment === "" ? "" : `${docstring(comment, 4).trim()}\n`}
        ${members.map((member) => writeField(member) + docstring(member.comment, 4))}
  `;

/** A long line is broken as ruff does it. */
function writeField({ name, type, isRequired }: Member): string {
  const own = spell(name);
  const field = `${own}: ${writeType(type, types)}${isRequired ? "" : " | None"}`;
  if (own === name) return isRequired ? field : `${field} = None`;
  const terms = `${isRequired ? "" : "default=None, "}metadata={"json": "${name}"}`;
  const line = `${field} = field(${terms})`;
  return line.length + 4 <= longestLine ? line : `${field} = field(\n    ${terms}\n)`;
}

const types: TypeForms = {
  ...{
    text: "str",
    integer: "int",
    number: "float",
    boolean: "bool",
    any: "Any",
    object: "Json",
    nothing: "None",
  },
  ...{ duration: "Duration", time: "Moment", texts: "str | list[str]", tokens: "TokensLike" },
  constant: (value) => `Literal[${inPython(JSON.stringify(value))}]`,
  list: (of) => `list[${of}]`,
  map: (of) => `dict[str, ${of}]`,
  either: (of, write) => of.map(write).join(" | "),
};

function writeCalls({ calls, records, enums }: Model): string {
  const classes = code`
    class Calls:
        """The calls that a server and a tenant have."""

        connection: Connection
        """Where the control plane is, and the key for it."""

        def __init__(self, connection: Connection) -> None:
            self.connection = connection

        def send(
            self,
            method: str,
            path: str,
            *,
            query: Json | None = None,
            body: Json | None = None,
            as_text: bool = False,
        ) -> Any:
            """Sends any call of the control plane, also one that this class has no method for."""
            return self.connection.send(method, path, query, body, as_text)
        ${calls.filter(({ isOfServer }) => !isOfServer).map(writeCall)}


    class ServerCalls(Calls):
        """The calls that only a server has."""
        ${calls.filter(({ isOfServer }) => isOfServer).map(writeCall)}
  `;
  const names = ["Duration", "Json", "Moment", ...[...records, ...enums].map(({ name }) => name)].sort();
  return code`
    ${describeModule("The calls of the control plane.")}

    from __future__ import annotations

    from typing import Any, Literal

    from ._http import Connection
    from ._json import NOT_GIVEN, NotGiven, TokensLike, decode, nullable, part, token_members
    from ._types_generated import (
        ${names.filter((name) => new RegExp(`\\b${name}\\b`).test(classes)).map((name) => `${name},`)}
    )

    # The report of a failed test shows the line of the test, and not the members of a call.
    __tracebackhide__ = True


    ${classes}

  `;
}

interface Parameter {
  readonly name: string;
  readonly comment: string;
  readonly type: string;
}

/** A blank line is before each method. */
function writeCall(call: Call): string {
  const { forms, options, member } = call;
  // One parameter takes what the forms differ in.
  const first = forms[0]!.map((each, index) => {
    const of = [...new Set(forms.map((form) => form[index]!.type))];
    const comment = of.length === 1 ? each.comment : each.comment.replace(/\.$/, ", or a single token.");
    return describe({ ...each, comment, type: { kind: "either", of } });
  });
  const others = options.map(describe);
  // A call about a person alone takes the person first.
  const person = first.length === 0 ? others.filter((each) => each.name === "username") : [];
  const named = others.filter((each) => !person.includes(each));
  const write = ({ name, type }: Parameter): string => `${name}: ${type},`;
  return code`

    def ${spell(call.name)}(
        self,
        ${[...first, ...person].map(write)}
        ${named.length > 0 ? ["*,", ...named.map(write)] : ""}
    ) -> ${writeType(call.answer, types)}${member?.isRequired === false ? " | None" : ""}:
        ${docstring(call.comment, 8, [...first, ...person, ...named]).trim()}
        ${writeBody(call)}
  `;
}

function describe({ name, comment, type, isRequired, isNullable }: Member): Parameter {
  const written = writeType(type, types);
  const absent = isNullable ? " | NotGiven | None = NOT_GIVEN" : isRequired ? "" : " | None = None";
  return { name: spell(name), comment, type: written + absent };
}

function writeBody(call: Call): string {
  const { method, path, variables, sends, members, forms, answer, member, isText } = call;
  const target = path.replace(/\{(\w+)\}/g, (_, each: string) => `{part(${spell(each)})}`);
  const sent = members.map(({ name, isNullable }) =>
    `"${name}": ${isNullable ? `nullable(${spell(name)})` : spell(name)},`
  );
  const isOptional = member?.isRequired === false;
  const own = isOptional ? `.get("${member.name}")` : member === undefined ? "" : `["${member.name}"]`;
  const decoded = `decode(${writeType(answer, types)}, answer${own})${
    isOptional ? " if answer else None" : ""
  }`;
  return code`
    ${isText ? "text: str = " : answer.kind === "nothing" ? "" : "answer = "}self.send(
        "${method}",
        ${variables.length > 0 ? "f" : ""}"${target}",
        ${sends === undefined ? "" : `${sends}={`}
            ${forms[0]!.some((each) => each.name === "tokens") ? "**token_members(tokens)," : ""}
            ${sent}
        ${sends === undefined ? "" : "},"}
        ${isText ? "as_text=True," : ""}
    )
    ${isText ? "return text" : answer.kind === "nothing" ? "" : `return ${decoded}`}
  `;
}

/** Names of members are as Python spells them, and so are true, false and null. */
function inPython(comment: string): string {
  return comment.replaceAll("\\", "\\\\").replace(/\{ (\w+): (\w+) \}/g, '{"$1": $2}').replace(
    /(?<![\w".])(?:[a-z]+[A-Z]\w*(?!\.)|true|false|null)(?![\w"(]|\.\w)/g,
    (word) => ({ true: "True", false: "False", null: "None" })[word] ?? spell(word),
  );
}

/** Returns what follows the line that the comment is about. An empty comment is none. */
function docstring(comment: string, indent: number, parameters: readonly Parameter[] = []): string {
  if (comment === "") return "";
  const lines = wrap(inPython(comment), 97 - indent).join("\n");
  const args = parameters.filter((each) => each.comment !== "").map(({ name, comment }) =>
    `    ${wrap(`${name}: ${inPython(comment)}`, 92 - indent).join("\n        ")}`
  );
  if (args.length > 0) return `\n"""${lines}\n\nArgs:\n${args.join("\n")}\n"""`;
  return lines.includes("\n") ? `\n"""${lines}\n"""` : `\n"""${lines}${lines.endsWith('"') ? " " : ""}"""`;
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
