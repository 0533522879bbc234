/** Loads the claims of the person (OpenID Connect Core §5.3). */

import { decodeJwt } from "jose";
import type { ServerMetadata } from "./discovery.ts";
import { sendToken } from "./dpop.ts";
import { type Run, startleIf } from "./habits.ts";
import type { Json } from "./json.ts";
import { verifySignature } from "./keys.ts";
import type { Login } from "./login.ts";

export async function loadUserinfo(
  { tokens }: Login,
  metadata: ServerMetadata,
  run: Run,
): Promise<Json> {
  const response = await sendToken(`${metadata.all["userinfo_endpoint"]}`, tokens, run);
  const claims = await readClaims(response, metadata, run);
  startleAtClaims(claims, run);
  return claims;
}

async function readClaims(response: Response, metadata: ServerMetadata, run: Run): Promise<Json> {
  const type = response.headers.get("content-type");
  if (/^application\/jwt *(;|$)/.test(`${type}`)) {
    const jwt = await response.text();
    return run.habits.checks ? (await verifySignature(jwt, metadata, run)).claims : decodeJwt(jwt);
  }
  return await response.json();
}

function startleAtClaims(claims: Json, run: Run): void {
  const unknown = Object.keys(claims).filter((name) => !knownClaims.has(name));
  startleIf(run, unknown.length > 0, `unknown claims: ${unknown}`);
  const { name = "", email_verified: isVerified } = claims;
  startleIf(run, typeof name !== "string", `the name ${name}`);
  startleIf(run, typeof isVerified !== "boolean", `the email_verified ${isVerified}`);
}

const knownClaims = new Set(["sub", "email", "email_verified", "name", "picture", "website", "updated_at"]);
