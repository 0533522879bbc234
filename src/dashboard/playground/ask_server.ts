/** Asks the server itself whether a pasted text is good, by a rehearsal. */

import { formatParams, type Pair } from "../../http/form.ts";
import { redactText } from "../../oauth/redaction.ts";
import type { PastedCheck } from "../../pages/playground/playground_props.ts";
import { createIncoming } from "./check_request.ts";
import { decide } from "./pasted_check.ts";
import type { PastedTerms } from "./pasted_terms.ts";

export interface Question {
  readonly url: string;
  /** The fields of a POST. Absent: the method is GET. */
  readonly form?: readonly Pair[];
  /** The only error that counts. Absent: any error. */
  readonly failsWith?: string;
}

export async function askServer(
  { url, form, failsWith }: Question,
  { services, rehearse, cookie, values }: Pick<PastedTerms, "services" | "rehearse" | "cookie" | "values">,
): Promise<PastedCheck> {
  const request = createIncoming(
    form === undefined ? { method: "GET", url, headers: [] } : {
      method: "POST",
      url,
      body: formatParams(form),
      headers: [["content-type", "application/x-www-form-urlencoded"]],
    },
    cookie,
  );
  if (request === undefined) return decide("server", false, { received: values.unsendable });
  const { facts: { refusal }, calls } = await rehearse(request, services);
  if (calls.length > 0) return decide("server", undefined, { received: values.call(calls[0]!) });
  if (refusal === undefined || failsWith !== undefined && refusal.error !== failsWith) {
    return decide("server", true, {});
  }
  const { description, expected, received, spec } = refusal;
  return decide("server", false, {
    expected: expected && redactText(expected),
    received: redactText(received === undefined ? description : `${description}: ${received}`),
    rule: spec,
  });
}
