/** JSON schemas of the types of the test kit. The comments of the types are the descriptions. */
import type { Node, SourceFile } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { present } from "../../src/ground/values/present.ts";
import type { JsonType, Schema } from "../../src/ground/schema/schema.ts";
import { readComment, readTags } from "./sources.ts";

export interface TypeReader {
  /** Returns the schema of the properties of a type, without its methods. Throws if there is no such type. */
  describe(name: string): Schema;
}

/** The types by their names. A type of the test kit hides one of the server that has the same name. */
export function createTypeReader(files: ReadonlyMap<string, SourceFile>): TypeReader {
  const folders = [/^src\/tools\//, /^src\/ground\//, /^src\/server\//, /^src\/kit\//];
  const declarations = new Map(folders.flatMap((folder) => [...listDeclarations(files, folder)]));
  return {
    describe(name) {
      const declaration = declarations.get(name);
      if (declaration === undefined) throw new Error(`There is no exported type ${name}`);
      return {
        ...describeObject(findMembers(declaration, declarations), declarations),
        ...words(declaration),
        ...describeTags(declaration),
      };
    },
  };
}

export type Declarations = ReadonlyMap<string, Node>;

/** Returns the types by their names, and the lists of texts that types are taken from. */
export function* listDeclarations(
  files: ReadonlyMap<string, SourceFile>,
  folder: RegExp,
): Iterable<readonly [name: string, Node]> {
  for (const [path, { statements }] of files) {
    if (!folder.test(path)) continue;
    for (const statement of statements) {
      const isType = is.isInterfaceDeclaration(statement) || is.isTypeAliasDeclaration(statement);
      if (isType && statement.modifiers?.some((each) => each.getText() === "export")) {
        yield [statement.name.text, statement];
      }
      if (is.isVariableStatement(statement)) {
        for (const each of statement.declarationList.declarations) yield [each.name.getText(), each];
      }
    }
  }
}

/** Types whose members are not described: a JWK has any, and JSON has no browser. */
const whole: Readonly<Record<string, Schema>> = {
  Jwk: { type: "object" },
  AuthorizationDetail: { type: "object" },
  MockOptions: { type: "object" },
  IdTokenClaims: { type: "object" },
  Facts: { type: "object" },
  Browser: {},
};

const keywords: Readonly<Record<string, Schema>> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  object: { type: "object" },
};

/** Describes a value. Describes nothing that JSON does not have, such as a function: then every value fits. */
function describeValue(type: Node | undefined, declarations: Declarations): Schema {
  if (type === undefined) return {};
  const text = type.getText();
  if (Object.hasOwn(keywords, text)) return keywords[text]!;
  if (is.isParenthesizedTypeNode(type) || is.isTypeOperatorNode(type)) {
    return describeValue(type.type, declarations);
  }
  if (is.isLiteralTypeNode(type)) return describeConstant(text);
  if (is.isArrayTypeNode(type)) {
    return { type: "array", items: describeValue(type.elementType, declarations) };
  }
  if (is.isTupleTypeNode(type)) {
    const items = type.elements.map((each) => is.isNamedTupleMember(each) ? each.type : each);
    return { type: "array", items: describeUnion(items, declarations) };
  }
  if (is.isUnionTypeNode(type)) return describeUnion(listAlternatives(type, declarations), declarations);
  if (is.isTypeLiteralNode(type) || is.isIntersectionTypeNode(type)) {
    return describeObject(findMembers(type, declarations), declarations);
  }
  if (is.isTypeReferenceNode(type)) return describeReference(type, declarations);
  return is.isIndexedAccessTypeNode(type) ? describeItemOf(type.objectType, declarations) : {};
}

function describeConstant(text: string): Schema {
  if (text === "true" || text === "false") return { type: "boolean", const: text === "true" };
  return /^"/.test(text) ? { type: "string", enum: [JSON.parse(text)] } : { type: "integer" };
}

function describeReference(
  type: Node & { readonly typeName: Node; readonly typeArguments?: Iterable<Node> },
  declarations: Declarations,
): Schema {
  const name = type.typeName.getText();
  const terms = [...type.typeArguments ?? []];
  if (Object.hasOwn(whole, name)) return whole[name]!;
  if (name === "Duration") {
    return { anyOf: [{ type: "number" }, { type: "string" }], ...words(declarations.get(name)!) };
  }
  if (/^(Readonly|Promise)$/.test(name)) return describeValue(terms[0], declarations);
  if (name === "Record") return describeRecord(terms[1]!, declarations);
  if (name === "Extract") return describeValue(terms[1], declarations);
  if (/^(Partial|Omit|Pick)$/.test(name)) {
    if (Object.hasOwn(whole, terms[0]!.getText())) return describeValue(terms[0], declarations);
    const isWhole = Object.keys(describeValue(terms[0], declarations)).length === 0;
    return isWhole ? {} : describeObject(findMembers(type, declarations), declarations);
  }
  const declaration = declarations.get(name);
  if (declaration === undefined) return {};
  if (is.isTypeAliasDeclaration(declaration) && !is.isTypeLiteralNode(declaration.type)) {
    return describeValue(declaration.type, declarations);
  }
  const isOpaque = is.isInterfaceDeclaration(declaration) &&
    declaration.members.some((member) => is.isMethodSignatureDeclaration(member));
  return isOpaque
    ? {}
    : { ...describeObject(findMembers(declaration, declarations), declarations), ...words(declaration) };
}

/** Describes one item of a list of texts: `typeof names[number]`. */
function describeItemOf(list: Node, declarations: Declarations): Schema {
  const name = is.isTypeQueryNode(list) ? list.exprName.getText() : "";
  const texts = /^\w+ = (\[[^[\]]*\]) as const$/s.exec(declarations.get(name)?.getText() ?? "")?.[1];
  if (texts === undefined) return {};
  return { type: "string", enum: [...texts.matchAll(/"([^"]+)"/g)].map(([, each = ""]) => each) };
}

function describeRecord(value: Node, declarations: Declarations): Schema {
  const schema = describeValue(value, declarations);
  return { type: "object", ...(Object.keys(schema).length === 0 ? {} : { additionalProperties: schema }) };
}

/** Returns the types of a union, without `undefined`, and with those of the unions that it names. */
function listAlternatives(type: Node, declarations: Declarations): readonly Node[] {
  if (is.isParenthesizedTypeNode(type)) return listAlternatives(type.type, declarations);
  if (is.isUnionTypeNode(type)) return type.types.flatMap((each) => listAlternatives(each, declarations));
  if (type.getText() === "undefined") return [];
  const name = is.isTypeReferenceNode(type) ? type.typeName.getText() : "";
  const named = name === "Duration" ? undefined : declarations.get(name);
  return named !== undefined && is.isTypeAliasDeclaration(named) && is.isUnionTypeNode(named.type)
    ? listAlternatives(named.type, declarations)
    : [type];
}

function describeUnion(types: readonly Node[], declarations: Declarations): Schema {
  // As one of several alternatives, an object may have more members.
  const described = types.map((type): Schema =>
    types.length > 1 && is.isTypeLiteralNode(type) ? { type: "object" } : describeValue(type, declarations)
  );
  const each = [...new Map(described.map((schema) => [JSON.stringify(schema), schema])).values()];
  const texts = [...new Set(each.flatMap((schema) => schema.enum ?? []))];
  const others = each.filter((schema) => schema.enum === undefined);
  if (others.some((schema) => schema.type === undefined && schema.anyOf === undefined)) return {};
  const all: readonly Schema[] = [
    ...(texts.length === 0 ? [] : [{ type: "string" as const, enum: texts }]),
    ...others,
  ];
  if (all.length === 1) return all[0]!;
  const isPlain = all.every(({ type, ...more }) => Object.keys(more).length === 0 && type !== "array");
  return isPlain ? { type: all.flatMap(({ type }) => type!) } : { anyOf: all };
}

interface Member {
  readonly types: readonly Node[];
  readonly comment: Node;
  readonly isOptional: boolean;
}

function describeObject(members: ReadonlyMap<string, Member>, declarations: Declarations): Schema {
  const properties = [...members].map(([name, { types, comment }]) => {
    const schema = describeUnion(types.flatMap((type) => listAlternatives(type, declarations)), declarations);
    const own = words(comment).description;
    // The form of a duration follows what the duration is for.
    const said = schema.properties === undefined ? [own, schema.description] : [own ?? schema.description];
    const description = said.filter((each) => each !== undefined).join(" ") || undefined;
    const { const: constant, ...others } = schema;
    // A caller may say false instead of leaving out a member that can only be true.
    const value = constant === true ? others : schema;
    return [name, { ...value, ...present({ description }), ...describeTags(comment) }] as const;
  });
  const required = [...members].filter(([, { isOptional }]) => !isOptional).map(([name]) => name);
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties),
  };
}

/** Returns the members of all object types in a type. Of alternatives, a member has the types of all. */
function findMembers(type: Node, declarations: Declarations): ReadonlyMap<string, Member> {
  const found = new Map<string, Member>();
  const add = (name: string, member: Member) => {
    const known = found.get(name);
    found.set(
      name,
      known === undefined ? member : {
        types: [...known.types, ...member.types],
        comment: readComment(known.comment) === "" ? member.comment : known.comment,
        isOptional: known.isOptional || member.isOptional,
      },
    );
  };
  const see = (node: Node, isAlternative: boolean): void => {
    if (is.isTypeLiteralNode(node) || is.isInterfaceDeclaration(node)) {
      for (const member of node.members) {
        if (!is.isPropertySignatureDeclaration(member)) continue;
        if (member.type?.getText() === "never") {
          if (!isAlternative) found.delete(member.name.getText());
          continue;
        }
        const isOptional = isAlternative || member.postfixToken !== undefined;
        add(member.name.getText(), { types: member.type ? [member.type] : [], comment: member, isOptional });
      }
      if (is.isInterfaceDeclaration(node)) {
        for (const each of node.heritageClauses?.flatMap(({ types }) => types) ?? []) {
          see(each, isAlternative);
        }
      }
    } else if (is.isTypeAliasDeclaration(node) || is.isParenthesizedTypeNode(node)) {
      see(node.type, isAlternative);
    } else if (is.isUnionTypeNode(node)) { for (const each of node.types) see(each, true); }
    else if (is.isIntersectionTypeNode(node)) { for (const each of node.types) see(each, isAlternative); }
    else if (is.isConditionalTypeNode(node)) see(node.falseType, true);
    else if (is.isTypeReferenceNode(node) || is.isExpressionWithTypeArguments(node)) {
      for (const [name, member] of findReferred(node, declarations)) {
        add(name, { ...member, isOptional: isAlternative || member.isOptional });
      }
    }
  };
  see(type, false);
  return found;
}

function findReferred(node: Node, declarations: Declarations): ReadonlyMap<string, Member> {
  const [name, terms] = is.isTypeReferenceNode(node)
    ? [node.typeName.getText(), [...node.typeArguments ?? []]]
    : is.isExpressionWithTypeArguments(node)
    ? [node.expression.getText(), [...node.typeArguments ?? []]]
    : ["", []];
  const names = () => [...terms[1]!.getText().matchAll(/"(\w+)"/g)].map(([, each]) => each);
  const inner = () => findMembers(terms[0]!, declarations);
  if (name === "Omit") return new Map([...inner()].filter(([each]) => !names().includes(each)));
  if (name === "Pick") return new Map([...inner()].filter(([each]) => names().includes(each)));
  if (name === "Partial") {
    return new Map([...inner()].map(([each, member]) => [each, { ...member, isOptional: true }]));
  }
  const declaration = declarations.get(name);
  return declaration === undefined ? new Map() : findMembers(declaration, declarations);
}

/** Returns what the tags of a comment say, and whether a member is deprecated. */
function describeTags(node: Node): Schema & { readonly deprecated?: true } {
  const tags = readTags(node);
  const number = (name: string) => tags.has(name) ? Number(tags.get(name)) : undefined;
  const [type, pattern, example] = [tags.get("asType"), tags.get("pattern"), tags.get("example")];
  return present({
    type: type as JsonType | undefined,
    minimum: number("minimum"),
    maximum: number("maximum"),
    exclusiveMinimum: number("exclusiveMinimum"),
    minLength: number("minLength"),
    pattern,
    examples: example === undefined ? undefined : [/^[{[]/.test(example) ? JSON.parse(example) : example],
    deprecated: readComment(node).startsWith("Deprecated: ") ? true as const : undefined,
  });
}

function words(node: Node): { readonly description?: string } {
  const description = toPlainWords(readComment(node));
  return present({ description: description || undefined });
}

/** Leaves out what is for TypeScript only: marks, tags, and sentences about `undefined`, which JSON does not have. */
export function toPlainWords(comment: string): string {
  return comment.split(/(?<=[.!]) (?=[A-Z`])/)
    .filter((sentence) => !sentence.includes("`undefined`"))
    .join(" ").replaceAll("`", "");
}
