/** The names and the option of device logins (RFC 8628). */

import type { ValueKey } from "../../oauth/contracts/feature_values.ts";
import { createLifetime, type Lifetime } from "../../oauth/options/lifetime.ts";
import type { Duration } from "../../../ground/schema/duration.ts";

/** The lifetime of device codes. */
export interface DeviceLoginLifetimes {
  /** How long a device login waits for the person (RFC 8628). At most `30m`. Default: `10m`. */
  readonly deviceCode?: Duration;
}

// RFC 8628 §5.4: a short lifetime leaves little time to send the code to a victim.
export const deviceCodeLifetime: Lifetime<number> = createLifetime("deviceCode", {
  maximum: 1800,
  default: "10m",
});

export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

export const deviceKind = "device";
export const verificationPath = "/oauth2/device_verification";

/** The user code of a request, which the consent page shows again (RFC 8628 §3.3.1). */
export const userCodeKey: ValueKey<string> = { name: "user_code" };
