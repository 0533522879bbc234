/** Where Debian installs Chromium. */

import { existsSync } from "node:fs";

// The one without windows first: a test with it takes about half the processor time.
const places = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;

const found = places.find((place) => existsSync(place));

export const chromiumPath: string = found ?? places[0];

/** Why a test cannot use Chromium here. */
export const chromiumHindrance: string | undefined = found === undefined
  ? `there is no ${places.join(" and no ")}`
  : undefined;
