/** Serves files that change rarely. Browsers cache them and revalidate them with the ETag (RFC 9110 §13.1.2). */

import type { Answer, IncomingRequest } from "./message.ts";

export interface StaticFile {
  readonly type: string;
  readonly text: string;
  /** The ETag including its quotes (RFC 9110 §8.8.3). */
  readonly etag: string;
}

export function serveStatic(request: IncomingRequest, file: StaticFile, maxAge: number): Answer {
  const headers = {
    "cache-control": maxAge === 0 ? "no-cache" : `public, max-age=${maxAge}`,
    "content-type": file.type,
    "etag": file.etag,
    "x-content-type-options": "nosniff",
  };
  return matchesEtag(request, file.etag)
    ? { status: 304, headers, body: "" }
    : { status: 200, headers, body: file.text };
}

function matchesEtag(request: IncomingRequest, etag: string): boolean {
  const known = request.header("if-none-match");
  return known !== undefined &&
    known.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, "")));
}
