/** Reads the user's certificate authority (CA), and makes it if there is none. */

import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import {
  type Authority,
  createAuthority,
  exportPrivateKey,
  restoreAuthority,
} from "../../../ground/crypto/x509/certificate.ts";
import { attempt } from "../../../ground/values/attempt.ts";
import { quoteWord } from "../../../ground/values/quote_word.ts";
import { CommandError, failed } from "../terminal/command_error.ts";
import { type AuthorityPlace, placeIn } from "./authority_place.ts";

export interface OpenAuthority {
  readonly authority: Authority;
  /** The certificate, which clients must trust. */
  readonly certFile: string;
  readonly endsAt: number;
  /** From when on `openAuthority` makes a new one. */
  readonly renewsAt: number;
  readonly isNew: boolean;
}

const day = 24 * 60 * 60;

/** `now` is in seconds by the system clock, as the other end of a connection has it. */
export async function openAuthority(given: AuthorityPlace, now: number): Promise<OpenAuthority> {
  const place = given.isRenewed ? await findCurrent(given, now) : given;
  const isNew = await isMissing(place.keyFile) && await makeAuthority(place, now);
  await requirePrivate(place);
  const certificate = await readCertificate(place, now);
  const key = await readPart(place, place.keyFile);
  if (!fits(certificate, key)) {
    return refuse(place, `${place.keyFile} is not the private key of ${place.certFile}`);
  }
  const authority = await restoreAuthority({ name: place.title, cert: certificate.toString(), key });
  if (isNew && given.isRenewed) await removeOthers(given, place);
  const endsAt = endOf(certificate);
  const renewsAt = given.isRenewed ? endsAt - day : Infinity;
  return { authority, certFile: place.certFile, endsAt, renewsAt, isNew };
}

export async function readCertificate(place: AuthorityPlace, now: number): Promise<X509Certificate> {
  const { certFile, title } = place;
  const certificate = parseCertificate(await readPart(place, certFile));
  if (certificate === undefined) return refuse(place, `${certFile} is not a certificate`);
  if (certificate.subject !== `CN=${title}`) {
    return refuse(place, `${certFile} is not the certificate of "${title}"`);
  }
  if (endOf(certificate) <= now) return refuse(place, `${certFile} ended on ${describeEnd(certificate)}`);
  return certificate;
}

/** `2036-11-20` */
export function describeEnd({ validTo }: Pick<X509Certificate, "validTo">): string {
  return new Date(validTo).toISOString().slice(0, 10);
}

function endOf({ validTo }: X509Certificate): number {
  return Date.parse(validTo) / 1000;
}

/**
 * Resolves to `false` if another process was faster. The folder gets its name when its files are complete, and no folder
 * with files is replaced: of two processes one wins, and one that is killed leaves nothing that is read.
 */
async function makeAuthority(place: AuthorityPlace, now: number): Promise<boolean> {
  const { folder, title, limits, life, flags } = place;
  const validity = { from: now - day, until: now + life };
  const { cert, privateKey } = await createAuthority({ name: title, validity, keepsKey: true, limits });
  const key = await exportPrivateKey(privateKey);
  const parent = dirname(folder);
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const unfinished = await mkdtemp(join(parent, ".new-"));
    try {
      await writeFile(join(unfinished, basename(place.keyFile)), key, { mode: 0o600 });
      await writeFile(join(unfinished, basename(place.certFile)), cert);
      await rename(unfinished, folder);
      return true;
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      if (!await isMissing(folder)) return false;
      throw error;
    }
  } catch (cause) {
    throw failed(`${flags} cannot make ${folder}: ${(cause as Error).message}`, cause);
  }
}

/**
 * Each authority of a place that is renewed has a folder with a number. The next one follows if the latest is near its end,
 * or lives longer than a new one would.
 */
async function findCurrent(place: AuthorityPlace, now: number): Promise<AuthorityPlace> {
  const latest = Math.max(0, ...await listNumbers(place));
  const current = placeIn(join(place.folder, `${latest}`), place);
  if (latest > 0) {
    const certificate = parseCertificate(await readPart(current, current.certFile));
    const left = certificate && endOf(certificate) - now;
    if (left === undefined || left > day && left < place.life + day) return current;
  }
  return placeIn(join(place.folder, `${latest + 1}`), place);
}

async function listNumbers({ folder }: AuthorityPlace): Promise<readonly number[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\d{1,9}$/.test(name)).map(Number);
}

/** Removes the other authorities of the place. The first ones were in its folder itself. */
async function removeOthers(place: AuthorityPlace, { folder }: AuthorityPlace): Promise<void> {
  const numbers = await listNumbers(place);
  const others = numbers.map((each) => join(place.folder, `${each}`)).filter((each) => each !== folder);
  for (const path of [...others, place.keyFile, place.certFile]) {
    await rm(path, { recursive: true, force: true });
  }
}

async function isMissing(path: string): Promise<boolean> {
  return await stat(path).then(() => false, ({ code }) => code === "ENOENT" || code === "ENOTDIR");
}

/** As OpenSSH does, refuses a key that others can read. Windows has no such modes. */
async function requirePrivate({ keyFile }: AuthorityPlace): Promise<void> {
  if (process.platform === "win32") return;
  // A missing file is refused when it is read.
  const { mode } = await stat(keyFile).catch(() => ({ mode: 0 }));
  if ((mode & 0o077) === 0) return;
  const permissions = (mode & 0o777).toString(8);
  throw new CommandError(
    `${keyFile} has the mode ${permissions}, so other users of this machine may use this private key: ` +
      `run chmod 600 ${quoteWord(keyFile, "posix") ?? "on this file"}`,
  );
}

async function readPart(place: AuthorityPlace, path: string): Promise<string> {
  return await readFile(path, "utf8").catch(({ code, message }) =>
    refuse(place, code === "ENOENT" ? `${path} is missing` : `${path} cannot be read: ${message}`)
  );
}

function parseCertificate(text: string): X509Certificate | undefined {
  return attempt(() => new X509Certificate(text));
}

function fits(certificate: X509Certificate, key: string): boolean {
  return attempt(() => certificate.checkPrivateKey(createPrivateKey(key))) ?? false;
}

function refuse({ folder, flags }: AuthorityPlace, problem: string): never {
  throw new CommandError(
    `${problem}. Delete the folder ${folder}: the next start with ${flags} makes ` +
      "a new authority, which clients must trust again",
  );
}
