/** An application that is one page with one script, as a site of its own. */

export interface PageApplication {
  /** The page, at every address but that of the script. */
  readonly page: () => string;
  /** The script, at every address that ends in `.js`. */
  readonly script: () => Promise<string>;
}

/** Serves the application on a free port of 127.0.0.1 while the work runs. */
export async function withPageApplication(
  { page, script }: PageApplication,
  work: (port: number) => Promise<void>,
): Promise<void> {
  const socket = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async ({ url }) => {
    const isScript = new URL(url).pathname.endsWith(".js");
    const type = isScript ? "text/javascript" : "text/html";
    return new Response(isScript ? await script() : page(), { headers: { "content-type": type } });
  });
  try {
    await work(socket.addr.port);
  } finally {
    await socket.shutdown();
  }
}
