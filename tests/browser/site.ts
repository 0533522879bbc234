/** A site of the test on this machine, such as that of a client. */

export interface Site extends AsyncDisposable {
  /** The name that servers of the tests have, too. */
  readonly sameSite: string;
  /** A name that a browser treats as another site than the servers of the tests. */
  readonly otherSite: string;
}

/** Serves pages on a free port. A text is the HTML of a page. */
export function serveSite(
  answer: (request: Request, path: string) => string | Response | Promise<string | Response>,
): Site {
  const socket = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const answered = await answer(request, new URL(request.url).pathname);
    if (answered instanceof Response) return answered;
    return new Response(answered, { headers: { "content-type": "text/html; charset=utf-8" } });
  });
  const { port } = socket.addr;
  return {
    sameSite: `http://localhost:${port}`,
    otherSite: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => socket.shutdown(),
  };
}
