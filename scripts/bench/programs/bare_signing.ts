/**
 * The limit: signed authorize and token answers from the runtime's own server, without any check. The claims are about
 * as long as Postern's. Run as a process: `bare_signing PORT ALG SCOPE`.
 */
import { generateKeyPair } from "jose";
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import process from "node:process";
import { confidentialClient, person, publicClient, redirectUri } from "../clients.ts";

interface BunServer {
  serve(
    options: { hostname: string; port: number; fetch(request: Request): Response | Promise<Response> },
  ): unknown;
}

const [portText, alg = "ES256", scope = "read"] = process.argv.slice(2);
const hostname = "127.0.0.1";
const port = Number(portText);
const isAboutPerson = scope.split(" ").includes("openid");
const issuer = `http://localhost:${port}`;
const { client_id: clientId } = isAboutPerson ? confidentialClient : publicClient;
const lifetime = 3600;
const kid = randomText(32);
const { privateKey } = await generateKeyPair(alg) as { readonly privateKey: CryptoKey };
// only ECDSA needs the hash here; the other algorithms have it in the key or in their name
const signing = { name: privateKey.algorithm.name, hash: "SHA-256" };

const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store" };

function randomText(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString("base64url");
}

function location(): string {
  return `${redirectUri}?code=${randomText(24)}`;
}

/** Signs without a library, which would lower the limit. */
async function sign(typ: string, claims: Record<string, unknown>): Promise<string> {
  const input = `${encode({ alg, typ, kid })}.${encode(claims)}`;
  const signature = await crypto.subtle.sign(signing, privateKey, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString("base64url")}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function signAccessToken(): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return sign("at+jwt", {
    iss: issuer,
    sub: person.username,
    aud: issuer,
    client_id: clientId,
    scope,
    iat: now,
    exp: now + lifetime,
    auth_time: now,
    jti: randomText(29),
  });
}

function signIdToken(): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return sign("JWT", {
    iss: issuer,
    sub: person.username,
    aud: clientId,
    iat: now,
    exp: now + lifetime,
    auth_time: now,
    at_hash: randomText(16),
  });
}

async function tokenAnswer(): Promise<string> {
  const common = { token_type: "Bearer", expires_in: lifetime, scope };
  if (!isAboutPerson) return JSON.stringify({ access_token: await signAccessToken(), ...common });
  const [accessToken, idToken] = await Promise.all([signAccessToken(), signIdToken()]);
  return JSON.stringify({
    access_token: accessToken,
    ...common,
    id_token: idToken,
    refresh_token: randomText(64),
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
