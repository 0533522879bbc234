/** The URLs of the server and its endpoints. They begin with the issuer's, or with the other name that a request uses. */

import { type Address, namesLoopback } from "../../../ground/http/address.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { OtherPortSettings, Settings } from "../contracts/settings.ts";
import { paths } from "../contracts/paths.ts";
import type { Endpoint, Services } from "../contracts/feature.ts";

/** Returns the URL that replaces `baseUrl` at this host, if the host is another name of the server. */
function findOtherName(
  { host }: Pick<Address, "host">,
  { also }: Pick<Settings, "also">,
): string | undefined {
  return also.find((url) => new URL(url).host === host);
}

export type OwnNames = Pick<Settings, "issuerHost" | "also">;

/** Whether the host is that of the issuer, another name of the server, or loopback. A foreign host is a mistake or an attack. */
export function isOwnHost(address: Address, names: OwnNames): boolean {
  return isBrowserHost(address, names) || findOtherName(address, names) !== undefined;
}

/** Whether the server shows its pages at the host. Elsewhere, a browser would have other cookies than at the issuer. */
export function isBrowserHost({ host }: Address, { issuerHost }: OwnNames): boolean {
  return host === issuerHost || namesLoopback(host);
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

export function withPort(baseUrl: string, port: number): string {
  const url = new URL(baseUrl);
  url.port = `${port}`;
  return url.href.replace(/\/$/, "");
}

/** Returns a configured URL in any case, because the sender can choose the Host header. */
export function baseUrlFor({ request }: Pick<Exchange, "request">, settings: Settings): string {
  const { address } = request;
  return findOtherName(address, settings) ?? findAtOtherPort(address, settings) ?? settings.baseUrl;
}

/** Returns the origin that APIs beside the server have for the sender of the request. */
export function originFor(exchange: Pick<Exchange, "request">, settings: Settings): string {
  return new URL(baseUrlFor(exchange, settings)).origin;
}

/** The address of the callback page, which clients may register. */
export function callbackUri({ baseUrl }: Pick<Settings, "baseUrl">): string {
  return baseUrl + paths.authorized;
}

export function findUrl(exchange: Pick<Exchange, "request">, settings: Settings): string {
  return originFor(exchange, settings) + exchange.request.address.path;
}

/** The keys are names in the metadata. The URLs for programs begin with `programUrl`, and those with pages with the issuer. */
export function endpointUrls(
  { settings: { baseUrl }, slots }: Services,
  programUrl: string = baseUrl,
): ReadonlyMap<string, string> {
  return new Map(
    slots.endpoints.flatMap(({ metadataName: name, path, refusal, url }) =>
      name === undefined ? [] : [[name, url ?? (refusal === "page" ? baseUrl : programUrl) + path]]
    ),
  );
}

export function pathOf(
  { path, wellKnown, atOrigin, url }: Pick<Endpoint, "path" | "wellKnown" | "atOrigin" | "url">,
  { basePath }: Pick<Settings, "basePath">,
): string {
  if (url !== undefined) return new URL(url).pathname;
  if (atOrigin) return path;
  // RFC 8414 §3.1: a well-known path is inserted before the issuer's path.
  return wellKnown ? path + basePath : basePath + path;
}
