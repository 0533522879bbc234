/** Checks the issuer's URL (RFC 8414 §2). */

import { isLoopbackUri } from "../oauth/clients/redirect_uri.ts";
import { describeReceived } from "../schema/received.ts";
import { refuseOption } from "./set_up_mistake.ts";

/** RFC 8414 §2: https without query and fragment. On loopback, http is accepted too. */
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
  if (url.pathname.includes("//")) refuseOption("issuer", "must not have an empty segment in its path");
  if (url.username !== "" || url.password !== "") {
    refuseOption("issuer", "must not contain a user name or a password");
  }
  // Clients compare the issuer as text, so only the normal form of a URL is accepted.
  if (url.href !== issuer && url.href !== `${issuer}/`) {
    refuseOption("issuer", `must be written as ${url.href}`);
  }
}
