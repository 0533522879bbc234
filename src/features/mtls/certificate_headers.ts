/** The headers in which proxies write the certificate of a client. */

import type { Setting } from "../../oauth/setting.ts";

export const headerSetting: Setting<string> = {
  name: "clientCertHeader",
  schema: { type: "string", pattern: "^[\\w!#$%&'*+.^`|~-]+$", examples: ["Client-Cert"] },
};

/** The usual ones, which have no effect without the setting. */
export const certificateHeaders = ["client-cert", "client-cert-chain", "x-forwarded-client-cert"] as const;
