/** docs/reference/control_plane.md. */
import { namedSchemas } from "../../src/tools/control/named_schemas.ts";
import { type ControlRoute, responseOf } from "../../src/tools/control/route.ts";
import { routeGroups } from "../../src/tools/control/routes.ts";
import { forgeryNames } from "../../src/kit/faults/names.ts";
import type { Schema } from "../../src/ground/schema/schema.ts";
import { code, listed, markNames, type Page, table } from "./markdown.ts";

/** Objects in several answers. Each has a section with this title. */
const objects = byTheirSchemas({
  Tokens: "Token response",
  Verdict: "Verdict",
  Clock: "Clock",
  RecordedRequest: "Recorded request",
  Refusal: "Refusal",
  Gate: "Gate",
  Hook: "Hook",
  Misbehaviour: "Misbehaviour",
  ActiveMisbehaviour: "Active misbehaviour",
  MisbehaviourVerdict: "Misbehaviour verdict",
  LookAlike: "Look-alike",
  ClientDocument: "Client document",
  Resource: "Resource",
  ResourceRule: "Resource rule",
  ResourceDpop: "Resource proofs",
  ResourceChallenge: "Resource challenge",
  ResourceAnswer: "Resource answer",
});

/** Objects whose members the page describes in a body. */
const entries = byTheirSchemas({
  Person: "the person, without `password`",
  ListedPerson: "person, with `password` only if `raw=true`",
  Client: "the client, without `client_secret`",
  ListedClient: "client, with `client_secret` only if `raw=true`",
});

/** Takes texts by the names that their schemas have in the OpenAPI document. */
function byTheirSchemas(texts: Readonly<Record<string, string>>): ReadonlyMap<Schema, string> {
  return new Map(Object.entries(texts).map(([name, text]) => [namedSchemas[name]!, text]));
}

export function writeControlPlane(): Page {
  return {
    title: "The control plane",
    summary:
      "Every call of the test kit over HTTP, for tests in any language. `deno task help CALL` prints one, such as " +
      "`deno task help clock`.",
    index: (name) => name,
    parts: [
      "`deno task start --control` serves these calls below `/_postern`. [From any language, over HTTP](../over_http.md) begins with a " +
      "test. Each call takes and returns JSON, and the OpenAPI document is at `/_postern/openapi.json`.",
      "A tenant is a server of its own inside this one, with its own people, clients, clock and requests, so that " +
      "tests can run at the same time. Its calls are the same, below `/_postern/tenants/NAME`. The first `POST` that " +
      "succeeds creates the tenant.",
      "A wrong call changes nothing. Its answer has `error` and `error_description`, and often `place`, where the " +
      "mistake is, and `expected`, what would be right. If the server starts with a token " +
      "in the environment variable `POSTERN_CONTROL_TOKEN`, each call needs the header `Authorization: Bearer TOKEN`.",
      ...routeGroups.flatMap(({ sections }) => sections)
        .flatMap(([title, routes]) => [`## ${title}`, ...routes.flatMap(describeRoute)]),
      "## Objects in the answers",
      ...[...objects].flatMap(([{ description, properties, required }, title]) => [
        `### ${title}`,
        ...(description === undefined ? [] : [markNames(description)]),
        describeMembers("member", properties!, required, "optional"),
      ]),
    ],
  };
}

function describeRoute(route: ControlRoute): readonly string[] {
  const { method, path, summary, only, query, body } = route;
  const inside = body === undefined ? undefined : findProperties(body);
  const examples = body?.examples ?? [];
  const scope = only === undefined ? [] : [`For ${only === "server" ? "the server" : "a tenant"} only.`];
  return [
    `### ${method} ${path === "" ? "/" : path.replace("{", "\\{")}`,
    [markNames(summary), ...scope].join(" "),
    ...(query?.properties === undefined
      ? []
      : [describeMembers("in the query", query.properties, query.required)]),
    ...(inside === undefined ? [] : [describeMembers("in the body", inside.properties!, inside.required)]),
    ...(examples.length === 0 ? [] : [`For example ${code(JSON.stringify(examples[0]))}.`]),
    ...describeAnswer(route),
  ];
}

/** Returns the object with members, which may be one of several alternatives. */
function findProperties(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  return schema.anyOf?.map(findProperties).find((each) => each !== undefined);
}

function describeMembers(
  where: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  marked: "required" | "optional" = "required",
): string {
  return table(
    [where, "value", "what it is"],
    Object.entries(properties).map(([name, schema]) => [
      code(name) + (required.includes(name) === (marked === "required") ? `, ${marked}` : ""),
      describeValue(schema),
      markNames(schema.description ?? "", schema.enum ?? []),
    ]),
  );
}

function describeValue(schema: Schema): string {
  const { type, enum: values, items, anyOf, const: constant } = schema;
  const object = linkObject(schema);
  if (object !== undefined) return object;
  if (constant !== undefined) return code(`${constant}`);
  if (values === forgeryNames) return "name of a [forgery](misbehaviours.md#access_token)";
  if (values !== undefined) return listed(values.map(code), "or");
  if (anyOf !== undefined) return listed([...new Set(anyOf.map(describeValue))], "or");
  if (type === "array") return describeList(items);
  if (type === "boolean") return "`true` or `false`";
  return type === undefined ? "any value" : [type].flat().join(" or ");
}

function describeList(items: Schema | undefined): string {
  if (items === undefined) return "list of values";
  const object = linkObject(items, "s");
  if (object !== undefined) return `list of ${object}`;
  const entry = entries.get(items);
  if (entry !== undefined) return `list: each a ${entry}`;
  if (items.properties !== undefined) {
    const members = Object.entries(items.properties).map(([name, each]) =>
      `${code(name)} (${describeValue(each)})`
    );
    return `list of objects with ${listed(members)}`;
  }
  return `list of ${describeValue(items)}s`;
}

/** Returns a link to the section of an object. */
function linkObject(schema: Schema, plural = ""): string | undefined {
  const title = objects.get(schema)?.toLowerCase();
  return title && `[${title}${plural}](#${title.replaceAll(" ", "-")})`;
}

function describeAnswer(route: ControlRoute): readonly string[] {
  const { status, schema } = responseOf(route);
  if (schema === undefined) return ["Answers 204, without a body."];
  const { types = ["application/json"] } = route;
  const isJson = types.length === 1 && types[0] === "application/json";
  if (!isJson) return [`Answers ${status} with ${listed(types.map(code), "or")}.`];
  const object = linkObject(schema);
  const whole = object === undefined ? entries.get(schema) : `a ${object}`;
  if (whole !== undefined) return [`Answers ${status} with ${whole}.`];
  return [
    `Answers ${status}.`,
    describeMembers("in the answer", schema.properties ?? {}, schema.required, "optional"),
  ];
}
