/** Tells a caller who guessed a path where the endpoint is, by the endpoints that this server has. */

import { fixedPath } from "../../ground/http/router.ts";
import { nearest } from "../../ground/schema/nearest.ts";
import type { Endpoint, Services } from "../oauth/contracts/feature.ts";
import { type MetadataAddresses, metadataPaths } from "../oauth/contracts/paths.ts";
import { endpointUrls, pathOf } from "../oauth/requests/server_urls.ts";

interface UsualEndpoint {
  readonly metadataName: string;
  readonly title: string;
  /** How the paths of this endpoint end at other servers. What is almost one of these is found, too. */
  readonly endings: readonly string[];
  /** Stands before the address. Default: the title. */
  readonly lead?: string;
}

const usualEndpoints: readonly UsualEndpoint[] = [
  {
    metadataName: "authorization_endpoint",
    title: "authorization endpoint",
    endings: ["authorize", "authorization", "auth"],
  },
  {
    metadataName: "authorization_endpoint",
    title: "authorization endpoint",
    lead: "People sign in when an application sends them to the authorization endpoint,",
    endings: ["login", "signin"],
  },
  { metadataName: "token_endpoint", title: "token endpoint", endings: ["token", "access_token"] },
  {
    metadataName: "jwks_uri",
    title: "key set (JWKS)",
    endings: ["jwks", "jwks.json", "certs", "keys"],
  },
  {
    metadataName: "userinfo_endpoint",
    title: "userinfo endpoint",
    endings: ["userinfo", "me"],
  },
  {
    metadataName: "introspection_endpoint",
    title: "introspection endpoint",
    endings: ["introspect", "tokeninfo", "check_token"],
  },
  { metadataName: "revocation_endpoint", title: "revocation endpoint", endings: ["revoke", "revocation"] },
  {
    metadataName: "end_session_endpoint",
    title: "logout endpoint",
    endings: [
      "logout",
      "signout",
      "end_session",
      "session/end",
    ],
  },
  {
    metadataName: "registration_endpoint",
    title: "registration endpoint",
    endings: ["register", "registration", "reg", "clients-registrations/openid-connect"],
  },
  {
    metadataName: "device_authorization_endpoint",
    title: "device authorization endpoint",
    endings: [
      "device",
      "device/code",
      "device/auth",
      "device_authorization",
    ],
  },
  {
    metadataName: "pushed_authorization_request_endpoint",
    title: "endpoint for pushed authorization requests",
    endings: ["par", "par/request"],
  },
];

/** A last part of paths, and a sentence about the endpoint that a caller of such a path wants. */
interface Signpost {
  readonly ending: string;
  readonly sentence: string;
}

/** `programUrl` begins the URLs of endpoints for programs. The server calls this for unknown paths only. */
export function locateEndpoint(path: string, services: Services, programUrl: string): string | undefined {
  const words = path.toLowerCase().split("/").filter((word) => word !== "");
  // The control plane answers these paths itself, if it is on.
  if (words[0] === "_postern") return "The control plane is off: start the server with --control";
  const metadataMoved = explainMissingMetadata(path, services.settings.metadataAddresses);
  if (metadataMoved !== undefined) return metadataMoved;
  // RFC 8414 §3.1: the path of an issuer may follow.
  const tail = words[0] === ".well-known" ? words.slice(0, 2) : words;
  const signposts = [...listUsual(services, programUrl), ...listOwn(services, programUrl)];
  const found = signposts.filter(({ ending }) => `/${tail.join("/")}`.endsWith(`/${ending}`));
  // `device/auth` has priority over `auth`.
  const [longest] = found.sort((left, right) => right.ending.length - left.ending.length);
  const sentence = (longest ?? findSimilar(tail.at(-1) ?? "", signposts))?.sentence ??
    locateMetadata(services, programUrl);
  return sentence && sentence + offerIssuer(path, services.settings);
}

/** An application that looks for the metadata of another issuer, or for addresses of Keycloak, may have them fixed. */
function offerIssuer(path: string, { basePath, baseUrl }: Services["settings"]): string {
  const [whole, realm] = /^(\/realms\/[\w.~-]+)\/protocol\/openid-connect\//.exec(path) ?? [];
  const [issuer = realm ?? ""] = Object.values(metadataPaths).flatMap((name) =>
    path.startsWith(`${name}/`)
      ? [path.slice(name.length)]
      : path.endsWith(name)
      ? [path.slice(0, -name.length)]
      : []
  );
  if (whole === undefined && (issuer === basePath || !/^(?:\/[\w.~-]+)+$/.test(issuer))) return "";
  const paths = whole === undefined ? "" : "--paths keycloak ";
  return ` (or start the server with ${paths}--issuer ${new URL(issuer, baseUrl).href})`;
}

function listUsual(services: Services, programUrl: string): readonly Signpost[] {
  const urls = endpointUrls(services, programUrl);
  return usualEndpoints.flatMap(({ metadataName, title, endings, lead = `The ${title} is` }) => {
    const url = urls.get(metadataName);
    const sentence = url === undefined ? `This server has no ${title}` : `${lead} ${url}`;
    return endings.map((ending) => ({ ending, sentence }));
  });
}

/** Lists the endpoints of this server, without the front page and those that only receive its forms. */
function listOwn(services: Services, programUrl: string): readonly Signpost[] {
  return services.slots.endpoints
    .filter(({ method, metadataName, path }) =>
      path !== "/" && (method === "GET" || metadataName !== undefined)
    )
    .map((endpoint) => ({
      ending: fixedPath(endpoint.path).split("/").at(-1)!.toLowerCase(),
      sentence: `Did you mean ${urlOf(endpoint, services, programUrl)}?`,
    }));
}

/** Finds a misspelt ending. Short endings are similar to too many words. */
function findSimilar(word: string, signposts: readonly Signpost[]): Signpost | undefined {
  const similar = nearest(word, signposts.map(({ ending }) => ending).filter(({ length }) => length >= 4));
  return signposts.find(({ ending }) => ending === similar);
}

function locateMetadata(services: Services, programUrl: string): string | undefined {
  const metadata = services.slots.endpoints.find(({ name }) => name === "metadata");
  return metadata && `The addresses of this server are listed at ${urlOf(metadata, services, programUrl)}`;
}

function urlOf(endpoint: Endpoint, { settings }: Services, programUrl: string): string {
  const base = endpoint.refusal === "page" ? settings.baseUrl : programUrl;
  return endpoint.url ?? new URL(fixedPath(pathOf(endpoint, settings)), base).href;
}

function explainMissingMetadata(
  path: string,
  addresses: MetadataAddresses | undefined,
): string | undefined {
  const names = Object.keys(metadataPaths) as (keyof MetadataAddresses)[];
  const name = names.find((each) => addresses?.[each] !== undefined && path.includes(metadataPaths[each]));
  return name && `The configuration has metadata.${name}: ${JSON.stringify(addresses?.[name])}`;
}
