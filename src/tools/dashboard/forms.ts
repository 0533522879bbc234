/** The forms of the dashboard. Each form has a token of its own, which pages of other sites cannot read. */

import { createRandomBytes, randomText } from "../../ground/crypto/bytes.ts";
import { hmacSha256, sameDigest } from "../../ground/crypto/platform.ts";
import type { FormTarget } from "./parts/pass.tsx";
import { ControlRefused } from "../guard/control_refused.ts";

/** The name of the hidden field with the token. `src/tools/dashboard/parts/pass.tsx` writes it. */
const formTokenField = "form_token";

export function createFormSecret(): string {
  return randomText(createRandomBytes(), 32);
}

export interface Forms {
  target(action: string): FormTarget;
  requireToken(form: URLSearchParams, path: string): void;
}

/** Without a secret, the forms end with the server. */
export function createForms(secret: string = createFormSecret()): Forms {
  const token = (action: string) => hmacSha256(secret, action);
  return {
    target: (action) => ({ action, token: token(action) }),
    requireToken(form, path) {
      if (sameDigest(form.get(formTokenField) ?? "", token(path))) return;
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
