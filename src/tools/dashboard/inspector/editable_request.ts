/** The fields of a request that a person may change before the server answers it again. */

import { parseAddress, pathAndQuery } from "../../../ground/http/address.ts";
import type { Header, IncomingRequest } from "../../../ground/http/message.ts";
import type { ExchangeOptions } from "../../../kit/mock/journal/describe_exchange.ts";
import { describeRequestMessage } from "../../../kit/mock/journal/describe_message.ts";
import { readExchangeParts } from "../../../kit/mock/journal/exchange_parts.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import { formatParams, type Pair } from "../../../ground/http/form.ts";
import { countOctets } from "../../../ground/values/octets.ts";
import type { EditableField, EditableRequest } from "./edit_page.tsx";

// More fields would make the page heavy. The others stay as they were.
const mostFields = 30;
const longestField = 1_000;

export function describeEditable(kept: KeptEntry, options: ExchangeOptions): EditableRequest {
  const parts = readExchangeParts(kept.entry);
  const { entry, endpoint } = kept;
  const message = describeRequestMessage({ entry, endpoint, parts }, options);
  const describeFields = (
    pairs: readonly Pair[],
    values: typeof message.parameters,
  ): readonly EditableField[] =>
    pairs.slice(0, mostFields).map(([name], at) => {
      const value = values[at];
      const isWhole = value?.text !== undefined && value.cutFrom === undefined &&
        value.text.length <= longestField;
      return isWhole && value.text === pairs[at]![1] ? { name, text: value.text! } : { name };
    });
  return {
    query: describeFields(parts.query, message.parameters),
    form: describeFields(parts.form, message.body),
    body: parts.form.length > 0 ? "form" : entry.request.body ? "text" : "none",
    headers: editableHeaders(entry.request.headers).map(([name]) => ({ name })),
  };
}

/** Headers that say who the sender is or what the body is. Cookies stay as they were. */
function editableHeaders(headers: readonly Header[]): readonly Header[] {
  return headers.filter(([name]) => /^(authorization|dpop|accept|content-type|origin)$/.test(name));
}

/** Returns the request as the form changes it. The values that the form does not have stay as they were. */
export function editRequest(
  kept: KeptEntry,
  form: URLSearchParams,
  issuer: string,
): IncomingRequest | undefined {
  const { request } = kept.entry;
  const query = edit(request.query, "query", form);
  const isForm = readExchangeParts(kept.entry).form.length > 0;
  const body = isForm ? edit(request.body ?? "", "form", form) : form.get("body") || (request.body ?? "");
  const kind = new Map(editableHeaders(request.headers).map(([name], at) => [name, at]));
  const headers = request.headers.flatMap(([name, value]): readonly Header[] => {
    const at = kind.get(name);
    // The length is that of the changed body.
    if (name === "content-length") return [];
    if (at === undefined) return [[name, value]];
    if (form.has(`header.${at}.without`)) return [];
    const changed = form.get(`header.${at}`);
    return [[name, changed === null || changed === "" ? value : changed.replace(/[\r\n\0]/g, " ")]];
  });
  const address = parseAddress(new URL(issuer).origin + pathAndQuery({ path: request.path, query }));
  if (address === undefined) return undefined;
  const values = new Map(headers);
  return {
    method: request.method,
    address,
    peer: "127.0.0.1",
    header: (name) => values.get(name),
    headers: () => headers,
    readBody: (limit) =>
      Promise.resolve(countOctets(body) > limit ? { problem: "too_large" } : { text: body }),
  };
}

/** What the form does not change stays as it was written. An empty field of a value that is not shown means: as before. */
function edit(text: string, kind: "query" | "form", form: URLSearchParams): string {
  const edited = text.split("&").filter((piece) => piece !== "").flatMap((piece, at) => {
    const field = `${kind}.${at}`;
    if (form.has(`${field}.without`)) return [];
    const changed = form.get(field);
    if (changed === null || changed === "" && form.has(`${field}.hidden`)) return [piece];
    return [piece.split("=", 1)[0] + formatParams([["", changed]])];
  });
  const added = form.get(`${kind}.name`) ?? "";
  const more = added === "" ? [] : [formatParams([[added, form.get(`${kind}.value`) ?? ""]])];
  return [...edited, ...more].join("&");
}
