/** Writes the request of an exchange as a curl command, as a call of `fetch`, and as an `.http` file. */

import { type RequestCopy, writeCopies } from "../../../server/client/write_request.ts";
import { formatParams, type Pair } from "../../../ground/http/form.ts";
import type { ShownMessage } from "../../timeline/exchange_props.ts";
import { findHeader } from "../../../server/oauth/contracts/journal.ts";
import { isHarmlessHeader, redactText } from "../../../server/oauth/secrets/redaction.ts";
import { type DescribedEntry, describeRequestMessage, splitAuthorization } from "./describe_message.ts";
import type { ComparisonOptions } from "./check_as_client.ts";

/** Headers that a program sets by itself, or that only a browser sends. */
const ownHeaders =
  /^(host|connection|content-length|accept-encoding|user-agent|cookie|sec-.*|origin|referer)$/;

/** Placeholders such as `<code>` replace what is not shown, and always a client's secret, a password and a cookie. */
export function copyRequest(
  described: DescribedEntry,
  api: string | undefined,
  options: ComparisonOptions,
): readonly RequestCopy[] {
  const { entry, parts } = described;
  const { method, path, headers } = entry.request;
  const shown = describeRequestMessage(described, options);
  const fill = (pairs: readonly Pair[], values: typeof shown.parameters): readonly Pair[] =>
    pairs.map(([name], at) => {
      const text = values[at]?.text;
      return [name, text === undefined || values[at]?.cutFrom !== undefined ? `<${name}>` : text];
    });
  const query = fill(parts.query, shown.parameters);
  const showsCertificate = hasCertificate(entry);
  const url = (api ?? findOrigin(entry, options.issuer, showsCertificate) + redactText(path)) +
    (query.length === 0 ? "" : `?${writeForm(query)}`);
  const kept = headers.flatMap(([name]): readonly Pair[] => {
    if (name === "authorization") return [["authorization", describeCredentials(described, shown)]];
    if (name === "dpop") {
      return [["dpop", shown.headers.find((header) => header.name === "dpop")?.text ?? "<dpop proof>"]];
    }
    const value = findHeader(entry.request, name)!;
    return ownHeaders.test(name) || !isHarmlessHeader(name) ? [] : [[name, redactText(value)]];
  });
  const body = describeBody(described, fill(parts.form, shown.body));
  return writeCopies({ method, url, headers: kept, body, showsCertificate });
}

/** Whether the client proved its certificate, or should have (RFC 8705 §2, §3). */
function hasCertificate({ facts: { clientAuth, provenKey } }: DescribedEntry["entry"]): boolean {
  return clientAuth?.endsWith("tls_client_auth") === true || provenKey?.startsWith("x5t#S256") === true;
}

/** Certificates may have a port of their own. */
function findOrigin(
  { request }: DescribedEntry["entry"],
  issuer: string,
  showsCertificate: boolean,
): string {
  const { origin, hostname, protocol } = new URL(issuer);
  const asked = `${protocol}//${findHeader(request, "host")}`;
  return showsCertificate && URL.canParse(asked) && new URL(asked).hostname === hostname ? asked : origin;
}

function describeCredentials({ entry: { request, facts } }: DescribedEntry, shown: ShownMessage): string {
  const { scheme } = splitAuthorization(findHeader(request, "authorization")!);
  if (scheme.toLowerCase() === "basic") {
    return `Basic <base64 of ${facts.clientId ?? "client_id"}:client_secret>`;
  }
  const { text } = shown.headers.find(({ meaning }) => meaning === "authorization") ?? {};
  return `${scheme || "Bearer"} ${text ?? "<access token>"}`;
}

function describeBody(
  { entry: { request }, parts }: DescribedEntry,
  form: readonly Pair[],
): string | undefined {
  if (parts.form.length > 0) return writeForm(form);
  return request.body === undefined || request.body === "" ? undefined : "<body>";
}

/** Leaves the placeholders readable. */
function writeForm(pairs: readonly Pair[]): string {
  return formatParams(pairs).replace(/%3C([a-z_]+)%3E/g, "<$1>");
}
