/** static/configuration.schema.json: the schema of the configuration, with the comments of its type as descriptions. */
import type { Node } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { registeredNames } from "../../src/server/oauth/clients/metadata/registered_names.ts";
import { present } from "../../src/ground/values/present.ts";
import type { Schema } from "../../src/ground/schema/schema.ts";
import { createPlainSchema } from "../../src/server/plain_schema.ts";
import { readComment, readSources } from "./sources.ts";
import { type Declarations, listDeclarations } from "./type_schemas.ts";

/** Returns the published schema. A description that the code itself gives stays. */
export async function describeOptions(): Promise<Schema> {
  const files = await readSources();
  const declarations = new Map(listDeclarations(files, /^src\/server\/(setup|features|oauth)\//));
  return addWords(createPlainSchema(), declarations.get("Configuration")!, declarations);
}

const ownName = " (Not a registered name: only this server reads it.)";

function addWords(schema: Schema, type: Node, declarations: Declarations): Schema {
  const { items, anyOf, properties, additionalProperties } = schema;
  const members = findMembers(type, declarations);
  const isOfClient = members.has("client_id");
  const describe = (name: string, each: Schema): Schema => {
    const member = members.get(name);
    if (member === undefined) return each;
    const words = readComment(member).replaceAll("`", "") +
      (isOfClient && !registeredNames.has(name) ? ownName : "");
    const description = each.description ?? (words || undefined);
    return addWords({ ...each, ...present({ description }) }, member, declarations);
  };
  return {
    ...schema,
    ...present({
      items: items && addWords(items, type, declarations),
      anyOf: anyOf?.map((each) => addWords(each, type, declarations)),
      additionalProperties: typeof additionalProperties === "object"
        ? addWords(additionalProperties, type, declarations)
        : additionalProperties,
      properties: properties &&
        Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, describe(name, each)])),
    }),
  };
}

/** Returns the members of all object types in a type, with those that it inherits. */
function findMembers(type: Node, declarations: Declarations): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  const see = (node: Node): void => {
    if (is.isTypeLiteralNode(node) || is.isInterfaceDeclaration(node)) {
      for (const member of node.members) {
        if (is.isPropertySignatureDeclaration(member)) found.set(member.name.getText(), member);
      }
    }
    if (is.isTypeLiteralNode(node)) return;
    const referred = is.isTypeReferenceNode(node)
      ? node.typeName.getText()
      : is.isExpressionWithTypeArguments(node)
      ? node.expression.getText()
      : "";
    const declaration = declarations.get(referred);
    if (declaration !== undefined) see(declaration);
    if (!is.isPropertySignatureDeclaration(node) || node === type) {
      node.forEachChild((child) => void see(child));
    }
  };
  see(type);
  return found;
}
