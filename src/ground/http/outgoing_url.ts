/** Checks the URLs that the server is asked to call, before it looks up their hosts. */

import { namesThisMachine, readLiteral } from "./address.ts";
import { classifyAddress } from "./special_address.ts";

/** `public`: https at public addresses. `loopback`: also http and https on this machine. `any`: no limit. */
export type Reach = "public" | "loopback" | "any";

/** Returns why the server does not call a URL, or `undefined` if only the addresses of its host remain to be checked. */
export function unfitToCall(text: string, reach: Reach): string | undefined {
  if (!URL.canParse(text)) return "must be an absolute URL";
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return "must be an https URL";
  if (reach === "any") return undefined;
  if (username !== "" || password !== "") return "must not have a user name or a password before its host";
  if (text.includes("#")) return "must not have a fragment";
  // The parser reads `0x7f.1` and `2130706433` as addresses. A host with a final dot is another name of the same host.
  const host = /^https?:\/\/(\[[\da-f:.]+\]|[a-z\d._-]+)(?::\d{1,5})?(?:[/?].*)?$/.exec(text)?.[1];
  if (host !== hostname || host.endsWith(".")) {
    return "must have a host in its usual form, without a final dot";
  }
  const isLocal = namesThisMachine(hostname);
  if (protocol === "http:" && !(isLocal && reach === "loopback")) {
    return "must be https" + (reach === "loopback" ? ", or http on this machine" : "");
  }
  if (isLocal && reach === "public") return "must not lead to this machine";
  const literal = readLiteral(hostname);
  return literal === undefined || isAllowedAddress(literal, hostname, reach)
    ? undefined
    : "must not lead to a private or reserved address";
}

/** Whether the server may connect to an address of the host. A public name must not lead to this machine. */
export function isAllowedAddress(address: string, hostname: string, reach: Reach): boolean {
  if (reach === "any") return true;
  const kind = classifyAddress(address);
  return namesThisMachine(hostname) ? kind === "loopback" && reach === "loopback" : kind === "public";
}
