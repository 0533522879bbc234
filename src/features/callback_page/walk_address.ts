/** The addresses of the pages of a walk. */

import { paths } from "../../oauth/paths.ts";
import type { Settings } from "../../oauth/settings.ts";
import { present } from "../../present.ts";

/** Returns the path of the page that shows a step. Without a step, the page shows the newest one. */
export function addressOf(id: string, step: number): string {
  return `${paths.walk}?${new URLSearchParams({ id, ...(step === 0 ? {} : { step: `${step}` }) })}`;
}

/** Returns the path of the page with the code, where the code can be exchanged. */
export function codeUrlOf(
  { code, state }: { readonly code: string; readonly state?: string },
  { basePath }: Pick<Settings, "basePath">,
): string {
  const params = new URLSearchParams({ code, ...present({ state }) });
  return `${basePath}${paths.authorized}?${params}`;
}
