/** A visit: a request to a page of the dashboard, with the passes that it carries beside its cookies. */

import { ControlRefused } from "../guard/control_refused.ts";
import { parseAddress } from "../../ground/http/address.ts";
import { isFormType } from "../../ground/http/body.ts";
import { changeRequest, type IncomingRequest } from "../../ground/http/message.ts";
import type { OpenedSession } from "./session.ts";

export interface Visit {
  /** A form that only opens a page counts as a GET of the page. */
  readonly request: IncomingRequest;
  readonly form: URLSearchParams;
  /** Why the form cannot be read. */
  readonly problem?: ControlRefused;
  /** The passes that the tab has, right or wrong. */
  readonly passes: readonly string[];
  /** The browser runs no script, so only the forms of the answer can carry the passes on. */
  readonly isCarried: boolean;
}

/** The header in which a script sends the passes of its tab, with a space between them. */
const passHeader = "postern-pass";

/** The hidden fields of the forms. `src/tools/dashboard/parts/pass.tsx` writes them. */
const passField = "pass";
const carriedField = "without_script";
const openField = "open_page";

// Octets. Enough for an edited request with long tokens.
const maxFormLength = 200_000;

export async function readVisit(request: IncomingRequest): Promise<Visit> {
  const sent = (request.header(passHeader) ?? "").split(" ").filter((each) => each !== "");
  const plain = { request, form: new URLSearchParams(), passes: sent, isCarried: false };
  if (request.method !== "POST") return plain;
  const form = await readForm(request);
  if (form instanceof ControlRefused) return { ...plain, problem: form };
  const passes = [...sent, ...form.getAll(passField)];
  const [isCarried, opensPage] = [form.has(carriedField), form.has(openField)];
  for (const name of [passField, carriedField, openField]) form.delete(name);
  return { request: opensPage ? openPage(request, form) : request, form, passes, isCarried };
}

/** Returns the GET that a form stands for. A form such as a filter has its fields in the query. */
function openPage(request: IncomingRequest, form: URLSearchParams): IncomingRequest {
  const { address } = request;
  return asGet(request, { ...address, query: form.size === 0 ? address.query : `${form}` });
}

/** Returns the visit of a browser that follows a redirect, with one more cookie and pass if it has just got them. */
export function followRedirect({ request, passes }: Visit, location: string, opened?: OpenedSession): Visit {
  // Each page leads to paths of this server only.
  const address = parseAddress(request.address.origin + location)!;
  const got = opened?.cookie.split(";")[0];
  const cookie = [request.header("cookie"), got].filter((each) => each !== undefined).join("; ");
  return {
    request: asGet(request, address, cookie === "" ? undefined : cookie),
    form: new URLSearchParams(),
    passes: opened === undefined ? passes : [...passes, opened.pass],
    isCarried: true,
  };
}

function asGet(
  request: IncomingRequest,
  address: IncomingRequest["address"],
  cookie: string | undefined = request.header("cookie"),
): IncomingRequest {
  return changeRequest(request, {
    method: "GET",
    address,
    header: (name) => name === "cookie" ? cookie : request.header(name),
  });
}

async function readForm(request: IncomingRequest): Promise<URLSearchParams | ControlRefused> {
  if (!isFormType(request.header("content-type"))) {
    return new ControlRefused("unsupported_media_type", "The page sends a form", {
      place: "Content-Type",
      expected: "application/x-www-form-urlencoded",
    });
  }
  const body = await request.readBody(maxFormLength);
  if (!("problem" in body)) return new URLSearchParams(body.text);
  const error = body.problem === "too_large" ? "too_large" : "invalid_request";
  return new ControlRefused(error, `The form must be complete UTF-8 of ${maxFormLength} octets at most`);
}
