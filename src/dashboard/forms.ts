/** The forms of the dashboard. Each form has a token of its own, which pages of other sites cannot read. */

import { createRandomBytes, hmacSha256, randomText, sameDigest } from "../crypto/bytes.ts";
import { ControlRefused } from "../control/control_refused.ts";
import { isFormType } from "../http/body.ts";
import type { IncomingRequest } from "../http/message.ts";

/** The name of the hidden field with the token. */
export const formTokenField = "form_token";

export interface Forms {
  /** Returns the token of the form that is sent to this path. */
  token(action: string): string;
  /** Reads a form that was sent to the path of the request. Throws a `ControlRefused` if its token is wrong. */
  read(request: IncomingRequest): Promise<URLSearchParams>;
}

// Octets. Enough for an edited request with long tokens.
const maxFormLength = 200_000;

/** Reads a form without a token, which `maxLength` octets limit. */
export async function readFormBody(request: IncomingRequest, maxLength: number): Promise<URLSearchParams> {
  if (!isFormType(request.header("content-type"))) {
    throw new ControlRefused("unsupported_media_type", "The page sends a form", {
      place: "Content-Type",
      expected: "application/x-www-form-urlencoded",
    });
  }
  const body = await request.readBody(maxLength);
  if ("problem" in body) {
    const error = body.problem === "too_large" ? "too_large" : "invalid_request";
    throw new ControlRefused(error, `The form must be complete UTF-8 of ${maxLength} octets at most`);
  }
  return new URLSearchParams(body.text);
}

export function createForms(): Forms {
  const secret = randomText(createRandomBytes(), 32);
  const token = (action: string) => hmacSha256(secret, action);
  return {
    token,
    async read(request) {
      const form = await readFormBody(request, maxFormLength);
      const given = form.get(formTokenField) ?? "";
      if (sameDigest(given, token(request.address.path))) return form;
      throw new ControlRefused(
        "access_denied",
        "The form is not one of this page, or the server was restarted",
        {
          place: formTokenField,
          expected: "the token of the form: open the page again, and send the form from there",
        },
      );
    },
  };
}
