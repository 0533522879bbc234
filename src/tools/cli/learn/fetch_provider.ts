/** Fetches the metadata of a provider and its keys: bounded in size and time, without redirects, from one origin. */

import { createGuardedFetch } from "../../../server/http/guarded_fetch.ts";
import { type MetadataAddresses, metadataPaths } from "../../../server/oauth/paths.ts";
import { isJsonObject } from "../../../server/schema/json_object.ts";
import { present } from "../../../server/values/present.ts";
import { failed } from "../command_error.ts";
import { listMetadataUrls } from "../server_metadata.ts";
import type { Provider } from "./learn_metadata.ts";

// In octets.
const largest = 1_000_000;

/** `url` is an issuer, or the address of its metadata. It may be on this machine. */
export async function fetchProvider(url: string): Promise<Provider> {
  const isDocument = url.includes("/.well-known/");
  const answers = await Promise.all((isDocument ? [url] : listMetadataUrls(url)).map(getJson));
  // The document for OpenID clients has more members.
  const found = answers.filter(({ value }) => isMetadata(value))
    .toSorted((left, right) => Number(isOpenid(right.url)) - Number(isOpenid(left.url)));
  const metadata = found[0]?.value;
  if (!isMetadata(metadata)) {
    const problems = answers.map(({ url, problem = "no metadata" }) => `${url}: ${problem}`);
    throw failed(`there is no metadata of a provider: ${problems.join(", ")}`);
  }
  const keysUrl = String(metadata["jwks_uri"]);
  const isNear = URL.canParse(keysUrl) && new URL(keysUrl).origin === new URL(url).origin;
  const addresses = isDocument ? undefined : findAddresses(url, found.map(({ url }) => url));
  return { metadata, ...present({ addresses, keys: isNear ? (await getJson(keysUrl)).value : undefined }) };
}

export function isMetadata(value: unknown): value is Provider["metadata"] {
  return isJsonObject(value) && typeof value["issuer"] === "string" && URL.canParse(value["issuer"]) &&
    ["authorization_endpoint", "token_endpoint"].some((name) => typeof value[name] === "string");
}

interface Fetched {
  readonly url: string;
  readonly value?: unknown;
  readonly problem?: string;
}

/** The user has named the URL, or it is at the origin of one that the user has named. */
async function getJson(url: string): Promise<Fetched> {
  const now = () => Date.now() / 1000;
  const answer = await createGuardedFetch({ findFetch: () => fetch, now, timeout: 10_000 })
    .getJson(url, { reach: "any", largest });
  if ("value" in answer) return { url, value: answer.value };
  return {
    url,
    problem: [answer.observed, ...answer.status === undefined ? [] : [answer.status]].join(": "),
  };
}

function isOpenid(url: string): boolean {
  return url.includes(metadataPaths.openidConfiguration);
}

/** Returns where a document is absent, and of an issuer with a path where the one for OpenID clients is. */
function findAddresses(issuer: string, found: readonly string[]): MetadataAddresses | undefined {
  const openid = found.filter(isOpenid);
  const isAppended = openid[0]?.endsWith(metadataPaths.openidConfiguration);
  const hasOneForm = new URL(issuer).pathname.length > 1 && openid.length === 1;
  const openidConfiguration = openid.length === 0 ? false : isAppended ? "appended" : "inserted";
  const addresses: MetadataAddresses = {
    ...(openid.length < found.length ? {} : { oauthAuthorizationServer: false }),
    ...(openid.length === 0 || hasOneForm ? { openidConfiguration } : {}),
  };
  return Object.keys(addresses).length === 0 ? undefined : addresses;
}
