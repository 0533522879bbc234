/** Sends a request to a server of `start --tls` on this machine, whose authority the runtime does not know. */

import { once } from "node:events";
import { existsSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import process from "node:process";
import { arrayBuffer } from "node:stream/consumers";
import { withoutBrackets } from "../../../ground/http/address.ts";
import { present } from "../../../ground/values/present.ts";
import { covers, findAuthority, type System, tlsNameFlag } from "../tls/authority_place.ts";
import { readCertificate } from "../tls/open_authority.ts";

/** Resolves to the certificate of the authority on this machine that may sign for the host, if there is one. */
export async function findOwnAuthority(
  { hostname }: URL,
  system: System = process,
): Promise<string | undefined> {
  const host = withoutBrackets(hostname);
  const names = host.split(".").map((_label, at, labels) => labels.slice(at).join("."));
  try {
    for (const name of [undefined, ...names.filter(tlsNameFlag.accepts)]) {
      const place = findAuthority(name, system);
      if (!covers(name, host) || !existsSync(place.folder)) continue;
      return (await readCertificate(place, Date.now() / 1000)).toString();
    }
  } catch {
    // The failure of the request says how the certificate becomes trusted.
  }
  return undefined;
}

/** Trusts this authority alone. Follows no redirect. `fetch` can be given an authority on Deno and Bun only. */
export async function fetchTrusting(
  ca: string,
  url: string,
  { signal, ...init }: RequestInit,
): Promise<Response> {
  const request = new Request(url, init);
  const body = new Uint8Array(await request.arrayBuffer());
  const { method, headers } = request;
  const sent = https.request(url, {
    method,
    headers: { ...Object.fromEntries(headers), "content-length": body.byteLength },
    ca: [ca],
    agent: false,
    ...present({ signal: signal ?? undefined }),
  });
  sent.end(body);
  const [answer]: IncomingMessage[] = await once(sent, "response") as IncomingMessage[];
  const { statusCode: status = 0, headersDistinct } = answer!;
  const fields = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => [name, value] satisfies [string, string])
  );
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? await arrayBuffer(answer!) : null, {
    status,
    headers: fields,
  });
}
