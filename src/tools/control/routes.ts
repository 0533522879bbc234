/** All routes of the control plane in groups, in the order of the OpenAPI document and of the page. */

import { clientDocumentRoutes } from "./client_document_routes.ts";
import { clockRoutes } from "./clock_routes.ts";
import { directoryRoutes } from "./directory_routes.ts";
import { gateRoutes } from "./gate_routes.ts";
import { hookRoutes } from "./hook_routes.ts";
import { journalRoutes } from "./journal_routes.ts";
import type { CallGroupName } from "./page/calls_page.tsx";
import type { ControlRoute } from "./route.ts";
import { resourceRoutes } from "./resource_routes.ts";
import { lookAlikeRoutes, misbehaviourRoutes } from "./misbehaviour_routes.ts";
import { mintRoutes } from "./mint_routes.ts";
import { signInRoutes } from "./sign_in_routes.ts";
import { environmentRoutes, tenantRoutes } from "./tenant_routes.ts";
import { tokenRoutes } from "./token_routes.ts";

/** A group of routes. The page of the control plane has a section for each name, the reference page for each title. */
interface RouteGroup {
  readonly name: CallGroupName;
  readonly title: string;
  readonly routes: readonly ControlRoute[];
}

export const routeGroups: readonly RouteGroup[] = [
  { name: "sign_in", title: "Sign in and out", routes: signInRoutes },
  { name: "tokens", title: "Tokens", routes: [...tokenRoutes, ...mintRoutes] },
  { name: "clock", title: "The clock", routes: clockRoutes },
  { name: "directory", title: "People and clients", routes: directoryRoutes },
  { name: "client_documents", title: "Client documents", routes: clientDocumentRoutes },
  { name: "resources", title: "APIs", routes: resourceRoutes },
  { name: "journal", title: "Requests", routes: journalRoutes },
  { name: "gates", title: "Late, held, failed and lost answers", routes: gateRoutes },
  { name: "hooks", title: "Hooks", routes: hookRoutes },
  { name: "misbehaviours", title: "Misbehaviours", routes: misbehaviourRoutes },
  { name: "misbehaviours", title: "Look-alikes", routes: lookAlikeRoutes },
  { name: "environment", title: "Your application", routes: environmentRoutes },
  { name: "servers", title: "Servers and tenants", routes: tenantRoutes },
];

export const controlRoutes: readonly ControlRoute[] = routeGroups.flatMap(({ routes }) => routes);
