/** The headers in which proxies write the certificate of a client. */

import { type IncomingRequest, tokenPattern } from "../../../ground/http/message.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";

export const headerSetting: Setting<string> = {
  name: "clientCertHeader",
  schema: { type: "string", pattern: `^${tokenPattern}$`, examples: ["Client-Cert"] },
};

/** The usual ones, which have no effect without the setting. */
const usualHeaders = ["client-cert", "client-cert-chain", "x-forwarded-client-cert"];

/** In lower case. nginx sends an empty header if the client has shown no certificate. */
export function findCertificateHeaders(
  request: Pick<IncomingRequest, "header">,
  configured: string | undefined,
): readonly string[] {
  const all = configured === undefined ? usualHeaders : [configured.toLowerCase(), ...usualHeaders];
  return all.filter((name) => (request.header(name) ?? "") !== "");
}
