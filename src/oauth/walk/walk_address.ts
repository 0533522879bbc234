/** The addresses of the pages of a walk. */

import { paths } from "../endpoints/paths.ts";

/** Returns the path of the page that shows a step. Without a step, the page shows the newest one. */
export function addressOf(id: string, step: number): string {
  return `${paths.walk}?${new URLSearchParams({ id, ...(step === 0 ? {} : { step: `${step}` }) })}`;
}
