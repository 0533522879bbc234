/** The URL of a request. It begins with the base URL of the issuer, or with the other name that the request uses. */

import { type Address, namesLoopback } from "../http/address.ts";
import type { Exchange } from "./exchange.ts";
import type { OtherPortSettings, Settings } from "./settings.ts";

/** Returns the URL that replaces `baseUrl` at this host, if the host is another name of the server. */
export function findOtherName(
  { host }: Pick<Address, "host">,
  { also }: Pick<Settings, "also">,
): string | undefined {
  return also.find((url) => new URL(url).host === host);
}

export function describeOtherPort(
  port: number,
  { baseUrl, also }: Pick<Settings, "baseUrl" | "also">,
): OtherPortSettings {
  const urls = [baseUrl, ...also].map((url) => withPort(url, port));
  // A Map keeps the last URL of a host, which must be that of the issuer: another name may differ only in its scheme.
  const byHost = new Map(urls.toReversed().map((url) => [new URL(url).host, url]));
  return { port, baseUrl: urls[0]!, urls: byHost };
}

/** Returns the URL that replaces `baseUrl` for a request at the other port. */
export function findAtOtherPort(
  { host }: Pick<Address, "host">,
  { otherPort }: Pick<Settings, "otherPort">,
): string | undefined {
  if (otherPort === undefined) return undefined;
  const { port, baseUrl, urls } = otherPort;
  return urls.get(host) ?? (namesLoopback(host) && host.endsWith(`:${port}`) ? baseUrl : undefined);
}

/** Returns the base URL with another port. */
export function withPort(baseUrl: string, port: number): string {
  const url = new URL(baseUrl);
  url.port = `${port}`;
  return url.href.replace(/\/$/, "");
}

/**
 * Returns what the URLs of the endpoints begin with for the sender of the request. It is always a configured URL, because
 * the sender can choose the Host header.
 */
export function baseUrlFor({ request }: Pick<Exchange, "request">, settings: Settings): string {
  const { address } = request;
  return findOtherName(address, settings) ?? findAtOtherPort(address, settings) ?? settings.baseUrl;
}

/** Returns the origin that APIs beside the server have for the sender of the request. */
export function originFor(exchange: Pick<Exchange, "request">, settings: Settings): string {
  return new URL(baseUrlFor(exchange, settings)).origin;
}

/** Returns the URL of the request without its query. */
export function findUrl(exchange: Pick<Exchange, "request">, settings: Settings): string {
  return baseUrlFor(exchange, settings) + exchange.request.address.path.slice(settings.basePath.length);
}
