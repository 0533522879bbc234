/** In a browser, there are no certificates: libraries read the key set there. */

import type { Answer } from "../../../ground/http/message.ts";
import { jsonAnswer } from "../changes.ts";
import type { Acts } from "../misbehaviour.ts";

export function listCertificates(): Answer {
  const error_description = "In a browser, this look-alike has no certificates. Read /oauth2/v3/certs";
  return jsonAnswer(501, { error: "not_found", error_description });
}

export function publishCertificates(): Acts {
  return {};
}
