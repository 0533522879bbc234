/** A small web application with a login, which a person drives in a browser. */

import { challenge, verifier } from "../world.ts";

export interface Application extends AsyncDisposable {
  readonly origin: string;
}

/** The application checks no issuer (RFC 9207 §2.4). */
export function serveApplication(issuer: string): Application {
  const socket = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request): Promise<Response> => {
      const { pathname, searchParams } = new URL(request.url);
      const redirectUri = `${addressOf(request)}/callback`;
      if (pathname === "/login") return Response.redirect(authorizationUrl(redirectUri));
      if (pathname !== "/callback") return page("Welcome");
      return page(await redeem(searchParams.get("code") ?? "", redirectUri) ? "Signed in" : "No token");
    },
  );

  function authorizationUrl(redirectUri: string): string {
    const params = new URLSearchParams({
      ...{ response_type: "code", client_id: "app", redirect_uri: redirectUri, state: "s" },
      ...{ code_challenge: challenge, code_challenge_method: "S256" },
    });
    return `${issuer}/oauth2/authorize?${params}`;
  }

  async function redeem(code: string, redirectUri: string): Promise<boolean> {
    const body = new URLSearchParams({
      ...{ grant_type: "authorization_code", code, redirect_uri: redirectUri },
      ...{ client_id: "app", code_verifier: verifier },
    });
    const response = await fetch(`${issuer}/oauth2/token`, { method: "POST", body });
    await response.body?.cancel();
    return response.ok;
  }

  return {
    origin: `http://localhost:${socket.addr.port}`,
    [Symbol.asyncDispose]: () => socket.shutdown(),
  };
}

function addressOf(request: Request): string {
  return new URL(request.url).origin;
}

function page(heading: string): Response {
  return new Response(`<!doctype html><title>App</title><h1>${heading}</h1>`, {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}
