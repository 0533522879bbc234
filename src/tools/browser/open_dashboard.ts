/** Opens the dashboard, which is loaded only then. */

import { lazy } from "../../ground/values/lazy.ts";
import type { openDashboard as open } from "../dashboard/mod.ts";

/** Opens the dashboard of a server or a mock, at the addresses of its issuer. A service worker shows its pages. */
export const openDashboard: typeof open = lazy(async () =>
  (await import("../dashboard/mod.ts")).openDashboard
) as typeof open;
