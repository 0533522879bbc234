/** Fetches the metadata of a provider and its keys: bounded in size and time, without redirects, from one origin. */

import { createGuardedFetch } from "../../../ground/http/guarded_fetch.ts";
import { type MetadataAddresses, metadataPaths } from "../../../server/oauth/contracts/paths.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { present } from "../../../ground/values/present.ts";
import { failed } from "../terminal/command_error.ts";
import { listMetadataUrls } from "../client/server_metadata.ts";
import type { Provider } from "./learn_metadata.ts";
import { writeValue } from "../../../ground/values/write_value.ts";

// In octets.
const largest = 1_000_000;

/** `url` is an issuer, or the address of its metadata. It may be on this machine. */
export async function fetchProvider(url: string): Promise<Provider> {
  const isDocument = url.includes("/.well-known/");
  const answers = await Promise.all((isDocument ? [url] : listMetadataUrls(url)).map(getJson));
  const found = answers.filter(({ value }) => isMetadata(value));
  // The documents for OpenID clients come last, and have more members.
  const metadata = found.at(-1)?.value;
  if (!isMetadata(metadata)) {
    const problems = answers.map(({ url, problem = "no metadata" }) => `${url}: ${problem}`);
    throw failed(`there is no metadata of a provider: ${problems.join(", ")}`);
  }
  const keysUrl = writeValue(metadata["jwks_uri"]);
  const isNear = URL.canParse(keysUrl) && new URL(keysUrl).origin === new URL(url).origin;
  return {
    metadata,
    keys: isNear ? (await getJson(keysUrl)).value : undefined,
    addresses: isDocument ? {} : findAddresses(url, found.map(({ url }) => url)),
  };
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
  const { observed, status } = answer;
  return { url, problem: status === undefined ? observed : `${observed}: ${status}` };
}

const usualForms: MetadataAddresses = { oauthAuthorizationServer: "inserted", openidConfiguration: "both" };

/** Returns which documents are absent, and of an issuer with a path where the others are, if that is not usual. */
function findAddresses(issuer: string, found: readonly string[]): MetadataAddresses {
  const hasPath = new URL(issuer).pathname.length > 1;
  const forms = Object.entries(metadataPaths).map(([name, path]) => {
    const [url, other] = found.filter((each) => each.includes(path));
    if (url === undefined) return [name, false];
    const form = other !== undefined ? "both" : url.endsWith(path) ? "appended" : "inserted";
    return [name, hasPath && form !== usualForms[name as keyof MetadataAddresses] ? form : undefined];
  });
  return present(Object.fromEntries(forms));
}
