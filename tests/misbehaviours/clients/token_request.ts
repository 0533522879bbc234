/** Sends a token request, and reads the response (RFC 6749 §4.1.3, §5). */

import type { ServerMetadata } from "./discovery.ts";
import { Refusal, type Run } from "./habits.ts";
import { isObject, type Json } from "./json.ts";

export async function requestTokens(
  form: Readonly<Record<string, string>>,
  { tokenEndpoint }: ServerMetadata,
  { as, scenario: { signal } }: Run,
): Promise<Json> {
  const response = await as.fetch(tokenEndpoint, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(form),
    signal,
  });
  const tokens: unknown = await response.json();
  if (!isObject(tokens)) throw new Refusal("the token response is not an object");
  if (!response.ok) throw new Refusal(`the token endpoint refuses: ${tokens["error"]}`);
  return tokens;
}
