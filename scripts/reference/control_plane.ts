/** docs/reference/control_plane.md. */
import { clockRoutes } from "../../src/control/clock_routes.ts";
import { directoryRoutes } from "../../src/control/directory_routes.ts";
import { environmentRoutes } from "../../src/control/environment_routes.ts";
import { gateRoutes } from "../../src/control/gate_routes.ts";
import { hookRoutes } from "../../src/control/hook_routes.ts";
import { journalRoutes } from "../../src/control/journal_routes.ts";
import type { ControlRoute } from "../../src/control/route.ts";
import { controlRoutes } from "../../src/control/routes.ts";
import { signInRoutes } from "../../src/control/sign_in_routes.ts";
import { tenantRoutes } from "../../src/control/tenant_routes.ts";
import { tokenRoutes } from "../../src/control/token_routes.ts";
import { forgeries } from "../../src/mock/tokens/forgeries.ts";
import type { Schema } from "../../src/schema/schema.ts";
import { code, listed, markNames, type Page, table } from "./markdown.ts";

const sections: Readonly<Record<string, readonly ControlRoute[]>> = {
  "Sign in and out": signInRoutes,
  "Tokens": tokenRoutes,
  "The clock": clockRoutes,
  "People and clients": directoryRoutes,
  "Requests": journalRoutes,
  "Late, held, failed and lost answers": gateRoutes,
  "Hooks": hookRoutes,
  "Your application": environmentRoutes,
  "Servers and tenants": tenantRoutes,
};

export function writeControlPlane(): Page {
  const listedRoutes = Object.values(sections).flat();
  const missing = controlRoutes.filter((route) => !listedRoutes.includes(route));
  if (missing.length > 0) {
    throw new Error(`Add to a section of control_plane.ts: ${missing.map(({ name }) => name).join(", ")}`);
  }
  return {
    title: "The control plane",
    summary: "Every call of the test kit over HTTP, for tests in any language.",
    parts: [
      "`deno task start --control` serves these calls below `/_postern`. [Over HTTP](../over_http.md) begins with a " +
      "test. Each call takes and returns JSON, and the OpenAPI document is at `/_postern/openapi.json`.",
      "Each tenant has the same calls below `/_postern/tenants/NAME`, apart from those that are for the server only. " +
      "The first `POST` to a tenant that succeeds creates the tenant.",
      "A wrong call changes nothing. Its answer has `error` and `error_description`, and often `place`, where the " +
      "mistake is, and `expected`, what would be right. With `--control TOKEN`, a call needs the header " +
      "`Authorization: Bearer TOKEN`.",
      ...Object.entries(sections).flatMap((
        [title, routes],
      ) => [`## ${title}`, ...routes.flatMap(describeRoute)]),
    ],
  };
}

function describeRoute({ method, path, summary, only, schema }: ControlRoute): readonly string[] {
  const { query, body, answer } = schema;
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
    describeAnswer(answer),
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
): string {
  return table(
    [where, "value", "what it is"],
    Object.entries(properties).map(([name, schema]) => [
      code(name) + (required.includes(name) ? ", required" : ""),
      describeValue(schema),
      markNames(schema.description ?? "", schema.enum ?? []),
    ]),
  );
}

function describeValue({ type, enum: values, items, anyOf, const: constant }: Schema): string {
  if (constant !== undefined) return code(`${constant}`);
  if (values === forgeries) return "name of a [forgery](forgeries.md)";
  if (values !== undefined) return listed(values.map(code), "or");
  if (anyOf !== undefined) return listed([...new Set(anyOf.map(describeValue))], "or");
  if (type === "array") return `list of ${items === undefined ? "values" : describeValue(items)}s`;
  if (type === "boolean") return "`true` or `false`";
  return type === undefined ? "any value" : [type].flat().join(" or ");
}

function describeAnswer(answer: ControlRoute["schema"]["answer"]): string {
  if (answer === undefined) return "Answers 204, without a body.";
  const { status = 200, types = ["application/json"], schema } = answer;
  const names = Object.keys(findProperties(schema)?.properties ?? {}).map(code);
  const isJson = types.length === 1 && types[0] === "application/json";
  if (!isJson) return `Answers ${status} with ${listed(types.map(code), "or")}.`;
  return names.length === 0 ? `Answers ${status} with JSON.` : `Answers ${status} with ${listed(names)}.`;
}
