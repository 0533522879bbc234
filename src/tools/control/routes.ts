/** All routes of the control plane in groups, in the order of the OpenAPI document and of the page. */

import { createCallRoutes } from "./call_routes.ts";
import { clientDocumentRoutes } from "./client_document_routes.ts";
import { clockRoutes } from "./clock_routes.ts";
import { directoryRoutes } from "./directory_routes.ts";
import { gateRoutes } from "./gate_routes.ts";
import { hookRoutes } from "./hook_routes.ts";
import { journalRoutes } from "./journal_routes.ts";
import type { ControlRoute } from "./route.ts";
import { otherAddressRoutes } from "./other_address_routes.ts";
import { resourceRoutes } from "./resource_routes.ts";
import { lookAlikeRoutes } from "./look_alike_routes.ts";
import { misbehaviourRoutes } from "./misbehaviour_routes.ts";
import { mintRoutes } from "./mint_routes.ts";
import { signInRoutes } from "./sign_in_routes.ts";
import { snapshotRoutes } from "./snapshot_routes.ts";
import { environmentRoutes, tenantRoutes } from "./tenant_routes.ts";
import { tokenRoutes } from "./token_routes.ts";

/** Routes that the page of the control plane shows together. */
interface RouteGroup {
  readonly heading: string;
  /** The titles are headings of docs/reference/control_plane.md. */
  readonly sections: readonly (readonly [title: string, routes: readonly ControlRoute[]])[];
}

const ownGroups: readonly RouteGroup[] = [
  { heading: "Sign in and out", sections: [["Sign in and out", signInRoutes]] },
  { heading: "Tokens and keys", sections: [["Tokens", [...tokenRoutes, ...mintRoutes]]] },
  { heading: "Clock", sections: [["The clock", clockRoutes]] },
  { heading: "People and clients", sections: [["People and clients", directoryRoutes]] },
  { heading: "Client documents", sections: [["Client documents", clientDocumentRoutes]] },
  { heading: "APIs", sections: [["APIs", resourceRoutes], ["Other addresses", otherAddressRoutes]] },
  { heading: "Requests", sections: [["Requests", journalRoutes]] },
  { heading: "Late, held and lost answers", sections: [["Late, held, failed and lost answers", gateRoutes]] },
  { heading: "Changed answers", sections: [["Hooks", hookRoutes]] },
  {
    heading: "Wrong on purpose",
    sections: [["Misbehaviours", misbehaviourRoutes], ["Look-alikes", lookAlikeRoutes]],
  },
  { heading: "Settings of an application", sections: [["Your application", environmentRoutes]] },
  {
    heading: "Server and tenants",
    sections: [["Servers and tenants", tenantRoutes], ["Snapshots", snapshotRoutes]],
  },
];

export const callRoutes: readonly ControlRoute[] = createCallRoutes(ownGroups.flatMap(routesOf));

export const routeGroups: readonly RouteGroup[] = callRoutes.length === 0
  ? ownGroups
  : [...ownGroups, { heading: "Other calls", sections: [["Other calls", callRoutes]] }];

export const controlRoutes: readonly ControlRoute[] = routeGroups.flatMap(routesOf);

export function routesOf({ sections }: RouteGroup): readonly ControlRoute[] {
  return sections.flatMap(([, routes]) => routes);
}
