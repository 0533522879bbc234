/** Both sides of ID-JAG as processes, which have the JSON of the documentation and nothing else. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { writeFile } from "node:fs/promises";
import * as openid from "openid-client";
import { inFolder, start } from "../cli/command.ts";
import { readPage } from "../documentation/blocks.ts";
import { findFreePort } from "../free_port.ts";
import { test } from "../runner.ts";
import { createVisitor } from "../portable/clients/visitor.ts";

const page = "docs/agent_with_id_jag.md";
const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The issuers of the two processes. */
interface Site {
  readonly idp: string;
  readonly chat: string;
}

async function withProcesses(work: (site: Site) => Promise<void>): Promise<void> {
  const ports: Readonly<Record<string, number>> = { 9001: await findFreePort(), 9002: await findFreePort() };
  const blocks = readPage(page).filter(({ language }) => language === "json");
  await inFolder(async (path) => {
    const processes = await Promise.all(blocks.map(async ({ name = "", text }) => {
      await writeFile(path(name), text.replace(/(?<=localhost:)\d+/g, (port) => `${ports[port]}`));
      return start(["start", "--config", path(name), "--login", "auto:bob", "--alg", "ES256"]);
    }));
    try {
      await Promise.all(processes.map((each) => each.printed(/^ {2}Issuer\s+(\S+)$/m)));
      await work({ idp: `http://localhost:${ports[9001]}`, chat: `http://localhost:${ports[9002]}` });
    } finally {
      for (const each of processes) each.signal("SIGINT");
      await Promise.all(processes.map(({ ended }) => ended));
    }
  });
}

/** The agent finds a server, at which it authenticates by a secret. */
function discover(issuer: string, id: string, secret: string): Promise<openid.Configuration> {
  const options = { execute: [openid.allowInsecureRequests] };
  return openid.discovery(new URL(issuer), id, undefined, openid.ClientSecretBasic(secret), options);
}

/** Signs bob in at the identity provider. */
async function signIn(idp: string, config: openid.Configuration): Promise<string> {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const code_challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier);
  const pkce = { code_challenge, code_challenge_method: "S256" };
  const terms = { redirect_uri: "http://127.0.0.1/callback", scope: "openid", ...pkce };
  const visitor = createVisitor({ send: fetch, serves: ({ origin }) => origin === idp });
  const { leftFor } = await visitor.open(openid.buildAuthorizationUrl(config, terms));
  const checks = { pkceCodeVerifier, idTokenExpected: true };
  return (await openid.authorizationCodeGrant(config, leftFor!, checks)).id_token!;
}

test(`clients: openid-client 6 gets a token for an ID-JAG of another process, as in ${page} (ID-JAG §4)`, () =>
  withProcesses(async ({ idp, chat }) => {
    const resource = "https://mcp.example/mcp";
    const atIdp = await discover(idp, "agent", "secret-at-idp");
    const { access_token: assertion } = await openid.genericGrantRequest(atIdp, exchange, {
      requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      audience: chat,
      resource,
      scope: "chat.read",
      subject_token: await signIn(idp, atIdp),
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    });
    const atChat = await discover(chat, "agent-at-chat", "secret-at-chat");
    const { access_token } = await openid.genericGrantRequest(atChat, jwtBearer, { assertion });
    const { iss, sub, aud, client_id, scope } = decodeJwt(access_token);
    assertEquals([iss, sub, aud, client_id, scope], [chat, "bob", resource, "agent-at-chat", "chat.read"]);
  }));
