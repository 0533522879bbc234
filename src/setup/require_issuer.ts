/** Checks the issuer's URL (RFC 8414 §2). */

import { isPrivateHost } from "../http/private_host.ts";
import { isLoopbackUri } from "../oauth/clients/redirect_uri.ts";
import { describeReceived } from "../schema/received.ts";
import { refuseOption } from "../oauth/set_up_mistake.ts";

/**
 * Requires https without query and fragment (RFC 8414 §2). On loopback, http is accepted, too, and with
 * `allowPrivateHttp` also in a local network.
 */
export function requireIssuer(
  issuer: string,
  { allowPrivateHttp }: { readonly allowPrivateHttp: boolean },
): void {
  const received = describeReceived("issuer", issuer);
  if (!URL.canParse(issuer)) refuseOption("issuer", "must be an absolute URL", received);
  const url = new URL(issuer);
  if (url.protocol !== "https:" && !isLoopbackUri(issuer)) {
    requirePrivateHttp(url, allowPrivateHttp, received);
  }
  if (issuer.includes("?") || issuer.includes("#")) {
    refuseOption("issuer", "must not have a query or a fragment");
  }
  if (url.pathname.includes("//")) refuseOption("issuer", "must not have an empty segment in its path");
  if (url.username !== "" || url.password !== "") {
    refuseOption("issuer", "must not contain a user name or a password");
  }
  // Accepts only the normalized form of a URL, because clients compare the issuer as text.
  if (url.href !== issuer && url.href !== `${issuer}/`) {
    refuseOption("issuer", `must be written as ${url.href}`);
  }
}

function requirePrivateHttp({ protocol, hostname }: URL, allowPrivateHttp: boolean, received?: string): void {
  const isPrivate = protocol === "http:" && isPrivateHost(hostname);
  if (isPrivate && allowPrivateHttp) return;
  const otherwise = isPrivate
    ? "; in a test network, set allowPrivateHttp to true (--allow-private-http)"
    : "";
  refuseOption("issuer", `must be https, or http on 127.0.0.1, [::1] or localhost${otherwise}`, received);
}
