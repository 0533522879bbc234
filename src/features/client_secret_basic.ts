/** Client authentication with a secret in the Authorization header (OAuth 2.1 §2.4.1; RFC 6749 §2.3.1). */

import { Buffer } from "node:buffer";
import { fail } from "../oauth/error.ts";
import type { Credentials, Feature } from "../oauth/feature.ts";

export type BasicReason = "basic_malformed";

export function clientSecretBasic(): Feature {
  return {
    name: "client_secret_basic",
    spec: "RFC 6749 §2.3.1",
    clientAuth: [{
      name: "client_secret_basic",
      scheme: "Basic",
      read(exchange) {
        const header = exchange.request.header("authorization");
        if (header === undefined || !/^basic(\s|$)/i.test(header)) return undefined;
        return readBasic(header) ??
          fail<BasicReason>("invalid_client", "The Authorization header is not well-formed Basic", {
            reason: "basic_malformed",
            spec: "RFC 7617 §2",
            expected: "Basic base64(urlencode(client_id):urlencode(client_secret))",
            headers: { "www-authenticate": `Basic realm="postern"` },
          });
      },
    }],
  };
}

/** RFC 6749 §2.3.1, as a client writes it: each half form-urlencoded, then base64. */
export function formatBasic(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString("base64")}`;
}

function readBasic(header: string): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const octets = Buffer.from(encoded, "base64");
  // Node decodes leniently: only what encodes to the same text again was base64.
  if (octets.toString("base64") !== encoded.padEnd(Math.ceil(encoded.length / 4) * 4, "=")) return undefined;
  const pair = /^([^:]+):([^]+)$/.exec(octets.toString("latin1"));
  if (pair === null) return undefined;
  const clientId = decode(pair[1]!);
  const secret = decode(pair[2]!);
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret };
}

/** Each half is form-urlencoded (RFC 6749 appendix B), so raw octets above ASCII are not valid either. */
function decode(half: string): string | undefined {
  if (!/^[\x20-\x7e]*$/.test(half)) return undefined;
  try {
    return decodeURIComponent(half.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
