/** Checks the issuer (RFC 8414 §2). */

import { isLoopbackUri } from "../oauth/clients/redirect_uri.ts";
import { describeReceived } from "../schema/received.ts";
import { refuseOption } from "./set_up_mistake.ts";

/** RFC 8414 §2: https without query and fragment; http only where nobody else listens. */
export function requireIssuer(issuer: string): void {
  const received = describeReceived("issuer", issuer);
  if (!URL.canParse(issuer)) refuseOption("issuer", "must be an absolute URL", received);
  const url = new URL(issuer);
  if (url.protocol !== "https:" && !isLoopbackUri(issuer)) {
    refuseOption("issuer", "must be https, or http on 127.0.0.1, [::1] or localhost", received);
  }
  if (issuer.includes("?") || issuer.includes("#")) {
    refuseOption("issuer", "must not have a query or a fragment");
  }
  if (url.pathname.includes("//")) refuseOption("issuer", "must not have two slashes in a row in its path");
  if (url.username !== "" || url.password !== "") {
    refuseOption("issuer", "must not hold a name or a password");
  }
  // Compared as text by every client: only one spelling of a URL survives that.
  if (url.href !== issuer && url.href !== `${issuer}/`) {
    refuseOption("issuer", `must be written as ${url.href}`);
  }
}
