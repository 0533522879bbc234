/** Checks that a claim names a client of this server. */

import { findClient } from "../../oauth/clients/find_client.ts";
import type { PastedCheck } from "../../pages/playground/playground_props.ts";
import { decide } from "./pasted_check.ts";
import type { PastedTerms } from "./pasted_terms.ts";

export async function checkClientIn(
  name: "aud" | "client",
  received: unknown,
  { services, values }: PastedTerms,
): Promise<PastedCheck> {
  const ids = [received].flat().filter((each) => typeof each === "string");
  const clients = await Promise.all(ids.map((id) => findClient(id, services)));
  return decide(name, clients.some((client) => client !== undefined), {
    expected: values.clientOfServer,
    received: received ?? values.nothing,
  });
}
