/** What counts as a refusal besides the statuses 400, 401 and 403: what the user of an API declares. */

import { describeValue } from "../../ground/schema/received.ts";
import { WrongTerm } from "../mock/terms/wrong_term.ts";

/**
 * An answer that is a refusal although its status does not say so. `redirect`: the API redirects, for example to its login.
 * `status:404`: this status. `body:TEXT`: the body contains the text.
 */
export type RefusedBy = "redirect" | `status:${number}` | `body:${string}`;

/** Returns the first declaration that the answer fits. The body is read only if a declaration is about it. */
export type FindDeclared = (response: Response) => Promise<RefusedBy | undefined>;

/** Throws a TypeError for a text that is no declaration. The message begins with `doing`. */
export function readRefusedBy(
  declared: RefusedBy | readonly RefusedBy[] | undefined,
  doing: string,
): FindDeclared {
  const rules = [declared ?? []].flat();
  const wrong = rules.find((rule) => !isRefusedBy(rule));
  if (wrong !== undefined) {
    throw new WrongTerm(doing, "redirect, status:NUMBER or body:TEXT as refusedBy", describeValue(wrong));
  }
  return async (response) => {
    const body = rules.some((rule) => rule.startsWith("body:")) ? await response.clone().text() : "";
    return rules.find((rule) => fits(rule, response.status, body));
  };
}

export function isRefusedBy(text: string): text is RefusedBy {
  return /^(redirect|status:[1-5]\d\d|body:.+)$/s.test(text);
}

function fits(rule: RefusedBy, status: number, body: string): boolean {
  if (rule === "redirect") return status >= 300 && status < 400;
  const value = rule.slice(rule.indexOf(":") + 1);
  return rule.startsWith("status:") ? status === Number(value) : body.includes(value);
}
