/** Fetches the metadata of a provider and its keys: bounded in size and time, without redirects, from one origin. */

import { createGuardedFetch, type FetchFailure } from "../../../server/http/guarded_fetch.ts";
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
  const failures: string[] = [];
  const found = new Map<string, Provider["metadata"]>();
  for (const each of isDocument ? [url] : listMetadataUrls(url)) {
    const answer = await getJson(each);
    const problem = "failure" in answer
      ? answer.observed + (answer.status === undefined ? "" : `: ${answer.status}`)
      : isMetadata(answer.value)
      ? void found.set(each, answer.value)
      : "no metadata";
    if (problem !== undefined) failures.push(`${each}: ${problem}`);
  }
  // The document for OpenID clients has more members.
  const [metadata] = [...found].toSorted(([a], [b]) => Number(isOpenid(b)) - Number(isOpenid(a)))
    .map(([, each]) => each);
  if (metadata === undefined) throw failed(`there is no metadata of a provider: ${failures.join(", ")}`);
  const { jwks_uri: keysUrl } = metadata;
  const isNear = typeof keysUrl === "string" && URL.canParse(keysUrl) &&
    new URL(keysUrl).origin === new URL(url).origin;
  const keys = isNear ? await getJson(keysUrl) : undefined;
  return {
    metadata,
    ...(keys === undefined || "failure" in keys ? {} : { keys: keys.value }),
    ...(isDocument ? {} : present({ addresses: findAddresses(url, [...found.keys()]) })),
  };
}

export function isMetadata(value: unknown): value is Provider["metadata"] {
  return isJsonObject(value) && typeof value["issuer"] === "string" && URL.canParse(value["issuer"]) &&
    ["authorization_endpoint", "token_endpoint"].some((name) => typeof value[name] === "string");
}

const guard = () =>
  createGuardedFetch({ findFetch: () => fetch, now: () => Date.now() / 1000, timeout: 10_000 });

/** The user has named the URL, or it is at the origin of one that the user has named. */
async function getJson(url: string): Promise<{ readonly value: unknown } | FetchFailure> {
  return await guard().getJson(url, { reach: "any", largest });
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
