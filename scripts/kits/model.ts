/** What the kits of all languages are made from: the calls of the control plane and their types, without a language. */
import { serverMisbehaviours } from "../../src/kit/faults/names.ts";
import { describeControl, type OpenApiDocument } from "../../src/tools/control/openapi.ts";
import { controlRoutes } from "../../src/tools/control/routes.ts";
import { responseOf } from "../../src/tools/control/route.ts";

export interface Model {
  readonly version: string;
  readonly calls: readonly Call[];
  readonly records: readonly RecordType[];
  readonly enums: readonly EnumType[];
}

export interface Call {
  /** In camelCase, as in the OpenAPI document: `createGate`. */
  readonly name: string;
  readonly comment: string;
  readonly method: string;
  /** Below `/_postern` and below `/_postern/tenants/NAME`, with variables in braces: `/gates/{gate}/release`. */
  readonly path: string;
  /** Absent: the call exists for the server and for each tenant. */
  readonly only?: "server" | "tenant";
  /** The variables of the path, in their order. Each is a text. */
  readonly variables: readonly string[];
  readonly query: readonly Member[];
  readonly body: readonly Member[];
  /**
   * The body takes the members of a token response: callers give the whole response, or what it has of these. They are not
   * in `body`. A call with `token` in the body takes that single token instead.
   */
  readonly takesTokens: boolean;
  /** Absent: the call answers nothing. `text`: the body of the answer is a text, not JSON. */
  readonly answer?: Type;
  /** The answer is an object with this one member, whose type is `answer`. It may be absent if it is optional. */
  readonly member?: { readonly name: string; readonly isRequired: boolean };
  readonly isText: boolean;
}

/** An object whose members are known. An answer may have others, which a later version knows. */
export interface RecordType {
  /** In PascalCase: `RecordedRequest`. */
  readonly name: string;
  readonly comment: string;
  readonly members: readonly Member[];
}

export interface EnumType {
  readonly name: string;
  readonly comment: string;
  readonly values: readonly string[];
}

export interface Member {
  /** As in JSON: `userCode`, `client_id`. */
  readonly name: string;
  readonly comment: string;
  readonly isRequired: boolean;
  readonly type: Type;
  /** null is a value: it removes what was there. */
  readonly isNullable: boolean;
}

export type Type =
  | { readonly kind: "text" | "integer" | "number" | "boolean" }
  /** Any value of JSON, and any object. */
  | { readonly kind: "any" | "object" }
  /** Seconds as a number, or a text such as "2h". The kit takes what its language has for a duration. */
  | { readonly kind: "duration" }
  /** Seconds since 1970 as a number, or an ISO text with a time zone. */
  | { readonly kind: "time" }
  /** One text, or several. */
  | { readonly kind: "texts" }
  | { readonly kind: "constant"; readonly value: string | number | boolean }
  | { readonly kind: "list" | "map"; readonly of: Type }
  | { readonly kind: "record" | "enum"; readonly name: string }
  | { readonly kind: "either"; readonly of: readonly Type[] };

type Schema = OpenApiDocument["components"]["schemas"][string];

/** What people call a type that the document names after its place. Two places with one name have the same type. */
const renamed: Readonly<Record<string, string>> = {
  AddPersonSecondFactor: "SecondFactor",
  AuthorizeAnswer: "Callback",
  ChangeClientDocumentAnswer: "DocumentAnswer",
  ChangePersonSecondFactor: "SecondFactor",
  ClientAuthorizationEncryptedResponseAlg: "KeyEncryption",
  ClientAuthorizationEncryptedResponseEnc: "ContentEncryption",
  ClientDocumentAnswer: "DocumentAnswer",
  ClientRequestObjectSigningAlg: "SigningAlgorithm",
  CreateCertificateAnswer: "Certificate",
  DpopHeadersAnswer: "DpopHeaders",
  ExpireAnswer: "ExpiredTokens",
  ForgeAnswer: "ForgedToken",
  GuardResourceAnswer: "GuardedRequest",
  IssueIdJagAnswer: "IdJag",
  IssueIdJagFault: "IdJagFault",
  JournalEntryRequest: "RawRequest",
  JournalEntryResponse: "RawResponse",
  JournalEntryTrace: "Trace",
  ListForgeriesAnswerForgeries: "Forgery",
  ListedPersonSecondFactor: "SecondFactor",
  ListedPersonSecondFactorKind: "SecondFactorKind",
  LoginResponseMode: "ResponseMode",
  MintKind: "TokenKind",
  MintWorkloadAnswer: "WorkloadToken",
  MintWorkloadPlatform: "WorkloadPlatform",
  MisbehaviourLevel: "Level",
  MisbehaviourVerdictOutcome: "Outcome",
  PersonSecondFactor: "SecondFactor",
  RecordedRequestAdvice: "Advice",
  RecordedRequestAltered: "Alteration",
  RecordedRequestTrace: "Trace",
  RegisterAnswer: "Registration",
  SettleMisbehaviourResult: "LoginResult",
  WatchGateAnswer: "WatchedGate",
};

/** Texts of the document that have a list of values in the kits. The document itself would be too long for agents. */
const misbehaviourNames = ["ActiveMisbehaviourName", "CreateMisbehaviourName"];

/** The members of a token response that calls take. */
export const ofTokens: readonly string[] = [
  "access_token",
  "refresh_token",
  "id_token",
  "authorization_details",
];

export function readModel(): Model {
  const document = describeControl(controlRoutes, { base: "", needsToken: true });
  const types = createTypes(document.components.schemas);
  const calls = controlRoutes.map((route): Call => {
    const { name, summary: comment, method, path, only, body } = route;
    const below = only === "tenant" ? `/tenants/{tenant}${path}` : path || "/";
    const operation = document.paths[below]![method.toLowerCase()]!;
    const parameters = operation.parameters ?? [];
    const owner = name.charAt(0).toUpperCase() + name.slice(1);
    const members = Object.entries(body?.properties ?? {}).length === 0
      ? []
      : types.membersOf(operation.requestBody!.content["application/json"]!.schema as Schema, owner);
    const takesTokens = members.some((each) => each.name === "access_token");
    const { schema } = responseOf(route);
    const isText = route.types !== undefined;
    const answer = schema === undefined || isText ? undefined : types.answerOf(operation, owner);
    return {
      ...{ name, comment, method, path },
      ...(only === undefined ? {} : { only }),
      variables: parameters.filter((each) => each.in === "path" && each.name !== "tenant").map((each) =>
        each.name
      ),
      query: parameters.filter((each) => each.in === "query").map(({ name, schema, required }) =>
        types.memberOf(name, schema, { owner, isRequired: required })
      ),
      body: takesTokens ? members.filter((each) => !ofTokens.includes(each.name)) : members,
      ...{ takesTokens, isText },
      ...(answer ?? {}),
    };
  });
  return { version: document.info.version, calls, ...types.list(calls) };
}

interface Types {
  membersOf(schema: Schema, owner: string): readonly Member[];
  memberOf(
    name: string,
    schema: Schema,
    place: { readonly owner: string; readonly isRequired: boolean },
  ): Member;
  answerOf(
    operation: OpenApiDocument["paths"][string][string],
    owner: string,
  ): Pick<Call, "answer" | "member">;
  list(calls: readonly Call[]): Pick<Model, "records" | "enums">;
}

/** Reads types of the document by their names, and gives names to those without one. */
function createTypes(schemas: Readonly<Record<string, Schema>>): Types {
  const records = new Map<string, RecordType>();
  const enums = new Map<string, EnumType>();
  // A list of values has one name, that of the document if it has one there.
  const byValues = new Map<string, string>();
  for (const [name, { enum: values, description = "" }] of Object.entries(schemas)) {
    if (values !== undefined) nameEnum(values as readonly string[], name, description);
  }

  function nameEnum(values: readonly string[], name: string, comment: string): string {
    const known = byValues.get(values.join());
    if (known !== undefined) return known;
    const own = renamed[name] ?? name;
    byValues.set(values.join(), own);
    enums.set(own, { name: own, comment, values });
    return own;
  }

  function readRecord(schema: Schema, given: string): string {
    const name = renamed[given] ?? given;
    if (!records.has(name)) {
      // A record may have itself in a member.
      records.set(name, { name, comment: "", members: [] });
      const members = readMembers(schema, name);
      records.set(name, { name, comment: schema.description ?? "", members });
    }
    return name;
  }

  function readMembers({ properties = {}, required = [] }: Schema, owner: string): readonly Member[] {
    return Object.entries(properties).map(([name, schema]) =>
      memberOf(name, schema, { owner, isRequired: required.includes(name) })
    );
  }

  function memberOf(
    name: string,
    schema: Schema,
    { owner, isRequired }: { readonly owner: string; readonly isRequired: boolean },
  ): Member {
    const { $ref, anyOf, type } = schema;
    const others = anyOf?.filter((each) => each.type !== "null");
    const isNullable = others !== undefined && others.length < anyOf!.length ||
      Array.isArray(type) && type.includes("null");
    const { description = $ref === undefined ? "" : schemas[nameOf($ref)]!.description ?? "" } = schema;
    const plain = isNullable && others !== undefined ? { ...schema, anyOf: others } : schema;
    return { name, comment: description, isRequired, type: typeOf(plain, owner, name), isNullable };
  }

  function typeOf(schema: Schema, owner: string, member: string): Type {
    const { $ref, const: constant, enum: values, anyOf, type, items, additionalProperties: others } = schema;
    const named = owner + toPascal(member);
    if ($ref !== undefined) {
      const name = nameOf($ref), target = schemas[name]!;
      const hasRest = typeof target.additionalProperties === "object";
      if (target.properties !== undefined && !hasRest) {
        return { kind: "record", name: readRecord(target, name) };
      }
      return typeOf(target, name, "");
    }
    if (constant !== undefined) return { kind: "constant", value: constant as string };
    if (values?.length === 1 && member !== "") return { kind: "constant", value: values[0] as string };
    if (values !== undefined) {
      const name = nameEnum(values as readonly string[], named, schema.description ?? "");
      return { kind: "enum", name };
    }
    if (anyOf !== undefined && type !== "object") {
      // A short form that is one of a list of values needs another name than the whole form.
      const hasWhole = anyOf.some((each) => each.properties !== undefined);
      const of = anyOf.map((each) =>
        typeOf(each, owner, hasWhole && each.enum !== undefined ? `${member}_kind` : member)
      );
      const kinds = of.map(({ kind }) => kind).join();
      if (of.length === 1) return of[0]!;
      if (kinds === "text,list") return { kind: "texts" };
      if (kinds === "number,text") {
        return { kind: /since 1970/.test(schema.description ?? "") ? "time" : "duration" };
      }
      return { kind: "either", of };
    }
    if (Array.isArray(type)) {
      const of = (type as readonly string[]).filter((each) => each !== "null");
      const all = of.map((each) => typeOf({ ...schema, type: each } as Schema, owner, member));
      return all.length === 1 ? all[0]! : { kind: "either", of: all };
    }
    if (type === "array") {
      return { kind: "list", of: items === undefined ? any : typeOf(items, owner, member) };
    }
    if (typeof others === "object") return { kind: "map", of: typeOf(others, owner, member) };
    // The members of claims have any value.
    const hasTypes = Object.values(schema.properties ?? {}).some((each) => Object.keys(each).length > 0);
    if (hasTypes) return { kind: "record", name: readRecord(schema, named) };
    if (misbehaviourNames.includes(named)) {
      return {
        kind: "enum",
        name: nameEnum(serverMisbehaviours, "MisbehaviourName", "A name of the catalogue."),
      };
    }
    if (type === "string") return { kind: "text" };
    if (type === undefined) return any;
    return { kind: type as "integer" | "number" | "boolean" | "object" };
  }

  return {
    memberOf,
    membersOf: (schema, owner) =>
      readMembers(schema.$ref === undefined ? schema : schemas[nameOf(schema.$ref)]!, owner),
    answerOf(operation, owner) {
      const [success] = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
      const content = (success![1] as { content: Record<string, { schema: Schema }> }).content;
      const answer = typeOf(content["application/json"]!.schema, owner, "");
      if (answer.kind !== "record") return { answer };
      const { members } = records.get(answer.name)!;
      const [first, ...more] = members;
      if (first === undefined || more.length > 0) return { answer };
      return { answer: first.type, member: { name: first.name, isRequired: first.isRequired } };
    },
    list(calls) {
      const types = calls.flatMap(({ query, body, answer }) => [
        ...[...query, ...body].map(({ type }) => type),
        answer,
      ]);
      const used = findNames(types, [...records.values()]);
      const isUsed = ({ name }: { readonly name: string }) => used.has(name);
      return { records: [...records.values()].filter(isUsed), enums: [...enums.values()].filter(isUsed) };
    },
  };
}

const any: Type = { kind: "any" };

/** Returns the names of the records and enums that the types need, directly or not. */
export function findNames(
  types: readonly (Type | undefined)[],
  records: readonly RecordType[],
): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (type: Type | undefined): void => {
    if (type?.kind === "list" || type?.kind === "map") visit(type.of);
    if (type?.kind === "either") type.of.forEach(visit);
    if (type?.kind !== "record" && type?.kind !== "enum" || names.has(type.name)) return;
    names.add(type.name);
    records.find(({ name }) => name === type.name)?.members.forEach((each) => visit(each.type));
  };
  types.forEach(visit);
  return names;
}

/** Whether callers give the member by itself: the path has its variables, and the answer of `login` has its token. */
export function isGiven({ name }: Member, { variables, takesTokens }: Call): boolean {
  return !variables.includes(name) && !(takesTokens && name === "token");
}

/** Whether callers may give a single token in place of a token response. */
export function takesOneToken({ takesTokens, body }: Call): boolean {
  return takesTokens && body.some(({ name }) => name === "token");
}

/** Says which numbers are times or durations, for languages that have types for these. */
export function timeOf({ name, type, comment }: Member): "duration" | "time" | undefined {
  if (type.kind === "duration" || type.kind === "time") return type.kind;
  if (type.kind !== "number") return undefined;
  if (/since 1970/.test(comment) || /[a-z]At$/.test(name)) return "time";
  return /^(How many s|S)econds/.test(comment) ? "duration" : undefined;
}

const forms =
  / ?(?:A number of seconds, or text such as|Seconds as a number, or text with|Seconds since 1970 as a number, or ISO)[^]*?"(?:-5m|1d 3h|2030-01-01T12:00:00Z)"\.|,? in seconds since 1970/g;

/** Leaves out how JSON writes a time or a duration, because a type of the language says it. */
export function withoutForms(comment: string): string {
  return comment.replace(forms, "");
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1)!;
}

/** Returns the words of a name in lower case: `userCode`, `user_code` and `UserCode` are user, code. */
export function wordsOf(name: string): readonly string[] {
  return name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z\d]+/).filter((word) =>
    word !== ""
  );
}

export function toPascal(name: string): string {
  return wordsOf(name).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

export function toCamel(name: string): string {
  const pascal = toPascal(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

export function toSnake(name: string): string {
  return wordsOf(name).join("_");
}

/** Returns the lines of a comment. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && (line + word).length + 1 > columns) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
