/** The table of printed forms. Each is for one library or program, and has a file in `printed/`. */

import { quoteWord } from "../../../ground/values/quote_word.ts";
import type { FormNeeds, Language } from "./form_values.ts";
import type { LibraryAddress } from "./library_address.ts";
import authjs from "./printed/authjs.js" with { type: "text" };
import curl from "./printed/curl.sh" with { type: "text" };
import device from "./printed/device.sh" with { type: "text" };
import env from "./printed/env.env" with { type: "text" };
import express from "./printed/express.js" with { type: "text" };
import fapi from "./printed/fapi.js" with { type: "text" };
import fastmcp from "./printed/fastmcp.py" with { type: "text" };
import go from "./printed/go.go" with { type: "text" };
import http from "./printed/http.http" with { type: "text" };
import mcp from "./printed/mcp.js" with { type: "text" };
import nextAuth from "./printed/next_auth.js" with { type: "text" };
import oidcClientTs from "./printed/oidc_client_ts.js" with { type: "text" };
import openidClient from "./printed/openid_client.js" with { type: "text" };
import python from "./printed/python.py" with { type: "text" };
import rust from "./printed/rust.rs" with { type: "text" };
import spring from "./printed/spring.yml" with { type: "text" };

export interface Form extends FormNeeds {
  /** The name of the library or the file, for the front page. */
  readonly title: string;
  readonly file: string;
}

// JavaScript, Python, Go, Rust and YAML read a JSON string as the same text. A page would end its script at `</script>`,
// and Spring replaces `${name}` by a variable of the environment.
export const json: Language = { text: (text) => JSON.stringify(text), url: (url) => JSON.stringify(url) };
const page: Language = { ...json, text: (text) => JSON.stringify(text).replaceAll("<", "\\u003c") };
const yaml: Language = { ...json, text: (text) => text.includes("${") ? undefined : JSON.stringify(text) };
const shell: Language = { text: quotePosix, url: quotePosix };
const dotenv: Language = { text: quoteForEnv, url: quoteForEnv };
const query: Language = { text: encodeForQuery, url: (url) => url };

const authjsAddress: LibraryAddress = {
  pattern: /\/auth\/callback\/([\w-]+)$/,
  path: "/api/auth/callback/",
  origin: "http://localhost:3000",
};
const springAddress: LibraryAddress = {
  pattern: /\/login\/oauth2\/code\/([\w-]+)$/,
  path: "/login/oauth2/code/",
  origin: "http://localhost:8080",
};

/** By the value of `--print`. */
export const forms: Readonly<Record<string, Form>> = {
  env: { title: ".env", file: env, language: dotenv },
  "openid-client": { title: "openid-client", file: openidClient, language: json },
  "oidc-client-ts": { title: "oidc-client-ts", file: oidcClientTs, language: page },
  authjs: { title: "Auth.js", file: authjs, language: json, address: authjsAddress },
  "next-auth": { title: "next-auth 4", file: nextAuth, language: json, address: authjsAddress },
  spring: { title: "Spring Boot", file: spring, language: yaml, address: springAddress },
  express: { title: "Express API", file: express, language: json },
  python: { title: "Python", file: python, language: json },
  go: { title: "Go", file: go, language: json },
  rust: { title: "Rust", file: rust, language: json },
  mcp: { title: "MCP TypeScript SDK", file: mcp, language: json },
  fastmcp: { title: "FastMCP", file: fastmcp, language: json },
  curl: { title: "curl", file: curl, language: shell },
  device: { title: "curl on a device", file: device, language: shell, isForDevice: true },
  http: { title: "HTTP Client, REST Client", file: http, language: query },
  fapi: { title: "FAPI 2.0", file: fapi, language: json },
};

export const applicationForms: readonly string[] = Object.keys(forms);

/** Ruby, PHP and Perl. */
export const singleQuoted: Language = { text: quoteSingly, url: quoteSingly };
/** A file in which nothing is quoted, or the file has the quotes. */
export const plain: Language = { text: writePlain, url: writePlain };

function quoteSingly(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Returns only what no reader of such files takes for something else. */
function writePlain(text: string): string | undefined {
  return /^[\w.:/ @~+-]+$/.test(text) ? text : undefined;
}

function quotePosix(text: string): string | undefined {
  return quoteWord(text, "posix");
}

/** Readers of .env files, and shells that run them, agree on the quotes. Some of them also replace `$` and `\` there. */
function quoteForEnv(text: string): string | undefined {
  return /[$\\]/.test(text) ? undefined : quotePosix(text);
}

/** A colon and a slash stay readable, because a query may have them (RFC 3986 §3.4). */
function encodeForQuery(text: string): string {
  return encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2F", "/");
}
