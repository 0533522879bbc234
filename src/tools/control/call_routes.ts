/** The routes of calls of the test kit that need no route of their own: they take only terms, and return what JSON has. */

import calls from "../../../static/calls.json" with { type: "json" };
import type { Tenant } from "../../kit/mock/tenant.ts";
import { bodyOf, resultOf, type TypeName } from "./kit_types.ts";
import { type ControlRoute, type Reply, route } from "./route.ts";
import { openObject, text } from "../../ground/schema/schema_of.ts";
import { present } from "../../ground/values/present.ts";

interface PlainCall {
  readonly name: string;
  readonly terms: string;
  /** The name of a type, or `string`. Absent: the call returns nothing. */
  readonly result?: string;
}

/** `others` have routes of their own for most calls. */
export function createCallRoutes(others: readonly ControlRoute[]): readonly ControlRoute[] {
  const paths = new Set(others.map(({ path }) => path));
  return calls.plain.filter(({ name }) => !paths.has(pathOf(name))).map(createRoute);
}

/** The path of `rotateKeys` is `/rotate_keys`. */
function pathOf(name: string): `/${string}` {
  return `/${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

function createRoute({ name, terms, result }: PlainCall): ControlRoute {
  return route(`POST ${pathOf(name)}`, name, {
    body: bodyOf<object>(terms as TypeName),
    ...present({
      answer: result === undefined
        ? undefined
        : result === "string"
        ? openObject({ result: text() })
        : resultOf(result as TypeName),
    }),
    async handle({ tenant, body }) {
      const call = tenant[name as keyof Tenant] as (terms: object) => unknown;
      const value = await call(body);
      return typeof value === "string" ? { result: value } : value as Reply;
    },
  });
}
