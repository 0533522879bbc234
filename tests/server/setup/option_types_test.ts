/** Each option of a server is checked by its type, as the schema of the configuration says. */

import { assert, assertThrows } from "@std/assert";
import { createServer, type ServerOptions } from "../../../src/mod.ts";
import configuration from "../../../static/configuration.schema.json" with { type: "json" };
import { test } from "../../runner.ts";

test("options: none of one type takes a value of another", () => {
  const typed = Object.entries(
    configuration.properties as Readonly<Record<string, { readonly type?: unknown }>>,
  )
    .filter(([, { type }]) => typeof type === "string");
  assert(typed.length > 20);
  for (const [name, { type }] of typed) {
    const value = type === "string" ? 7 : type === "boolean" ? "no" : true;
    const { message } = assertThrows(() => createServer({ [name]: value } as ServerOptions), TypeError, name);
    assert(!message.includes("not known"), message);
  }
});
