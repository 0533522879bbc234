/** The calls and types of the Java kit. */
import { type Language, notice } from "./languages.ts";
import type { Call, EnumType, Member, Model, RecordType } from "./model.ts";
import {
  findNames,
  isGiven,
  ofTokens,
  takesOneToken,
  timeOf,
  toCamel,
  toPascal,
  type Type,
  withoutForms,
  wordsOf,
  wrap,
} from "./model.ts";

const packageName = "io.github.postern";
const sources = "kits/java/src/main";

export const java: Language = {
  folder: `${sources}/java/io/github/postern/api`,
  ending: ".java",
  serverCopy: `${sources}/resources/io/github/postern/postern.mjs`,
  write: (model) =>
    new Map(
      Object.entries(writeClasses(model)).map(([name, lines]) => [`${name}.java`, writeFile(lines)]),
    ),
};

function writeClasses(model: Model): Readonly<Record<string, readonly string[]>> {
  const calls = model.calls.filter(({ only }) => only !== "tenant");
  const answers = findNames(calls.map(({ answer }) => answer), model.records);
  const inputs = findNames(calls.flatMap(({ body }) => body.map(({ type }) => type)), model.records);
  return Object.fromEntries([
    ...model.enums.map((each) => [each.name, writeEnum(each)]),
    ...model.records.filter(({ name }) => answers.has(name)).map((each) => [each.name, writeRecord(each)]),
    ...model.records.filter(({ name }) => inputs.has(name)).map(({ name, comment, members }) => [
      `${name}Options`,
      writeOptions(`${name}Options`, comment || `What a {@code ${toCamel(name)}} has.`, members),
    ]),
    ...calls.filter((call) => optionsOf(call).length > 0).map((call) => [
      optionsName(call),
      writeOptions(
        optionsName(call),
        `What a test may say to {@link ${call.only === "server" ? "ServerCalls" : "Calls"}#${call.name}}.`,
        optionsOf(call),
      ),
    ]),
    ["Calls", writeCalls("Calls", calls.filter(({ only }) => only === undefined))],
    ["ServerCalls", writeCalls("ServerCalls", calls.filter(({ only }) => only === "server"), "Control")],
    ["PosternClock", [
      ...javadoc("Postern's clock. Only a test turns it, and no other clock moves with it."),
      "public final class PosternClock {",
      "  private final Calls calls;",
      "",
      ...javadoc("The kit makes it: {@code postern.clock()}.", "  "),
      "  public PosternClock(Calls calls) {",
      "    this.calls = calls;",
      "  }",
      "",
      ...javadoc("The time that Postern takes for now.", "  "),
      "  public Instant now() {",
      "    return calls.showClock().now();",
      "  }",
      ...calls.find(({ name }) => name === "moveClock")!.body.flatMap((each) =>
        writeSetters("Instant", each)
      ),
      "",
      "  private Instant put(String name, Object value) {",
      '    return calls.<Clock>call("POST", "/clock", Map.of(), Map.of(name, value), null, Clock.class).now();',
      "  }",
      "}",
    ]],
    ["Version", [
      ...javadoc("The version of the kit, which is that of the server."),
      "public final class Version {",
      ...javadoc("The version, such as 1.2.3.", "  "),
      `  public static final String VERSION = "${model.version}";`,
      "",
      "  private Version() {}",
      "}",
    ]],
    ["package-info", javadoc("The calls of the control plane, with what they take and return.")],
  ]);
}

const imported = [
  ["io.github.postern", ["Connection", "Control", "JsonName", "TokenSet"]],
  ["java.net", ["URI", "URLEncoder"]],
  ["java.nio.charset", ["StandardCharsets"]],
  ["java.time", ["Duration", "Instant"]],
  ["java.util", ["Arrays", "LinkedHashMap", "List", "Map"]],
  ["java.util.function", ["Consumer"]],
] as const;

function writeFile(lines: readonly string[]): string {
  const code = lines.join("\n");
  const imports = imported.flatMap(([from, names]) =>
    names.filter((name) => new RegExp(`(?<!\\.)\\b${name}\\b`).test(code)).map((name) =>
      `import ${from}.${name};`
    )
  );
  const own = `package ${packageName}.api;`;
  const isPackage = !/^public /m.test(code);
  return [
    `// ${notice}`,
    ...(isPackage ? [code, own] : [own, "", ...imports, ...(imports.length > 0 ? [""] : []), code]),
    "",
  ].join("\n");
}

function javadoc(comment: string, indent = "", tags: Readonly<Record<string, string>> = {}): string[] {
  const given = Object.entries(tags).filter(([, text]) => text !== "");
  const width = 100 - indent.length - 3;
  const lines = [
    ...(comment === "" ? [] : wrap(toHtml(comment), width)),
    ...(comment !== "" && given.length > 0 ? [""] : []),
    ...given.flatMap(([name, text]) => wrap(`@${name} ${toHtml(text)}`, width)),
  ];
  if (lines.length === 0) return [];
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

function toHtml(comment: string): string {
  return withoutForms(comment).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replace(/`([^`]*)`/g, "{@code $1}").replaceAll("*/", "*&#47;").replace(
      /@(?!code|link|param|return)/g,
      "&#64;",
    )
    .replace(/(?<![{\w])\{(?!@)([^{}]*)\}/g, "&#123;$1&#125;");
}

function writeEnum({ name, comment, values }: EnumType): readonly string[] {
  return [
    ...javadoc(comment || `The values of ${wordsOf(name).join(" ")}.`),
    `public enum ${name} {`,
    ...values.map((value, index) =>
      `${javadoc(`{@code ${value}}`, "  ").join("\n")}\n  ${toConstant(value)}("${value}")${
        index === values.length - 1 ? ";" : ","
      }`
    ),
    "",
    "  private final String value;",
    "",
    `  ${name}(String value) {`,
    "    this.value = value;",
    "  }",
    "",
    ...javadoc("Returns the value as the control plane spells it.", "  "),
    "  @Override",
    "  public String toString() {",
    "    return value;",
    "  }",
    "}",
  ];
}

function toConstant(value: string): string {
  const name = value.toUpperCase().replace(/[^A-Z\d]+/g, "_");
  return /^\d/.test(name) ? `V${name}` : name;
}

function writeRecord({ name, comment, members }: RecordType): readonly string[] {
  const isTokens = members.some((each) => each.name === "access_token");
  const components = members.map((member) => {
    const own = toCamel(member.name);
    return `    ${own === member.name ? "" : `@JsonName("${member.name}") `}${typeOf(member)} ${own}`;
  });
  if (isTokens) components.push('    @JsonName("*") Map<String, Object> more');
  const words = wordsOf(name).join(" ");
  return [
    ...javadoc(comment || `${/^[aeiou]/.test(words) ? "An" : "A"} ${words} in an answer.`, "", {
      ...Object.fromEntries(members.map((member) => {
        const isNull = !member.isRequired && typeOf(member) !== "boolean";
        return [`param ${toCamel(member.name)}`, `${member.comment} ${isNull ? "May be null." : ""}`.trim()];
      })),
      ...(isTokens ? { "param more": "The other members of the response, such as those of a hook." } : {}),
    }),
    `public record ${name}(`,
    components.join(",\n") + `)${isTokens ? "\n    implements TokenSet" : ""} {}`,
  ];
}

/** Returns the type of a component. What may be absent is null, or false if that is its default. */
function typeOf(member: Member): string {
  const { type, comment, isRequired } = member;
  const time = /^The seconds until/.test(comment) ? "duration" : timeOf(member);
  const written = writeType(time === undefined ? type : { kind: time });
  const isFalse = type.kind === "boolean" && !/Default: (?!false)/.test(comment);
  return isRequired || isFalse ? primitives[written] ?? written : written;
}

const primitives: Readonly<Record<string, string>> = { Integer: "int", Double: "double", Boolean: "boolean" };

function writeType(type: Type): string {
  switch (type.kind) {
    case "text":
      return "String";
    case "integer":
      return "Integer";
    case "number":
      return "Double";
    case "boolean":
      return "Boolean";
    case "object":
      return "Map<String, Object>";
    case "duration":
      return "Duration";
    case "time":
      return "Instant";
    case "texts":
      return "List<String>";
    case "list":
      return `List<${writeType(type.of)}>`;
    case "map":
      return `Map<String, ${writeType(type.of)}>`;
    case "record":
    case "enum":
      return type.name;
    case "either": {
      // A constant says that there is none, and one of a list of values is a short form of a record.
      const named = type.of.filter((each) => each.kind !== "constant");
      const whole = named.length === 1 ? named[0] : named.find((each) => each.kind === "record");
      return whole === undefined ? "Object" : whole.kind === "number" ? "Long" : writeType(whole);
    }
    default:
      return "Object";
  }
}

function optionsName({ name }: Call): string {
  return `${toPascal(name)}Options`;
}

/** What a caller may leave out. */
function optionsOf(call: Call): readonly Member[] {
  return [...call.body, ...call.query].filter((each) => !each.isRequired && isGiven(each, call));
}

function writeOptions(name: string, comment: string, members: readonly Member[]): readonly string[] {
  return [
    ...javadoc(comment),
    `public final class ${name} {`,
    "  private final Map<String, Object> members = new LinkedHashMap<>();",
    "",
    `  private ${name}() {}`,
    ...members.flatMap((member) => writeSetters(name, member)),
    "",
    `  static Map<String, Object> of(Consumer<${name}> options) {`,
    `    ${name} chosen = new ${name}();`,
    "    options.accept(chosen);",
    "    return chosen.members;",
    "  }",
    "",
    `  private ${name} put(String name, Object value) {`,
    "    members.put(name, value);",
    "    return this;",
    "  }",
    "}",
  ];
}

interface Setter {
  readonly name: string;
  /** Absent: the method takes nothing. */
  readonly type?: string;
  readonly value: string;
}

function writeSetters(owner: string, { name, type, comment, isNullable }: Member): readonly string[] {
  const spelled = toCamel(name);
  // Each object has a method `wait`, which is another thing.
  const own = spelled === "wait" ? "waitSeconds" : spelled;
  const either = type.kind === "either" ? type.of : [type];
  // true stands for the present time.
  const isTime = type.kind === "either" && /since 1970/.test(comment);
  const types: readonly Type[] = isTime ? [{ kind: "constant", value: true }, { kind: "time" }] : either;
  const setters = [
    ...types.map((each) => describeSetter(own, each)),
    ...(isNullable ? [{ name: `remove${toPascal(own)}`, value: "null" }] : []),
  ];
  return setters.flatMap((setter) => [
    "",
    ...javadoc(setter.value === "null" ? `Removes {@link #${own} ${own}}.` : comment, "  "),
    ...(setter.type?.endsWith(">...") ? ["  @SafeVarargs", '  @SuppressWarnings("varargs")'] : []),
    `  public ${setter.type?.endsWith(">...") ? "final " : ""}${owner} ${setter.name}(${
      setter.type === undefined ? "" : `${setter.type} ${own}`
    }) {`,
    `    return put("${name}", ${setter.value});`,
    "  }",
  ]);
}

function describeSetter(own: string, type: Type): Setter {
  const write = (written: string, value = own): Setter => ({ name: own, type: written, value });
  if (type.kind === "constant") {
    return {
      name: type.value === false ? `without${toPascal(own)}` : own,
      value: JSON.stringify(type.value),
    };
  }
  if (type.kind === "record") {
    return write(`Consumer<${type.name}Options>`, `${type.name}Options.of(${own})`);
  }
  if (type.kind === "list" && type.of.kind === "record") {
    const options = `${type.of.name}Options`;
    return write(`Consumer<${options}>...`, `Arrays.stream(${own}).map(${options}::of).toList()`);
  }
  if (type.kind === "texts") return write("String...", `${own}.length == 1 ? ${own}[0] : List.of(${own})`);
  if (type.kind === "list" && (type.of.kind === "text" || type.of.kind === "enum")) {
    return write(`${writeType(type.of)}...`, `List.of(${own})`);
  }
  if (type.kind === "list") {
    return write(`List<${type.of.kind === "object" ? "? extends Map<String, ?>" : "?"}>`);
  }
  if (type.kind === "object") return write("Map<String, ?>");
  const written = writeType(type);
  return write(primitives[written] ?? written);
}

function writeCalls(name: string, calls: readonly Call[], base?: string): readonly string[] {
  const own = [
    ...javadoc(
      "Returns the answer, or a member. After {@code List.class} comes the type of its values.",
      "  ",
    ),
    "  protected abstract <T> T call(",
    "      String method, String path, Map<String, ?> query, Map<String, ?> body, String member, Class<?>... type);",
    "",
    ...javadoc("Returns a part of a path.", "  "),
    "  static String part(String text) {",
    '    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");',
    "  }",
    "",
    "  private static Map<String, Object> membersOf(TokenSet tokens) {",
    "    Map<String, Object> members = new LinkedHashMap<>();",
    ...ofTokens.map((each) =>
      `    if (tokens.${toCamel(each)}() != null) members.put("${each}", tokens.${toCamel(each)}());`
    ),
    "    return members;",
    "  }",
  ];
  return [
    ...javadoc(`The calls that ${base === undefined ? "a server and a tenant have" : "only a server has"}.`),
    `public abstract class ${name}${base === undefined ? "" : ` extends ${base}`} {`,
    ...javadoc("The kit has the only subclasses.", "  "),
    ...(base === undefined
      ? [`  protected ${name}() {}`]
      : [`  protected ${name}(Connection connection) {`, "    super(connection);", "  }"]),
    ...(base === undefined ? ["", ...own] : []),
    ...calls.flatMap(writeCall),
    "}",
  ];
}

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

function writeCall(call: Call): readonly string[] {
  const { name, comment, takesTokens, answer, member } = call;
  const options = optionsOf(call);
  const required: readonly Parameter[] = call.body.filter((each) => each.isRequired).map((each) => {
    const { type = "boolean" } = describeSetter(toCamel(each.name), each.type);
    return { name: toCamel(each.name), type, comment: each.comment };
  });
  const withUri = required.map((each) => each.name === "url" ? { ...each, type: "URI" } : each);
  const username = { name: "username", type: "String", comment: "The person." };
  const variables = call.variables.map((each) => {
    const comment = `The id of the ${wordsOf(each.replace("_id", "")).join(" ")}.`;
    return each === "username" ? username : { name: toCamel(each), type: "String", comment };
  });
  const tokens = { name: "tokens", type: "TokenSet", comment: "The answer of {@code login}." };
  const token = { name: "token", type: "String", comment: "A single token." };
  const what = "What else it takes: each member has a method.";
  const chosen = { name: "options", type: `Consumer<${optionsName(call)}>`, comment: what };
  const result = call.isText ? "String" : answer === undefined ? "void" : writeType(answer);
  const define = (parameters: readonly Parameter[], lines: readonly string[]) => [
    "",
    ...javadoc(comment, "  ", {
      ...Object.fromEntries(parameters.map((each) => [`param ${each.name}`, each.comment])),
      ...(member?.isRequired === false ? { return: "null if there is none" } : {}),
    }),
    `  public ${result} ${name}(${parameters.map((each) => `${each.type} ${each.name}`).join(", ")}) {`,
    ...lines.map((line) => `    ${line}`),
    "  }",
  ];
  const forward = (
    given: readonly string[],
  ) => [`${result === "void" ? "" : "return "}${name}(${given.join(", ")});`];
  const credentials = takesTokens ? [tokens, ...(takesOneToken(call) ? [token] : [])] : [undefined];
  const both = "own -> options.accept(own.username(username))";
  const forms = name === "authorize" ? [required, withUri] : [required];
  return credentials.flatMap((credential) =>
    forms.flatMap((rest) => {
      const first = [...variables, ...(credential === undefined ? [] : [credential]), ...rest];
      const names = first.map((each) => each.name);
      const full = define(
        [...first, ...(options.length > 0 ? [chosen] : [])],
        writeBody(call, credential?.name, result),
      );
      if (options.length === 0) return full;
      const isAboutPerson = options.some((each) => each.name === "username") &&
        (first.length === 0 || options.some((each) => each.name === "deny"));
      const needsOptions = call.method === "PATCH" || name === "moveClock";
      return [
        ...(needsOptions ? [] : define(first, forward([...names, "options -> {}"]))),
        ...(isAboutPerson
          ? [
            ...define([...first, username], forward([...names, "options -> options.username(username)"])),
            ...define([...first, username, chosen], forward([...names, both])),
          ]
          : []),
        ...full,
      ];
    })
  );
}

function writeBody(call: Call, credential: string | undefined, result: string): readonly string[] {
  const { path, variables, answer, member, isText } = call;
  const hasBody = call.body.length > 0 || call.takesTokens;
  const hasOptions = optionsOf(call).length > 0;
  const chosen = `${optionsName(call)}.of(options)`;
  const query = call.query.length > 0 ? chosen : "Map.of()";
  const target = variables.reduce(
    (text, each) => text.replace(`{${each}}`, `" + Calls.part(${toCamel(each)}) + "`),
    `"${path}"`,
  ).replace(/ \+ ""$/, "");
  const inner = answer?.kind === "list" || answer?.kind === "map" ? `, ${writeType(answer.of)}.class` : "";
  const outer = result === "void" ? "Void" : result.replace(/<.*/, "");
  const types = isText ? "" : `, ${outer}.class${inner}`;
  const name = member === undefined ? "null" : `"${member.name}"`;
  const send = `call("${call.method}", ${target}, ${query}, ${hasBody ? "body" : "null"}, ${name}${types})`;
  return [
    ...(hasBody ? [`Map<String, Object> body = ${hasOptions ? chosen : "new LinkedHashMap<>()"};`] : []),
    ...(credential === "tokens" ? ["body.putAll(membersOf(tokens));"] : []),
    ...(credential === "token" ? ['body.put("token", token);'] : []),
    ...call.body.filter(({ isRequired }) => isRequired).map((each) =>
      `body.put("${each.name}", ${toCamel(each.name)});`
    ),
    `${result === "void" ? "" : "return "}${send};`,
  ];
}
