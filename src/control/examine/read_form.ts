/** Reads the body of a form of the page on which a person examines an application. */

import { isFormType } from "../../http/body.ts";
import type { IncomingRequest } from "../../http/message.ts";
import { ControlRefused } from "../control_refused.ts";

// Octets. Enough for every box of the form.
const maxFormLength = 20_000;

export async function readExamineForm(request: IncomingRequest): Promise<URLSearchParams> {
  if (!isFormType(request.header("content-type"))) {
    throw new ControlRefused("unsupported_media_type", "The page sends a form", {
      place: "Content-Type",
      expected: "application/x-www-form-urlencoded",
    });
  }
  const read = await request.readBody(maxFormLength);
  if ("problem" in read) {
    const error = read.problem === "too_large" ? "too_large" : "invalid_request";
    throw new ControlRefused(error, `The form must be complete UTF-8 of ${maxFormLength} octets at most`);
  }
  return new URLSearchParams(read.text);
}
