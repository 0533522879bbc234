/** All routes of the control plane, in the order of the OpenAPI document. */

import { clockRoutes } from "./clock_routes.ts";
import { directoryRoutes } from "./directory_routes.ts";
import { environmentRoutes } from "./environment_routes.ts";
import { gateRoutes } from "./gate_routes.ts";
import { hookRoutes } from "./hook_routes.ts";
import { journalRoutes } from "./journal_routes.ts";
import type { ControlRoute } from "./route.ts";
import { signInRoutes } from "./sign_in_routes.ts";
import { tenantRoutes } from "./tenant_routes.ts";
import { tokenRoutes } from "./token_routes.ts";

export const controlRoutes: readonly ControlRoute[] = [
  ...tenantRoutes,
  ...clockRoutes,
  ...directoryRoutes,
  ...signInRoutes,
  ...tokenRoutes,
  ...gateRoutes,
  ...hookRoutes,
  ...journalRoutes,
  ...environmentRoutes,
];
