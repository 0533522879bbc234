/** What the kits of all languages are made from: the calls of the control plane and their types, without a language. */
import { serverMisbehaviours } from "../../src/kit/faults/names.ts";
import { describeControl, type OpenApiDocument } from "../../src/tools/control/openapi.ts";
import { controlRoutes } from "../../src/tools/control/routes.ts";
import { responseOf } from "../../src/tools/control/route.ts";
import { toPascal, wordsOf } from "./text.ts";

export interface Model {
  readonly version: string;
  /** Those of a server, also without its tenants. A kit creates and removes tenants by hand. */
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
  /** Tenants have no such call. */
  readonly isOfServer: boolean;
  /** The variables of the path, in their order. Each is a text. */
  readonly variables: readonly string[];
  /** Where the members go. Absent: the call sends none. */
  readonly sends?: "query" | "body";
  /** What it sends, without the variables and without the members of tokens. */
  readonly members: readonly Member[];
  /**
   * What callers give by position: the variables, then `tokens` if it takes a token response, then the required members. A
   * second form has a single `token`, which is sent as the member of this name, in the place of `tokens`.
   */
  readonly forms: readonly (readonly Member[])[];
  /** The members that callers may leave out. */
  readonly options: readonly Member[];
  /** The option that says which person a call is about, if such a call has little else. */
  readonly person?: Member;
  readonly answer: Type;
  /** The answer is an object with this one member, whose type is `answer`. It may be absent if it is optional. */
  readonly member?: Pick<Member, "name" | "isRequired">;
  /** The body of the answer is a text, not JSON. */
  readonly isText: boolean;
}

/** An object whose members are known. An answer may have others, which a later version knows. */
export interface RecordType {
  /** In PascalCase: `RecordedRequest`. */
  readonly name: string;
  readonly comment: string;
  readonly members: readonly Member[];
  /** Whether callers give such a record, and whether an answer has one. */
  readonly isSent: boolean;
  readonly isReceived: boolean;
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
  | { readonly kind: PlainKind }
  | { readonly kind: "constant"; readonly value: string | number | boolean }
  | { readonly kind: "list" | "map"; readonly of: Type }
  | { readonly kind: "record" | "enum"; readonly name: string }
  | { readonly kind: "either"; readonly of: readonly Type[] };

type PlainKind =
  | ("text" | "integer" | "number" | "boolean")
  /** Any value of JSON, any object, and the answer of a call that has none. */
  | ("any" | "object" | "nothing")
  /** Seconds as a number, or a text such as "2h". The kit takes what its language has for a duration. */
  | "duration"
  /** Seconds since 1970 as a number, or an ISO text with a time zone. */
  | "time"
  /** One text, or several. */
  | "texts"
  /** A token response, or what it has of the members `ofTokens`. */
  | "tokens";

type Operation = OpenApiDocument["paths"][string][string];

type Schema = OpenApiDocument["components"]["schemas"][string];

/**
 * What people call a type, and the places after which the document names it: an answer of a call, or a member of one of its
 * types. Two places with one name have the same type.
 */
const places: Readonly<Record<string, string>> = {
  Advice: "RecordedRequestAdvice",
  Alteration: "RecordedRequestAltered",
  Callback: "AuthorizeAnswer",
  Certificate: "CreateCertificateAnswer",
  ContentEncryption: "ClientAuthorizationEncryptedResponseEnc",
  DocumentAnswer: "ClientDocumentAnswer ChangeClientDocumentAnswer",
  DpopHeaders: "DpopHeadersAnswer",
  ExpiredTokens: "ExpireAnswer",
  ForgedToken: "ForgeAnswer",
  Forgery: "ListForgeriesAnswerForgeries",
  GuardedRequest: "GuardResourceAnswer",
  IdJag: "IssueIdJagAnswer",
  IdJagFault: "IssueIdJagFault",
  KeyEncryption: "ClientAuthorizationEncryptedResponseAlg",
  Level: "MisbehaviourLevel",
  LoginResult: "SettleMisbehaviourResult",
  Outcome: "MisbehaviourVerdictOutcome",
  RawRequest: "JournalEntryRequest",
  RawResponse: "JournalEntryResponse",
  Registration: "RegisterAnswer",
  ResponseMode: "LoginResponseMode",
  SecondFactor: "PersonSecondFactor ListedPersonSecondFactor AddPersonSecondFactor ChangePersonSecondFactor",
  SecondFactorKind: "ListedPersonSecondFactorKind",
  SigningAlgorithm: "ClientRequestObjectSigningAlg",
  TokenKind: "MintKind",
  Trace: "JournalEntryTrace RecordedRequestTrace",
  WatchedGate: "WatchGateAnswer",
  WorkloadPlatform: "MintWorkloadPlatform",
  WorkloadToken: "MintWorkloadAnswer",
};

const named = new Map(
  Object.entries(places).flatMap(([name, given]) => given.split(" ").map((place) => [place, name])),
);

/** Texts of the document that have a list of values in the kits. The document itself would be too long for agents. */
const misbehaviourNames = ["ActiveMisbehaviourName", "CreateMisbehaviourName"];

/** The members of a token response that calls take. */
export const ofTokens: readonly string[] = [
  "access_token",
  "refresh_token",
  "id_token",
  "authorization_details",
];

const givenTokens = [
  describeGiven("tokens", "The answer of a login, or the tokens of your client.", "tokens"),
  describeGiven("token", "A single token.", "text"),
];

function describeGiven(name: string, comment: string, kind: "text" | "tokens"): Member {
  return { name, comment, isRequired: true, type: { kind }, isNullable: false };
}

export function readModel(): Model {
  const document = describeControl(controlRoutes, { base: "", needsToken: true });
  const types = createTypes(document.components.schemas);
  const calls = controlRoutes.filter(({ only }) => only !== "tenant").map((route): Call => {
    const { name, summary: comment, method, path, only } = route;
    const { parameters = [], requestBody, responses } = document.paths[path || "/"]![method.toLowerCase()]!;
    const owner = name.charAt(0).toUpperCase() + name.slice(1);
    const variables = parameters.filter((each) => each.in === "path").map((each) => each.name);
    const asked = parameters.filter((each) => each.in === "query");
    const query = asked.map(({ name, schema, required }) => types.memberOf(name, schema, owner, required));
    const sent = requestBody?.content["application/json"];
    const body = sent === undefined ? [] : types.membersOf(sent.schema as Schema, owner);
    const has = (name: string) => body.some((each) => each.name === name);
    const tokens = givenTokens.filter(({ name }) => has("access_token") && (name === "tokens" || has(name)));
    const others = [...variables, ...tokens.map(({ name }) => name), ...(tokens.length > 0 ? ofTokens : [])];
    const members = [...body, ...query].filter((each) => !others.includes(each.name));
    const required = members.filter(({ isRequired }) => isRequired);
    const options = members.filter(({ isRequired }) => !isRequired);
    const first = variables.map((each) => {
      const words = wordsOf(each.replace("_id", "")).join(" ");
      return describeGiven(each, each === "username" ? "The person." : `The id of the ${words}.`, "text");
    });
    const forms = tokens.length === 0 ? [[]] : tokens.map((each) => [each]);
    const isAboutPerson = required.length + variables.length === 0 || has("deny");
    const person = isAboutPerson ? options.find((each) => each.name === "username") : undefined;
    const isText = route.types !== undefined;
    const hasSchema = responseOf(route).schema !== undefined;
    return {
      ...{ name, comment, method, path, variables, members, options, isText },
      isOfServer: only === "server",
      forms: forms.map((each) => [...first, ...each, ...required]),
      ...(query.length + body.length === 0 ? {} : { sends: body.length > 0 ? "body" : "query" }),
      ...(person === undefined ? {} : { person }),
      ...isText || !hasSchema
        ? { answer: { kind: isText ? "text" : "nothing" } }
        : types.answerOf(responses, owner),
    };
  });
  return { version: document.info.version, calls, ...types.list(calls) };
}

/** Reads types of the document by their names, and gives names to those without one. */
function createTypes(schemas: Readonly<Record<string, Schema>>) {
  const records = new Map<string, Omit<RecordType, "isSent" | "isReceived">>();
  const enums = new Map<string, EnumType>();
  // A list of values has one name, that of the document if it has one there.
  const byValues = new Map<string, string>();
  for (const [name, { enum: values, description = "" }] of Object.entries(schemas)) {
    if (values !== undefined) nameEnum(values as readonly string[], name, description);
  }

  function nameEnum(values: readonly string[], name: string, comment: string): string {
    const known = byValues.get(values.join());
    if (known !== undefined) return known;
    const own = named.get(name) ?? name;
    byValues.set(values.join(), own);
    enums.set(own, { name: own, comment, values });
    return own;
  }

  function readRecord(schema: Schema, given: string): string {
    const name = named.get(given) ?? given;
    if (!records.has(name)) {
      // A record may have itself in a member.
      records.set(name, { name, comment: "", members: [] });
      records.set(name, { name, comment: schema.description ?? "", members: readMembers(schema, name) });
    }
    return name;
  }

  function readMembers({ properties = {}, required = [] }: Schema, owner: string): readonly Member[] {
    return Object.entries(properties).map(([name, schema]) =>
      memberOf(name, schema, owner, required.includes(name))
    );
  }

  function memberOf(name: string, schema: Schema, owner: string, isRequired: boolean): Member {
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
    const place = owner + toPascal(member);
    if ($ref !== undefined) {
      const name = nameOf($ref), target = schemas[name]!;
      const hasRest = typeof target.additionalProperties === "object";
      const isRecord = target.properties !== undefined && !hasRest;
      return isRecord ? { kind: "record", name: readRecord(target, name) } : typeOf(target, name, "");
    }
    if (constant !== undefined) return { kind: "constant", value: constant as string };
    if (values?.length === 1 && member !== "") return { kind: "constant", value: values[0] as string };
    const { description = "" } = schema;
    if (values !== undefined) return { kind: "enum", name: nameEnum(values as string[], place, description) };
    if (anyOf !== undefined && type !== "object") {
      // A short form that is one of a list of values needs another name than the whole form.
      const hasWhole = anyOf.some((each) => each.properties !== undefined);
      const of = anyOf.map((each) =>
        typeOf(each, owner, hasWhole && each.enum !== undefined ? `${member}_kind` : member)
      );
      const kinds = of.map(({ kind }) => kind).join();
      if (of.length === 1) return of[0]!;
      if (kinds === "text,list") return { kind: "texts" };
      if (kinds === "number,text") return { kind: /since 1970/.test(description) ? "time" : "duration" };
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
    if (hasTypes) return { kind: "record", name: readRecord(schema, place) };
    if (misbehaviourNames.includes(place)) {
      const name = nameEnum(serverMisbehaviours, "MisbehaviourName", "A name of the catalogue.");
      return { kind: "enum", name };
    }
    if (type === "string") return { kind: "text" };
    if (type === undefined) return any;
    return { kind: type as "integer" | "number" | "boolean" | "object" };
  }

  return {
    memberOf,
    membersOf: (schema: Schema, owner: string) =>
      readMembers(schema.$ref === undefined ? schema : schemas[nameOf(schema.$ref)]!, owner),
    answerOf(responses: Operation["responses"], owner: string): Pick<Call, "answer" | "member"> {
      const [success] = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      const content = (success![1] as { content: Record<string, { schema: Schema }> }).content;
      const answer = typeOf(content["application/json"]!.schema, owner, "");
      if (answer.kind !== "record") return { answer };
      const [first, ...more] = records.get(answer.name)!.members;
      if (first === undefined || more.length > 0) return { answer };
      return { answer: first.type, member: first };
    },
    list(calls: readonly Call[]): Pick<Model, "records" | "enums"> {
      const sent = findNames(calls.flatMap(({ members }) => members.map(({ type }) => type)), records);
      const received = findNames(calls.map(({ answer }) => answer), records);
      const isUsed = ({ name }: { readonly name: string }) => sent.has(name) || received.has(name);
      return {
        records: [...records.values()].filter(isUsed).map((each) => ({
          ...each,
          isSent: sent.has(each.name),
          isReceived: received.has(each.name),
        })),
        enums: [...enums.values()].filter(isUsed),
      };
    },
  };
}

const any: Type = { kind: "any" };

type Records = ReadonlyMap<string, Pick<RecordType, "members">>;

/** Returns the names of the records and enums that the types need, directly or not. */
export function findNames(types: readonly Type[], records: Records): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (type: Type): void => {
    if (type.kind === "list" || type.kind === "map") visit(type.of);
    if (type.kind === "either") type.of.forEach(visit);
    if (type.kind !== "record" && type.kind !== "enum" || names.has(type.name)) return;
    names.add(type.name);
    records.get(type.name)?.members.forEach((each) => visit(each.type));
  };
  types.forEach(visit);
  return names;
}

/** How a language writes the types: each of them, or a function of what is in it. */
export interface TypeForms extends Readonly<Record<PlainKind, string>> {
  list(of: string): string;
  map(of: string): string;
  /** Default: the name itself. */
  named?(name: string): string;
  constant(value: string | number | boolean): string;
  either(of: readonly Type[], write: (type: Type) => string): string;
}

export function writeType(type: Type, forms: TypeForms): string {
  const write = (each: Type) => writeType(each, forms);
  switch (type.kind) {
    case "list":
    case "map":
      return forms[type.kind](write(type.of));
    case "record":
    case "enum":
      return forms.named?.(type.name) ?? type.name;
    case "constant":
      return forms.constant(type.value);
    case "either":
      return forms.either(type.of, write);
    default:
      return forms[type.kind];
  }
}

/** Says which numbers are times or durations, for languages that have types for these. */
export function timeOf({ name, type, comment }: Member): "duration" | "time" | undefined {
  if (type.kind === "duration" || type.kind === "time") return type.kind;
  if (type.kind !== "number") return undefined;
  if (/since 1970/.test(comment) || /[a-z]At$/.test(name)) return "time";
  return /^(How many s|S)econds/.test(comment) ? "duration" : undefined;
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1)!;
}
