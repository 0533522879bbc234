/** All routes of the control plane in groups, in the order of the OpenAPI document and of the page. */

import { clientDocumentRoutes } from "./client_document_routes.ts";
import { clockRoutes } from "./clock_routes.ts";
import { directoryRoutes } from "./directory_routes.ts";
import { gateRoutes } from "./gate_routes.ts";
import { hookRoutes } from "./hook_routes.ts";
import { journalRoutes } from "./journal_routes.ts";
import type { CallGroupName } from "../../server/pages/control.tsx";
import type { ControlRoute } from "./route.ts";
import { resourceRoutes } from "./resource_routes.ts";
import { lookAlikeRoutes, misbehaviourRoutes } from "./misbehaviour_routes.ts";
import { mintRoutes } from "./mint_routes.ts";
import { signInRoutes } from "./sign_in_routes.ts";
import { environmentRoutes, tenantRoutes } from "./tenant_routes.ts";
import { tokenRoutes } from "./token_routes.ts";

/** A group of routes with its name. The page of the control plane has a section for each group. */
export interface RouteGroup {
  readonly name: CallGroupName;
  readonly routes: readonly ControlRoute[];
}

export const routeGroups: readonly RouteGroup[] = [
  { name: "sign_in", routes: signInRoutes },
  { name: "tokens", routes: [...tokenRoutes, ...mintRoutes] },
  { name: "clock", routes: clockRoutes },
  { name: "directory", routes: directoryRoutes },
  { name: "client_documents", routes: clientDocumentRoutes },
  { name: "resources", routes: resourceRoutes },
  { name: "journal", routes: journalRoutes },
  { name: "gates", routes: gateRoutes },
  { name: "hooks", routes: hookRoutes },
  { name: "misbehaviours", routes: [...misbehaviourRoutes, ...lookAlikeRoutes] },
  { name: "environment", routes: environmentRoutes },
  { name: "servers", routes: tenantRoutes },
];

export const controlRoutes: readonly ControlRoute[] = routeGroups.flatMap(({ routes }) => routes);
