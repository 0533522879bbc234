/** The checks of a pasted text that several kinds of texts have, and what each needs to know. */

import { type CheckOptions, createIncoming } from "./check_request.ts";
import type { JwtParts } from "../../../ground/crypto/jwt_parts.ts";
import { formatParams, type Pair } from "../../../ground/http/form.ts";
import type { ShowOptions } from "../../../kit/mock/journal/show_value.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import type { Browser } from "../../../server/oauth/people/browser.ts";
import type { ShownCheck } from "../../../server/pages/token/token_props.ts";
import type { PlaygroundWords } from "./playground_english.ts";
import { decide } from "./shown_check.ts";

export interface PastedOptions extends CheckOptions {
  /** The browser of the person, if it has begun a login at this server. */
  readonly browser: Browser | undefined;
  readonly show: ShowOptions;
  /** The URLs of the APIs beside the server, and of those of a test. */
  readonly apis: readonly string[];
  readonly values: PlaygroundWords["reader"]["values"];
  /** The access token that came with an ID token. */
  readonly accessToken?: string;
  /** Returns the address of the requests of a flow in the inspector. */
  flowUrl(flow: string): string;
}

/** Checks a JWT of one kind. `text` is the whole of it. */
export type CheckJwt = (
  text: string,
  parts: JwtParts,
  options: PastedOptions,
) => Promise<readonly ShownCheck[]>;

/** Checks that a claim names a client of this server. */
export async function checkClientIn(
  name: "aud" | "client",
  received: unknown,
  { services, values }: Pick<PastedOptions, "services" | "values">,
): Promise<ShownCheck> {
  const ids = [received].flat().filter((each) => typeof each === "string");
  const clients = await Promise.all(ids.map((id) => findClient(id, services)));
  return decide(name, clients.some((client) => client !== undefined), {
    expected: values.clientOfServer,
    received: received ?? values.nothing,
  });
}

interface Question {
  readonly url: string;
  /** The fields of a POST. Absent: the method is GET. */
  readonly form?: readonly Pair[];
  /** The only error that counts. Absent: any error. */
  readonly failsWith?: string;
}

/** Asks the server itself whether a text is good, by a rehearsal. */
export async function askServer(
  { url, form, failsWith }: Question,
  { services, rehearse, cookie, values }: Pick<PastedOptions, "services" | "rehearse" | "cookie" | "values">,
): Promise<ShownCheck> {
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
    expected,
    received: received === undefined ? description : `${description}: ${received}`,
    rule: spec,
  });
}
