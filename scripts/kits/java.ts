/** The calls and types of the Java kit. */
import { type Language, notice } from "./languages.ts";
import { type Call, type EnumType, type Member, type Model, ofTokens, type RecordType } from "./model.ts";
import { timeOf, type Type, type TypeForms, writeType } from "./model.ts";
import { code, joinPath, toCamel, toPascal, withoutForms, wordsOf, wrap } from "./text.ts";

const sources = "kits/java/src/main";

export const java: Language = {
  folder: `${sources}/java/io/github/postern/api`,
  ending: ".java",
  serverCopy: `${sources}/resources/io/github/postern/postern.mjs`,
  write: (model) =>
    new Map(
      Object.entries(writeClasses(model)).map(([name, text]) => [`${name}.java`, writeFile(text)]),
    ),
};

function writeClasses({ version, calls, records, enums }: Model): Readonly<Record<string, string>> {
  const moves = calls.find(({ name }) => name === "moveClock")!.options;
  return Object.fromEntries([
    ...enums.map((each) => [each.name, writeEnum(each)]),
    ...records.filter(({ isReceived }) => isReceived).map((each) => [each.name, writeRecord(each)]),
    ...records.filter(({ isSent }) => isSent).map(({ name, comment, members }) => {
      const own = `${name}Options`;
      return [own, writeOptions(own, comment || `What a {@code ${toCamel(name)}} has.`, members)];
    }),
    ...calls.filter(({ options }) => options.length > 0).map((call) => {
      const place = `${call.isOfServer ? "ServerCalls" : "Calls"}#${call.name}`;
      const own = optionsName(call);
      return [own, writeOptions(own, `What a test may say to {@link ${place}}.`, call.options)];
    }),
    ["Calls", writeCalls(calls.filter(({ isOfServer }) => !isOfServer))],
    ["ServerCalls", writeServerCalls(calls.filter(({ isOfServer }) => isOfServer))],
    ["PosternClock", writeClock(moves)],
    ["Version", writeVersion(version)],
    ["package-info", javadoc("The calls of the control plane, with what they take and return.")],
  ]);
}

const imported = {
  "io.github.postern": ["Connection", "Control", "TokenSet"],
  "java.net": ["URI", "URLEncoder"],
  "java.nio.charset": ["StandardCharsets"],
  "java.time": ["Duration", "Instant"],
  "java.util": ["Arrays", "LinkedHashMap", "List", "Map"],
  "java.util.function": ["Consumer"],
};

function writeFile(text: string): string {
  const isUsed = (name: string) => new RegExp(`(?<!\\.)\\b${name}\\b`).test(text);
  const imports = Object.entries(imported).flatMap(([from, names]) =>
    names.filter(isUsed).map((name) => `import ${from}.${name};\n`)
  ).join("");
  const own = "package io.github.postern.api;\n";
  const isPackage = !/^public /m.test(text);
  return `// ${notice}\n` +
    (isPackage ? `${text}\n${own}` : `${[own, imports, text].filter(Boolean).join("\n")}\n`);
}

/** Comments in a class have two columns less. */
function javadoc(comment: string, tags: Readonly<Record<string, string>> = {}, width = 97): string {
  const given = Object.entries(tags).filter(([, text]) => text !== "");
  const lines = [
    ...(comment === "" ? [] : wrap(toHtml(comment), width)),
    ...(comment !== "" && given.length > 0 ? [""] : []),
    ...given.flatMap(([name, text]) => wrap(`@${name} ${toHtml(text)}`, width)),
  ];
  if (lines.length < 2) return lines.map((line) => `/** ${line} */`).join("");
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

function innerDoc(comment: string, tags: Readonly<Record<string, string>> = {}): string {
  return javadoc(comment, tags, 95);
}

function toHtml(comment: string): string {
  return withoutForms(comment).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replace(/`([^`]*)`/g, "{@code $1}").replaceAll("*/", "*&#47;")
    .replace(/@(?!code|link|param|return)/g, "&#64;").replace(
      /(?<![{\w])\{(?!@)([^{}]*)\}/g,
      "&#123;$1&#125;",
    );
}

const writeEnum = ({ name, comment, values }: EnumType): string =>
  code`
    ${javadoc(comment || `The values of ${wordsOf(name).join(" ")}.`)}
    public enum ${name} {
      ${values.map((each) => `${innerDoc(`{@code ${each}}`)}\n${toConstant(each)}("${each}")`).join(",\n")};

      private final String value;

      ${name}(String value) {
        this.value = value;
      }

      /** Returns the value as the control plane spells it. */
      @Override
      public String toString() {
        return value;
      }
    }
  `;

function toConstant(value: string): string {
  return value.toUpperCase().replace(/[^A-Z\d]+/g, "_").replace(/^\d/, "V$&");
}

function writeRecord({ name, comment, members }: RecordType): string {
  const isTokens = members.some((each) => each.name === "access_token");
  const components = members.map((each) => `${typeOf(each)} ${toCamel(each.name)}`);
  const tags = Object.fromEntries(members.map((member) => {
    const isNull = !member.isRequired && typeOf(member) !== "boolean";
    return [`param ${toCamel(member.name)}`, `${member.comment} ${isNull ? "May be null." : ""}`.trim()];
  }));
  if (isTokens) {
    components.push("Map<String, Object> more");
    tags["param more"] = "The other members of the response, such as those of a hook.";
  }
  const words = wordsOf(name).join(" ");
  return code`
    ${javadoc(comment || `${/^[aeiou]/.test(words) ? "An" : "A"} ${words} in an answer.`, tags)}
    public record ${name}(
        ${components.join(",\n")})${isTokens ? "\nimplements TokenSet" : ""} {}
  `;
}

/** Returns the type of a component. What may be absent is null, or false if that is its default. */
function typeOf(member: Member): string {
  const { type, comment, isRequired } = member;
  const time = /^The seconds until/.test(comment) ? "duration" : timeOf(member);
  const written = writeType(time === undefined ? type : { kind: time }, types);
  const isFalse = type.kind === "boolean" && !/Default: (?!false)/.test(comment);
  return isRequired || isFalse ? primitives[written] ?? written : written;
}

const primitives: Readonly<Record<string, string>> = { Integer: "int", Double: "double", Boolean: "boolean" };

const types: TypeForms = {
  ...{ text: "String", integer: "Integer", number: "Double", boolean: "Boolean" },
  ...{
    any: "Object",
    object: "Map<String, Object>",
    duration: "Duration",
    time: "Instant",
    texts: "List<String>",
    tokens: "TokenSet",
    nothing: "void",
  },
  list: (of) => `List<${of}>`,
  map: (of) => `Map<String, ${of}>`,
  constant: () => "Object",
  either(of, write) {
    // A constant says that there is none, and one of a list of values is a short form of a record.
    const named = of.filter((each) => each.kind !== "constant");
    const whole = named.length === 1 ? named[0] : named.find((each) => each.kind === "record");
    return whole === undefined ? "Object" : whole.kind === "number" ? "Long" : write(whole);
  },
};

function optionsName({ name }: Call): string {
  return `${toPascal(name)}Options`;
}

const writeOptions = (name: string, comment: string, members: readonly Member[]): string =>
  code`
    ${javadoc(comment)}
    public final class ${name} {
      private final Map<String, Object> members = new LinkedHashMap<>();

      private ${name}() {}
      ${members.map((member) => writeSetters(name, member))}

      static Map<String, Object> of(Consumer<${name}> options) {
        ${name} chosen = new ${name}();
        options.accept(chosen);
        return chosen.members;
      }

      private ${name} put(String name, Object value) {
        members.put(name, value);
        return this;
      }
    }
  `;

/** A method that sets a member. Without a type, it takes nothing. */
interface Setter {
  readonly name: string;
  readonly type?: string;
  readonly value: string;
}

/** A blank line is before each method. */
function writeSetters(owner: string, { name, type, comment, isNullable }: Member): string {
  // Each object has a method `wait`, which is another thing.
  const own = toCamel(name) === "wait" ? "waitSeconds" : toCamel(name);
  const either = type.kind === "either" ? type.of : [type];
  // true stands for the present time.
  const isTime = type.kind === "either" && /since 1970/.test(comment);
  const forms: readonly Type[] = isTime ? [{ kind: "constant", value: true }, { kind: "time" }] : either;
  const setters = forms.map((each) => describeSetter(own, each));
  if (isNullable) setters.push({ name: `remove${toPascal(own)}`, value: "null" });
  return setters.map(({ name: method, type, value }) => {
    const isGeneric = type?.endsWith(">...");
    return code`

      ${innerDoc(value === "null" ? `Removes {@link #${own} ${own}}.` : comment)}
      ${isGeneric ? '@SafeVarargs\n@SuppressWarnings("varargs")' : ""}
      public ${isGeneric ? "final " : ""}${owner} ${method}(${type === undefined ? "" : `${type} ${own}`}) {
        return put("${name}", ${value});
      }
    `;
  }).join("\n");
}

function describeSetter(own: string, type: Type): Setter {
  const write = (written: string, value = own): Setter => ({ name: own, type: written, value });
  const isList = type.kind === "list";
  const item = isList ? type.of : type;
  if (type.kind === "constant") {
    return {
      name: type.value === false ? `without${toPascal(own)}` : own,
      value: JSON.stringify(type.value),
    };
  }
  if (item.kind === "record") {
    const options = `${item.name}Options`;
    return isList
      ? write(`Consumer<${options}>...`, `Arrays.stream(${own}).map(${options}::of).toList()`)
      : write(`Consumer<${options}>`, `${options}.of(${own})`);
  }
  if (type.kind === "texts") return write("String...", `${own}.length == 1 ? ${own}[0] : List.of(${own})`);
  if (isList && (item.kind === "text" || item.kind === "enum")) {
    return write(`${writeType(item, types)}...`, `List.of(${own})`);
  }
  if (isList) return write(`List<${item.kind === "object" ? "? extends Map<String, ?>" : "?"}>`);
  if (type.kind === "object") return write("Map<String, ?>");
  const written = writeType(type, types);
  return write(primitives[written] ?? written);
}

const writeClock = (moves: readonly Member[]): string =>
  code`
    /** Postern's clock. Only a test turns it, and no other clock moves with it. */
    public final class PosternClock {
      private final Calls calls;

      /** The kit makes it: {@code postern.clock()}. */
      public PosternClock(Calls calls) {
        this.calls = calls;
      }

      /** The time that Postern takes for now. */
      public Instant now() {
        return calls.showClock().now();
      }
      ${moves.map((each) => writeSetters("Instant", each))}

      private Instant put(String name, Object value) {
        return calls.<Clock>call("POST", "/clock", Map.of(), Map.of(name, value), null, Clock.class).now();
      }
    }
  `;

const writeVersion = (version: string): string =>
  code`
    /** The version of the kit, which is that of the server. */
    public final class Version {
      /** The version, such as 1.2.3. */
      public static final String VERSION = "${version}";

      private Version() {}
    }
  `;

const getterOf = (member: string): string => `tokens.${toCamel(member)}()`;

const writeCalls = (calls: readonly Call[]): string =>
  code`
    /** The calls that a server and a tenant have. */
    public abstract class Calls {
      /** The kit has the only subclasses. */
      protected Calls() {}

      /** Returns the answer, or a member. After {@code List.class} comes the type of its values. */
      protected abstract <T> T call(
          String method, String path, Map<String, ?> query, Map<String, ?> body, String member, Class<?>... type);

      /** Returns a part of a path. */
      static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
      }

      private static Map<String, Object> membersOf(TokenSet tokens) {
        Map<String, Object> members = new LinkedHashMap<>();
        ${ofTokens.map((each) => `if (${getterOf(each)} != null) members.put("${each}", ${getterOf(each)});`)}
        return members;
      }
      ${calls.map(writeCall)}
    }
  `;

const writeServerCalls = (calls: readonly Call[]): string =>
  code`
    /** The calls that only a server has. */
    public abstract class ServerCalls extends Control {
      /** The kit has the only subclasses. */
      protected ServerCalls(Connection connection) {
        super(connection);
      }
      ${calls.map(writeCall)}
    }
  `;

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
  /** The statement that adds it to the body. Empty: it is in the path. */
  readonly put: string;
}

function describeParameter({ name, type, comment }: Member, { variables }: Call): Parameter {
  const own = toCamel(name);
  const put = type.kind === "tokens" ? `body.putAll(membersOf(${own}));` : `body.put("${name}", ${own});`;
  return {
    ...{ name: own, type: describeSetter(own, type).type ?? "boolean", comment },
    put: variables.includes(name) ? "" : put,
  };
}

/** One method for each way to give the call. The shorter ones call the whole one. */
function writeCall(call: Call): string {
  const { name, options, person } = call;
  const describe = (member: Member) => describeParameter(member, call);
  const chosen = {
    ...{ name: "options", type: `Consumer<${optionsName(call)}>`, put: "" },
    comment: "What else it takes: each member has a method.",
  };
  const needsOptions = call.method === "PATCH" || name === "moveClock";
  const forms = call.forms.map((form) => form.map(describe));
  const withUri = forms.map((form) =>
    form.map((each) => each.name === "url" ? { ...each, type: "URI" } : each)
  );
  return [...forms, ...(name === "authorize" ? withUri : [])].flatMap((first) => {
    const short = (more: readonly Parameter[], last: string) => {
      const given = [...first.map((each) => each.name), last].join(", ");
      return writeMethod(call, [...first, ...more], `${returnOf(call)}${name}(${given});`);
    };
    return [
      ...(needsOptions || options.length === 0 ? [] : [short([], "options -> {}")]),
      ...(person === undefined ? [] : [
        short([describe(person)], "options -> options.username(username)"),
        short([describe(person), chosen], "own -> options.accept(own.username(username))"),
      ]),
      writeMethod(call, options.length > 0 ? [...first, chosen] : first, writeBody(call, first)),
    ];
  }).join("\n");
}

function returnOf({ answer }: Call): string {
  return answer.kind === "nothing" ? "" : "return ";
}

function writeMethod(call: Call, parameters: readonly Parameter[], body: string): string {
  const given = parameters.map((each) => `${each.type} ${each.name}`).join(", ");
  const tags = Object.fromEntries(parameters.map((each) => [`param ${each.name}`, each.comment]));
  if (call.member?.isRequired === false) tags.return = "null if there is none";
  return code`

    ${innerDoc(call.comment, tags)}
    public ${writeType(call.answer, types)} ${call.name}(${given}) {
      ${body}
    }
  `;
}

function writeBody(call: Call, given: readonly Parameter[]): string {
  const { path, sends, options, answer, member, isText } = call;
  const chosen = `${optionsName(call)}.of(options)`;
  const target = joinPath(path, (each) => `Calls.part(${toCamel(each)})`);
  const terms = [
    ...[`"${call.method}"`, target, sends === "query" ? chosen : "Map.of()"],
    ...[sends === "body" ? "body" : "null", member === undefined ? "null" : `"${member.name}"`],
    ...(isText ? [] : [`${writeType(answer, types).replace("void", "Void").replace(/<.*/, "")}.class`]),
    ...(answer.kind === "list" || answer.kind === "map" ? [`${writeType(answer.of, types)}.class`] : []),
  ];
  const members = options.length > 0 ? chosen : "new LinkedHashMap<>()";
  return code`
    ${sends === "body" ? `Map<String, Object> body = ${members};` : ""}
    ${given.map(({ put }) => put).filter((each) => each !== "")}
    ${returnOf(call)}call(${terms.join(", ")});
  `;
}
