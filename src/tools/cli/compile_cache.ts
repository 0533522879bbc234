/**
 * Keeps the compiled code of the command line between starts, where Node can do so, in a folder that only this user can
 * read and write: this code runs at the next start. Without such a folder, a start is as before.
 */

import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import process from "node:process";

/** A part of `node:module`, which Node has since 22.8. */
interface CompilingModule {
  enableCompileCache?(folder: string): unknown;
  getCompileCacheDir?(): string | undefined;
}

interface System {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user of this process; `undefined` on Windows, where a profile is closed to other users. */
  readonly user: number | undefined;
}

/** Node's variable `NODE_DISABLE_COMPILE_CACHE` switches it off, and `NODE_COMPILE_CACHE` names another folder. */
export function keepCompiledCode(): void {
  const { enableCompileCache, getCompileCacheDir } = (process.getBuiltinModule?.("node:module") ??
    {}) as CompilingModule;
  // Bun has these functions, and keeps nothing
  if (enableCompileCache === undefined || "bun" in process.versions) return;
  const { platform, env } = process;
  if (getCompileCacheDir?.() !== undefined || env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) return;
  const folder = makeCacheFolder({ platform, env, user: process.geteuid?.() });
  if (folder !== undefined) enableCompileCache(folder);
}

/** Returns a folder below the user's cache folder, or `undefined` if another user could write to it or it cannot be made. */
export function makeCacheFolder({ platform, env, user }: System): string | undefined {
  const parent = findUserCache(platform, env);
  if (parent === undefined) return undefined;
  try {
    const closest = existsSync(parent) ? parent : dirname(parent);
    // Others who can write to it could put their folder in the place of ours. `sudo` leaves the folder of another user.
    const { uid, mode } = statSync(closest);
    if (user !== undefined && (uid !== user || (mode & 0o022) !== 0)) return undefined;
    const own = join(parent, "postern"), folder = join(own, "compiled");
    return [own, folder].every((path) => isMadeForUser(path, user)) ? folder : undefined;
  } catch {
    // read-only, or no folder
    return undefined;
  }
}

/** Makes the folder if it is missing. A link is refused, because it may lead to a folder of another user. */
function isMadeForUser(path: string, user: number | undefined): boolean {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  return found.isDirectory() && (user === undefined || (found.uid === user && (found.mode & 0o077) === 0));
}

function findUserCache(platform: string, env: System["env"]): string | undefined {
  const { LOCALAPPDATA: local, HOME: home, XDG_CACHE_HOME: chosen } = env;
  if (platform === "win32") return local;
  // A relative path is ignored (XDG Base Directory Specification).
  if (platform !== "darwin" && chosen !== undefined && isAbsolute(chosen)) return chosen;
  if (home === undefined || !isAbsolute(home)) return undefined;
  return join(home, platform === "darwin" ? "Library/Caches" : ".cache");
}
