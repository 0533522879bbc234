/** packaging/Dockerfile, and the files of the image, which run without Docker: alone, read-only, and not as root. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { folder } from "../../../scripts/image.ts";
import { type Program, start } from "../../tools/cli/command.ts";
import { findFreePort } from "../../free_port.ts";
import { test } from "../../runner.ts";
import { root, runScript, succeed } from "../../package/project.ts";

/** The instructions of the Dockerfile by their names. The last stage is the only one. */
const instructions = new Map(
  readFileSync(`${root}packaging/Dockerfile`, "utf8").replaceAll(/^#.*\n|\\\n/gm, "").trim().split("\n")
    .map((line): [string, string] => [line.replace(/ .*/, ""), line.replace(/^\S+ /, "")]),
);

const [, healthCheck = ""] = /CMD (\[.*\])$/.exec(instructions.get("HEALTHCHECK")!) ?? [];
const commandLine = JSON.parse(instructions.get("ENTRYPOINT")!) as readonly [string];
const user = instructions.get("USER")!;

/** Mounts the files read-only and makes them the root folder. Only root can become another user there. */
const isRoot = process.getuid?.() === 0;
const namespace = ["--mount", ...(isRoot ? [] : ["--map-root-user"])];
const enter = `mount --bind "$1" "$1" && mount --rbind /proc "$1/proc" && mount -o remount,bind,ro "$1" &&
  exec env -i PATH="$PATH" ${instructions.get("ENV")!} $ADDED chroot ${
  isRoot ? `--userspec=${user}` : ""
} "$@"`;

/** The variables are those of the Dockerfile and `added`. */
function inImage(added: Readonly<Record<string, string>> = {}): Program {
  const pairs = Object.entries(added).map(([name, value]) => `${name}=${value}`);
  return {
    command: ["unshare", ...namespace, "sh", "-c", enter, "sh", `${root}${folder}`],
    env: { ADDED: pairs.join(" ") },
  };
}

const name = "image: it has what the server needs and no shell, and the server starts if it is safe";
const tried = ["mount", "--bind", `${root}packaging`, `${root}packaging`];
const { status, stderr } = spawnSync("unshare", [...namespace, ...tried], { encoding: "utf8" });
// One test, because two processes that make the image at the same time would delete it for each other.
if (status !== 0) {
  test.skip(name, `this machine allows no namespaces: ${stderr?.trim() || "it has no unshare"}`);
} else {
  test(name, async () => {
    await runScript("image.ts");
    requireFewFiles();
    await reachServer();
    await requireRefusal();
  });
}

/** Its health check and a client reach the server. */
async function reachServer(): Promise<void> {
  const port = `${await findFreePort()}`;
  const issuer = `http://localhost:${port}`;
  const given = { POSTERN_PORT: port, POSTERN_ISSUER: issuer, POSTERN_EXPOSE_DEMO: "1" };
  const [cmd] = JSON.parse(instructions.get("CMD")!) as readonly [string];
  const server = start([...commandLine, cmd], inImage(given));
  try {
    await server.printed(/^OAUTH_ISSUER=/m);
    const checked = await succeed(start([...JSON.parse(healthCheck), "--port", port], inImage()));
    assertEquals(checked.stdout, `${issuer} works\n`);
    const { stdout } = await succeed(start([...commandLine, "token", "bob", "--issuer", issuer], inImage()));
    assertMatch(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  } finally {
    server.signal("SIGTERM");
  }
  assertEquals((await server.ended).code, 0);
}

/** Without an issuer and without clients, the server does not start. */
async function requireRefusal(): Promise<void> {
  const refuse = async (given: Readonly<Record<string, string>>) => {
    const server = start([...commandLine, "start"], inImage(given));
    // one that starts does not end by itself
    server.printed(/^OAUTH_ISSUER=/m).then(() => server.signal("SIGTERM"), () => {});
    const { code, stderr } = await server.ended;
    return `${code}: ${stderr}`;
  };
  assertMatch(
    await refuse({}),
    /^2: postern: POSTERN_HOST 0\.0\.0\.0 lets other machines in, so --issuer must be/,
  );
  assertMatch(
    await refuse({ POSTERN_ISSUER: "http://localhost:9000" }),
    /^2: postern: POSTERN_HOST 0\.0\.0\.0 lets other machines in, and anyone could use the demo clients/,
  );
}

/** The executable, its libraries, certificates and the user. */
function requireFewFiles(): void {
  const files = readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);
  const paths = files.map((path) => path.slice(`${root}${folder}`.length));
  const isLibrary = (path: string) => /^\/(?:usr\/)?lib[\w/-]*\/[\w-]+\.so\.\d+$/.test(path);
  assertEquals(paths.filter((path) => !isLibrary(path)).sort(), [
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/ssl/certs/ca-certificates.crt",
    "/usr/bin/postern",
  ]);
  assert(paths.some((path) => path.includes("/ld-linux")), paths.join());
  const [name, , id, group] = readFileSync(`${root}${folder}/etc/passwd`, "utf8").split(":");
  assertEquals([name, `${id}:${group}`], ["postern", user]);
}

test("image: the Dockerfile takes nothing else, and its port and labels are right", () => {
  const { license } = JSON.parse(readFileSync(`${root}deno.json`, "utf8")) as { readonly license: string };
  const of = (name: string) => instructions.get(name);
  assertEquals([of("FROM"), of("COPY"), of("STOPSIGNAL")], ["scratch", "${TARGETARCH}/ /", "SIGTERM"]);
  assertMatch(of("ENV")!, new RegExp(`\\bPOSTERN_PORT=${of("EXPOSE")}\\b`));
  const labels = [...of("LABEL")!.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]+)"/g)];
  assertEquals(labels.map(([, name]) => name), ["title", "description", "licenses", "source", "version"]);
  assertEquals(labels[2]![2], license);
});
