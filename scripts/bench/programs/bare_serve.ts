/** A server with one fixed answer, the least that a runtime can start. Run as a process: `bare_serve PORT`. */
interface BunServer {
  serve(options: { hostname: string; port: number; fetch(): Response }): unknown;
}

const scope = globalThis as { Bun?: BunServer; process?: { argv: string[] } };
const hostname = "127.0.0.1";
const headers = { "content-type": "application/json" };
const body = "{}";

if ("Deno" in globalThis) {
  const port = Number(Deno.args[0]);
  Deno.serve({ hostname, port, onListen() {} }, () => new Response(body, { headers }));
} else {
  const port = Number(scope.process?.argv[2]);
  if (scope.Bun) {
    scope.Bun.serve({ hostname, port, fetch: () => new Response(body, { headers }) });
  } else {
    const { createServer } = await import("node:http");
    createServer((_request, response) => response.writeHead(200, headers).end(body)).listen(port, hostname);
  }
}
