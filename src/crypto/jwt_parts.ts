/** A JWT in its three parts, to read one or to put together one that no key has signed (RFC 7515 §3.1). */

import { Buffer } from "node:buffer";

type Members = Readonly<Record<string, unknown>>;

export interface JwtParts {
  readonly header: Members;
  readonly claims: Members;
  /** In base64url. Empty: there is none. */
  readonly signature: string;
}

/** Checks nothing: the text is a JWT of the server's own. */
export function splitJwt(text: string): JwtParts {
  const [header = "", claims = "", signature = ""] = text.split(".");
  return { header: decode(header), claims: decode(claims), signature };
}

export function joinJwt({ header, claims, signature }: JwtParts): string {
  return `${encode(header)}.${encode(claims)}.${signature}`;
}

function decode(part: string): Members {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}

function encode(part: Members): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
