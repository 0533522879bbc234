/**
 * The limit: the two HTTP exchanges of a code flow and its signatures, no logic, no framework, each runtime's
 * own server. Run as a process: `bare_signing PORT ALG [SIGNATURES]`.
 */
import { generateKeyPair, SignJWT } from "jose";
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import process from "node:process";

interface BunServer {
  serve(
    options: { hostname: string; port: number; fetch(request: Request): Response | Promise<Response> },
  ): unknown;
}

const [portText, alg = "ES256", signaturesText = "1"] = process.argv.slice(2);
const hostname = "127.0.0.1";
const port = Number(portText);
const signatures = Number(signaturesText);
const issuer = `http://localhost:${port}`;
const redirectUri = "http://127.0.0.1:9/cb";
const lifetime = 3600;
const kid = randomText(32);
const { privateKey } = await generateKeyPair(alg);

const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store" };

function randomText(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString("base64url");
}

function location(): string {
  return `${redirectUri}?code=${randomText(24)}`;
}

function signAccessToken(): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: issuer,
    sub: "alice",
    aud: issuer,
    client_id: "bench",
    scope: "read",
    iat: now,
    exp: now + lifetime,
    jti: randomText(16),
  }).setProtectedHeader({ alg, typ: "at+jwt", kid }).sign(privateKey);
}

function signIdToken(): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: issuer,
    sub: "alice",
    aud: "bench",
    iat: now,
    exp: now + lifetime,
    auth_time: now,
  })
    .setProtectedHeader({ alg, typ: "JWT", kid }).sign(privateKey);
}

async function tokenAnswer(): Promise<string> {
  const [accessToken, idToken] = await Promise.all([
    signAccessToken(),
    ...Array.from({ length: signatures - 1 }, signIdToken),
  ]);
  return JSON.stringify({
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: lifetime,
    scope: "read",
    id_token: idToken,
  });
}

async function answerRequest(request: Request): Promise<Response> {
  if (request.method === "POST") {
    await request.text();
    return new Response(await tokenAnswer(), { headers: jsonHeaders });
  }
  return request.url.includes("/oauth2/authorize")
    ? new Response(null, { status: 303, headers: { location: location() } })
    : new Response(JSON.stringify({ issuer }), { headers: jsonHeaders });
}

function answerNode(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === "POST") {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", async () => {
      Buffer.concat(chunks).toString();
      response.writeHead(200, jsonHeaders).end(await tokenAnswer());
    });
  } else if (request.url?.includes("/oauth2/authorize")) {
    response.writeHead(303, { location: location() }).end();
  } else {
    response.writeHead(200, jsonHeaders).end(JSON.stringify({ issuer }));
  }
}

const { Bun } = globalThis as { Bun?: BunServer };
if ("Deno" in globalThis) {
  Deno.serve({ hostname, port, onListen() {} }, answerRequest);
} else if (Bun) {
  Bun.serve({ hostname, port, fetch: answerRequest });
} else {
  const { createServer } = await import("node:http");
  createServer(answerNode).listen(port, hostname);
}
