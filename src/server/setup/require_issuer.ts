/** Checks the issuer's URL (RFC 8414 §2), and the other names of the server. */

import { isPrivateHost } from "../../ground/http/address.ts";
import { isLoopbackUri } from "../oauth/clients/metadata/redirect_uri.ts";
import { describeReceived } from "../../ground/schema/received.ts";
import { refuseOption } from "../oauth/options/set_up_mistake.ts";

interface IssuerOptions {
  readonly allowPrivateHttp: boolean;
}

/** RFC 8414 §2. On loopback, http is accepted, too, and with `allowPrivateHttp` also in a local network. */
export function requireIssuer(issuer: string, options: IssuerOptions): void {
  const url = requireServerUrl("issuer", issuer, options);
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

/** The hosts must differ, because the host of a request chooses the name. The result has the path of the issuer. */
export function readOtherNames(
  names: readonly string[],
  { issuer, basePath, ...options }: IssuerOptions & { readonly issuer: string; readonly basePath: string },
): readonly string[] {
  const hosts = [new URL(issuer).host];
  return names.map((name, index) => {
    const place = `also[${index}]`;
    const { origin, host } = requireServerUrl(place, name, options);
    if (name !== origin) {
      refuseOption(place, `must be written as ${origin}, because its path is that of the issuer`);
    }
    if (hosts.includes(host)) {
      refuseOption(place, `must have another host or port than the issuer and the other names, not ${host}`);
    }
    hosts.push(host);
    return origin + basePath;
  });
}

function requireServerUrl(place: string, text: string, { allowPrivateHttp }: IssuerOptions): URL {
  if (!URL.canParse(text)) refuseOption(place, "must be an absolute URL", describeReceived(place, text));
  const url = new URL(text);
  if (url.protocol === "https:" || isLoopbackUri(text)) return url;
  const isPrivate = url.protocol === "http:" && isPrivateHost(url.hostname);
  if (isPrivate && allowPrivateHttp) return url;
  const otherwise = isPrivate
    ? "; in a test network, set allowPrivateHttp to true (--allow-private-http)"
    : "";
  const expected = `must be https, or http on 127.0.0.1, [::1] or localhost${otherwise}`;
  return refuseOption(place, expected, describeReceived(place, text));
}
