/** The folder for compiled code: only this user can write to it, or there is none. */

import { assertEquals } from "@std/assert";
import { chmod, lstat, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import process from "node:process";
import { makeCacheFolder } from "../../../src/tools/cli/compile_cache.ts";
import { inFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";

const user = process.getuid?.();
const linux = { platform: "linux", user } as const;

test("compile cache: the folder is below the user's cache folder, and only the user can use it", () =>
  inFolder(async (path) => {
    const before = process.umask(0);
    try {
      assertEquals(makeCacheFolder({ ...linux, env: { HOME: path("") } }), path(".cache/postern/compiled"));
    } finally {
      process.umask(before);
    }
    for (const made of [".cache", ".cache/postern", ".cache/postern/compiled"]) {
      assertEquals([made, (await lstat(path(made))).mode & 0o777], [made, 0o700]);
    }
    // a second start finds it
    assertEquals(makeCacheFolder({ ...linux, env: { HOME: path("") } }), path(".cache/postern/compiled"));
  }));

test("compile cache: each system has its own place, and XDG_CACHE_HOME must be absolute", () =>
  inFolder(async (path) => {
    for (const name of ["Library/Caches", "Local", "chosen"]) await mkdir(path(name), { recursive: true });
    const env = { HOME: path(""), XDG_CACHE_HOME: path("chosen"), LOCALAPPDATA: path("Local") };
    const made = (platform: string, given: Partial<typeof env> = env) =>
      makeCacheFolder({ platform, user, env: given });
    assertEquals(made("linux"), path("chosen/postern/compiled"));
    assertEquals(made("darwin"), path("Library/Caches/postern/compiled"));
    assertEquals(made("win32"), path("Local/postern/compiled"));
    assertEquals(made("linux", { ...env, XDG_CACHE_HOME: "chosen" }), path(".cache/postern/compiled"));
    assertEquals(
      [{}, { HOME: "" }, { HOME: "." }, { LOCALAPPDATA: path("Local") }].map((env) => made("linux", env)),
      [undefined, undefined, undefined, undefined],
    );
    assertEquals(made("win32", {}), undefined);
  }));

/** What is in the place of the folder, or above it, and what is there afterwards. */
const refused: Readonly<Record<string, (path: (name: string) => string) => Promise<void>>> = {
  "a cache folder that all can write to": async (path) => {
    await mkdir(path(".cache"));
    await chmod(path(".cache"), 0o777);
  },
  "a cache folder that a group can write to": async (path) => {
    await mkdir(path(".cache"));
    await chmod(path(".cache"), 0o770);
  },
  "a home that all can write to": async (path) => await chmod(path(""), 0o777),
  "a folder that others can read": async (path) => {
    await mkdir(path(".cache/postern/compiled"), { recursive: true, mode: 0o700 });
    await chmod(path(".cache/postern/compiled"), 0o755);
  },
  "a parent that others can read": async (path) => {
    await mkdir(path(".cache/postern"), { recursive: true });
    await chmod(path(".cache/postern"), 0o711);
  },
  "a link to a folder": async (path) => {
    await mkdir(path(".cache/postern"), { recursive: true, mode: 0o700 });
    await mkdir(path("elsewhere"), { mode: 0o700 });
    await symlink(path("elsewhere"), path(".cache/postern/compiled"));
  },
  "a link as its parent": async (path) => {
    await mkdir(path(".cache"));
    await mkdir(path("elsewhere"), { mode: 0o700 });
    await symlink(path("elsewhere"), path(".cache/postern"));
  },
  "a link to nothing": async (path) => {
    await mkdir(path(".cache"));
    await symlink(path("elsewhere"), path(".cache/postern"));
  },
  "a file": async (path) => {
    await mkdir(path(".cache"));
    await writeFile(path(".cache/postern"), "");
  },
  "no home": async (path) => await symlink(path("missing"), path(".cache")),
};

for (const [name, prepare] of Object.entries(refused)) {
  test(`compile cache: ${name} is left as it is, and no code is kept`, () =>
    inFolder(async (path) => {
      await prepare(path);
      const before = await readdir(path(""), { recursive: true });
      assertEquals(makeCacheFolder({ ...linux, env: { HOME: path("") } }), undefined);
      assertEquals((await readdir(path(""), { recursive: true })).toSorted(), before.toSorted());
    }));
}

test("compile cache: a folder of another user is left as it is, as with sudo", () =>
  inFolder(async (path) => {
    const other = { ...linux, user: user! + 1, env: { HOME: path("") } };
    assertEquals(makeCacheFolder(other), undefined);
    assertEquals(await readdir(path("")), []);
    await mkdir(path(".cache"));
    assertEquals([makeCacheFolder(other), await readdir(path(".cache"))], [undefined, []]);
  }));

test("compile cache: a read-only cache folder changes nothing", () =>
  inFolder(async (path) => {
    // root can write to any folder, but not below /proc
    if (user !== 0) await chmod(path(""), 0o500);
    const parent = user === 0 ? `/proc/${process.pid}` : path("");
    assertEquals(makeCacheFolder({ ...linux, env: { XDG_CACHE_HOME: parent } }), undefined);
    await chmod(path(""), 0o700);
  }));
