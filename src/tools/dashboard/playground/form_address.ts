/** The addresses that open the form of the playground with its fields filled in. They hold no secrets. */

import { isSecretName } from "../../../server/oauth/secrets/redaction.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { readMore, type Values } from "./build_request.ts";
import { listRequestKinds, type RequestKind } from "./request_kinds.ts";

// In characters. A longer form is shown without an address of its own.
export const longestAddress = 6_000;

export function hasSecret({ fields }: RequestKind, values: Values): boolean {
  return readMore(values.get("more") ?? "").some(([name]) => isSecretName(name)) ||
    fields.some(({ name, isSecret }) => isSecret && (values.get(name) ?? "") !== "");
}

/** Returns the address that shows the same form, without its secrets. */
export function formatAddress({ id, fields }: RequestKind, values: Values, path: string): string {
  const query = new URLSearchParams({ kind: id });
  for (const { name, isSecret } of fields) {
    const value = values.get(name) ?? "";
    if (value !== "" && !isSecret) query.set(name, value);
  }
  return `${path}?${query}`;
}

// The values that belong to one login.
export const valuesOfLogin = ["state", "nonce"] as const;

/** Returns the address that opens the same form with new values for the login of another person. */
export function formatShare(kind: RequestKind, values: Values, path: string): string {
  const fresh = valuesOfLogin.filter((name) => (values.get(name) ?? "") !== "");
  const kept = new Map([...values].filter(([name]) => !fresh.some((each) => each === name)));
  const address = formatAddress(kind, kept, path);
  return fresh.length === 0 ? address : `${address}&${new URLSearchParams({ fresh: fresh.join(" ") })}`;
}

/**
 * The form gets new values for the login, and a new verifier with its challenge, also if the request had some. A request
 * with a secret, such as a request object, has no address.
 */
export function formatCorrection(
  { path, query }: { readonly path: string; readonly query: string },
  services: Services,
  playgroundPath: string,
): string | undefined {
  const kind = listRequestKinds(services).find((each) => each.path === path);
  if (kind === undefined) return undefined;
  const values = kind.parametersIn === "query" ? valuesOf(kind, new URLSearchParams(query)) : new Map();
  const address = formatShare(kind, values, playgroundPath);
  return hasSecret(kind, values) || address.length > longestAddress ? undefined : address;
}

/** Returns the values with which the form makes the request with these parameters. */
function valuesOf({ fields }: RequestKind, params: URLSearchParams): Values {
  const roles = new Map(fields.map(({ name, role = "param" }) => [name, role]));
  const values = new Map<string, string>();
  const more: string[] = [];
  for (const [name, value] of params) {
    const held = values.get(name);
    if (roles.get(name) === "words") values.set(name, held === undefined ? value : `${held} ${value}`);
    else if (roles.get(name) === "param" && held === undefined) values.set(name, value);
    else more.push(`${name}=${value}`);
  }
  if (more.length > 0) values.set("more", more.join("\n"));
  return values;
}
