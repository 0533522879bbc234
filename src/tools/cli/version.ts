/** The version of this program. */

import project from "../../../deno.json" with { type: "json" };

export const version: string = project.version;
