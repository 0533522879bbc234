/** Certificates of `postern start --tls` and `--proxy`, which a certificate authority (CA) of the user signs. */

import process from "node:process";
import { setInterval } from "node:timers";
import { issueCertificate } from "../../../ground/crypto/x509/certificate.ts";
import { withoutBrackets } from "../../../ground/http/address.ts";
import type { TlsOptions } from "../../../server/runtime/listener.ts";
import { CommandError } from "../terminal/command_error.ts";
import { type AuthorityPlace, covers, findAuthority, type System, tlsNameFlag } from "./authority_place.ts";
import { type OpenAuthority, openAuthority } from "./open_authority.ts";

/** `certFile` is the certificate of the CA that has signed it, which may be a new one. */
type Replace = (tls: TlsOptions, certFile: string) => void | Promise<void>;

/** A certificate, and the CA that has signed it. */
export interface SignedTls {
  readonly tls: TlsOptions;
  /** The certificate of the CA, which clients must trust. */
  readonly certFile: string;
  readonly isNew: boolean;
  /** Renews the certificate while the process runs, and does not keep it alive. What has failed is tried again. */
  keepRenewed(replace: Replace, onFailure: (error: Error) => void): void;
}

export interface OwnTls extends SignedTls {
  readonly name: string | undefined;
}

export interface Times {
  /** Seconds since 1970. Default: the system clock, with which clients compare. */
  readonly now?: () => number;
  /** Runs the work again and again, with this many seconds between. Default: by a timer of the process. */
  readonly repeat?: (work: () => Promise<void>, seconds: number) => void;
}

interface OwnTlsOptions extends Times {
  readonly issuer: string;
  readonly also?: readonly string[];
  readonly name: string | undefined;
  readonly system?: System;
}

export async function openOwnTls(
  { issuer, also = [], name: given, system = process, ...times }: OwnTlsOptions,
): Promise<OwnTls> {
  const name = given?.toLowerCase();
  const named = [issuer, ...also].map((url) => withoutBrackets(new URL(url).hostname));
  requireCovered(named, name);
  const hosts = [...new Set([...named, name ?? "localhost"])];
  return { ...await openTlsOf(findAuthority(name, system), hosts, times), name };
}

/** The CA must be limited to these hosts, or to more. */
export async function openTlsOf(
  place: AuthorityPlace,
  hosts: readonly string[],
  { now = () => Date.now() / 1000, repeat = repeatInBackground }: Times = {},
): Promise<SignedTls> {
  let opened = await openAuthority(place, now());
  const issue = () => issueFor(hosts, opened, now());
  let current = await issue();
  const renew = async (replace: Replace) => {
    if (now() < current.renewsAt) return;
    if (now() >= opened.renewsAt) opened = await openAuthority(place, now());
    const next = await issue();
    await replace(next.tls, opened.certFile);
    current = next;
  };
  return {
    tls: current.tls,
    certFile: opened.certFile,
    isNew: opened.isNew,
    keepRenewed: (replace, onFailure) => repeat(() => renew(replace).catch(onFailure), checkInterval),
  };
}

function repeatInBackground(work: () => Promise<void>, seconds: number): void {
  setInterval(() => void work(), seconds * 1000).unref();
}

// In seconds. One long timer would not count the time in which the computer sleeps.
const checkInterval = 3600;

const day = 24 * 60 * 60;
// Apple's systems accept up to 825 days. It is long, because Bun cannot replace the certificate of a running server.
const life = 397 * day;
const renewalTime = 30 * day;

async function issueFor(
  hosts: readonly string[],
  { authority, endsAt, renewsAt }: OpenAuthority,
  now: number,
): Promise<{ readonly tls: TlsOptions; readonly renewsAt: number }> {
  const until = Math.min(now + life, endsAt);
  const tls = await issueCertificate(authority, { hosts, validity: { from: now - day, until } });
  // The last certificate ends with the CA.
  return { tls, renewsAt: until === endsAt ? renewsAt : until - renewalTime };
}

/** The first host is that of the issuer. */
function requireCovered(hosts: readonly string[], name: string | undefined): void {
  const foreign = hosts.find((host) => !covers(name, host));
  if (foreign === undefined) return;
  const signed = name === undefined
    ? "--tls makes certificates for localhost, loopback addresses, and names below .localhost and .test"
    : `--tls-name ${name} makes certificates for this name and names below it`;
  const whose = foreign === hosts[0] ? `the issuer is at ${foreign}` : `the other name is at ${foreign}`;
  throw new CommandError(`${signed}, and ${whose}: ${adviseOn(hosts)}`);
}

function adviseOn(hosts: readonly string[]): string {
  const coversAll = (name?: string) => hosts.every((host) => covers(name, host));
  if (coversAll()) return "leave out --tls-name";
  const name = hosts.find((host) => tlsNameFlag.accepts(host) && coversAll(host));
  if (name !== undefined) return `give --tls-name ${name}`;
  return hosts.length === 1
    ? "use --tls-cert and --tls-key"
    : "take names below .test, such as postern.test, or names below one --tls-name, or use --tls-cert and --tls-key";
}
