/** The end of an authorization request: the client's address, to which the server sends the browser back. */

import { textOf } from "../../http/answer_body.ts";
import { withoutQuery } from "../../http/address.ts";
import { findFormAction } from "../../http/html.ts";
import type { Received } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";
import type { Visit } from "./visit.ts";

export function requireCallback(doing: string, end: Visit): URL {
  if (end.leftFor !== undefined) return end.leftFor;
  // A refusal explains more than the form that carries its error code.
  if (!showsForm(end) || findClientForm(end) === undefined) throw notSentBack(doing, end);
  throw new Error(
    `Cannot ${doing}: the response comes in a form (response_mode=form_post); use as.authorizeForm()`,
  );
}

/** The same for a response in a form: the client's address to which the form goes. */
export function requireFormAction(doing: string, end: Visit): string {
  if (end.leftFor !== undefined) {
    throw new Error(`Cannot ${doing}: the response comes as a redirect, not in a form; use as.authorize()`);
  }
  const action = findClientForm(end);
  if (action === undefined) throw notSentBack(doing, end);
  return action;
}

/** The code that the browser takes to the client. */
export function requireCode(doing: string, end: Visit): string {
  const { searchParams, hash } = requireCallback(doing, end);
  // A redirect URI has no fragment of its own (OAuth 2.1 §2.3), so a fragment is the response.
  const params = hash === "" ? searchParams : new URLSearchParams(hash.slice(1));
  const code = params.get("code");
  if (code !== null) return code;
  const [error, description] = ["error", "error_description"].map((name) => params.get(name) ?? undefined);
  throw notSentBack(doing, end, { status: end.answer.status, error, description });
}

/** Forms on the server's own pages go to a path; the form of a response goes to a whole address. */
function findClientForm({ answer: { status, body } }: Visit): string | undefined {
  const action = status === 200 ? findFormAction(textOf(body)) : undefined;
  return action !== undefined && URL.canParse(action) ? action : undefined;
}

/** Whether the server asks the person for something, or answers the client in a form. */
function showsForm({ answer: { status, body }, facts }: Visit): boolean {
  return facts?.refusal === undefined && status === 200 && textOf(body).includes("<form");
}

function notSentBack(doing: string, end: Visit, received: Received = { status: end.answer.status }): Error {
  if (end.leftFor === undefined && showsForm(end)) {
    return new Error(
      `Cannot ${doing}: the server shows a page of its own at ${withoutQuery(end.url)}; ` +
        "expected a client's authorization URL, which sends the browser back",
    );
  }
  const expected = "the browser to be sent back to the client, with a code or an OAuth error";
  return refusedBy(doing, end.facts, received, expected);
}
