/** An npm registry on the loopback that has the built package, and passes on requests for others. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { start } from "../../tools/cli/command.ts";
import { root, succeed } from "../../package/project.ts";

export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** The names of the packages whose archives it has sent. */
  readonly installed: ReadonlySet<string>;
}

/** The package must be built. */
export async function startRegistry(): Promise<Registry> {
  const description = JSON.parse(await readFile(`${root}dist/npm/package.json`, "utf8"));
  const packed = await readFile(`${root}dist/postern-${description.version}.tgz`);
  const others = await findUsualRegistry();
  const installed = new Set<string>();
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const url = urlOf(server.address() as AddressInfo);
    const [, name] = /^\/(.+)\/-\/[^/]+\.tgz$/.exec(path) ?? [];
    if (name !== undefined) installed.add(name);
    const answered = name === "postern"
      ? sendBytes(response, packed)
      : path === "/postern"
      ? sendJson(response, describe(description, packed, url))
      : passOn(response, { path, accept: request.headers.accept ?? "*/*", others, url });
    answered.catch((error: Error) => response.writeHead(502).end(error.message));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: urlOf(server.address() as AddressInfo),
    installed,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function urlOf({ port }: AddressInfo): string {
  return `http://127.0.0.1:${port}`;
}

/** The registry from which this machine installs packages. */
async function findUsualRegistry(): Promise<string> {
  const { stdout } = await succeed(start(["config", "get", "registry"], { command: ["npm"] }));
  return stdout.trim().replace(/\/$/, "");
}

/** Describes the package as a registry does: its only version, and where its archive is. */
function describe(description: { readonly version: string }, packed: Uint8Array, url: string): unknown {
  const { version } = description;
  const hash = (name: string, encoding: "hex" | "base64") => createHash(name).update(packed).digest(encoding);
  return {
    name: "postern",
    "dist-tags": { latest: version },
    versions: {
      [version]: {
        ...description,
        dist: {
          tarball: `${url}/postern/-/postern-${version}.tgz`,
          shasum: hash("sha1", "hex"),
          integrity: `sha512-${hash("sha512", "base64")}`,
        },
      },
    },
  };
}

interface Passed {
  readonly path: string;
  readonly accept: string;
  readonly others: string;
  readonly url: string;
}

/** Sends what the other registry answers. Its archives come through this one, too. */
async function passOn(response: ServerResponse, { path, accept, others, url }: Passed): Promise<void> {
  const answer = await fetch(others + path, { headers: { accept } });
  const type = answer.headers.get("content-type") ?? "application/octet-stream";
  response.writeHead(answer.status, { "content-type": type });
  response.end(
    /json/.test(type)
      ? (await answer.text()).replaceAll(`${others}/`, `${url}/`)
      : new Uint8Array(await answer.arrayBuffer()),
  );
}

async function sendJson(response: ServerResponse, value: unknown): Promise<void> {
  response.setHeader("content-type", "application/json");
  await sendBytes(response, JSON.stringify(value));
}

function sendBytes(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.end(bytes, resolve));
}
