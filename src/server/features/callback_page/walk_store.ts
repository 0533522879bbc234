/** Stores walks, each encrypted for one browser, so that the store has nothing that another reader could use. */

import { fromBase64url } from "../../../ground/crypto/bytes.ts";
import { hmacSha256 } from "../../../ground/crypto/platform.ts";
import type { Kind, Version } from "../../store/store.ts";
import { type Browser, encryptForBrowser, openForBrowser } from "../../oauth/people/browser.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import type { Walk } from "./walk.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import type { Settings } from "../../oauth/contracts/settings.ts";
import { present } from "../../../ground/values/present.ts";

/** The number of places is 256, so a flood of walks cannot fill the store. */
const walks: Kind<{ readonly sealed: string }> = { name: "walk" };

/** The number of places that a walk can be at. If other walks have all of them, the new walk replaces one. */
const attempts = 4;

/** In seconds, counted from the last step. */
export const walkLifetime = 3600;

export interface StoredWalk {
  readonly walk: Walk;
  readonly place: string;
  readonly version: Version;
}

/** Returns the id of the walk with this code in this browser. The id does not reveal the code. */
export function walkIdOf(code: string, { secret }: Pick<Browser, "secret">): string {
  return hmacSha256(secret, `walk ${code}`, 16);
}

function placesOf(id: string): readonly string[] {
  return [...fromBase64url(id).subarray(0, attempts)].map((octet) => `${octet}`);
}

const purposeOf = (id: string) => `walk ${id}`;

export async function findWalk(
  id: string,
  browser: Pick<Browser, "secret">,
  services: Services,
): Promise<StoredWalk | undefined> {
  const { store, now } = services;
  for (const place of placesOf(id)) {
    const entry = await store.get(walks, place, now());
    const walk = await openForBrowser<Walk>(entry?.value.sealed, purposeOf(id), browser, services);
    if (entry !== undefined && walk !== undefined) return { walk, place, version: entry.version };
  }
  return undefined;
}

/** Stores a new walk. Resolves to `undefined` if the walk exists already. */
export async function createWalk(
  walk: Walk,
  browser: Pick<Browser, "secret">,
  services: Services,
): Promise<StoredWalk | undefined> {
  const id = walkIdOf(walk.code, browser);
  for (const place of placesOf(id)) {
    const stored = await put(walk, { id, place, if: null }, browser, services);
    if (stored !== undefined) return stored;
    if (await findWalk(id, browser, services) !== undefined) return undefined;
  }
  const [place = ""] = placesOf(id);
  return await put(walk, { id, place }, browser, services);
}

/** Replaces a stored walk. Resolves to `undefined` if another request has changed it. */
export async function changeWalk(
  { place, version }: StoredWalk,
  walk: Walk,
  browser: Pick<Browser, "secret">,
  services: Services,
): Promise<StoredWalk | undefined> {
  return await put(walk, { id: walkIdOf(walk.code, browser), place, if: version }, browser, services);
}

async function put(
  walk: Walk,
  { id, place, ...condition }: { readonly id: string; readonly place: string; readonly if?: Version | null },
  browser: Pick<Browser, "secret">,
  services: Services,
): Promise<StoredWalk | undefined> {
  const { store, now } = services;
  const sealed = await encryptForBrowser(walk, purposeOf(id), browser, services);
  const version = await store.put(walks, place, { sealed }, {
    expiresAt: Math.floor(now()) + walkLifetime,
    now: now(),
    ...condition,
  });
  return version === undefined ? undefined : { walk, place, version };
}

/** Returns the path of the page that shows a step. Without a step, the page shows the newest one. */
export function addressOf(id: string, step: number): string {
  return `${paths.walk}?${new URLSearchParams({
    id,
    ...present({ step: step === 0 ? undefined : `${step}` }),
  })}`;
}

export function codeUrlOf(
  { code, state }: { readonly code: string; readonly state?: string },
  { basePath }: Pick<Settings, "basePath">,
): string {
  const params = new URLSearchParams({ code, ...present({ state }) });
  return `${basePath}${paths.authorized}?${params}`;
}
