/** Wrong treatment of client metadata documents. */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const clientDocument: Readonly<Record<FaultOf<"client_document">, Misbehaviour>> = {};
