/** Texts that change rarely: kept by the browser for a while, then revalidated by ETag (RFC 9110 §13.1.2). */

export interface StaticFile {
  readonly type: string;
  readonly text: string;
  /** Quoted, as RFC 9110 §8.8.3 wants it. */
  readonly etag: string;
}

export function serveStatic(request: Request, file: StaticFile, maxAge: number): Response {
  const headers = {
    "cache-control": maxAge === 0 ? "no-cache" : `public, max-age=${maxAge}`,
    "content-type": file.type,
    "etag": file.etag,
    "x-content-type-options": "nosniff",
  };
  return matchesEtag(request, file.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(file.text, { headers });
}

function matchesEtag(request: Request, etag: string): boolean {
  const known = request.headers.get("if-none-match");
  return known !== null &&
    known.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, "")));
}
