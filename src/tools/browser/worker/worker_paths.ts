/** The addresses that a service worker answers for its issuer. */

import { controlPath } from "../../guard/control_paths.ts";

/** The parameter of the worker's address that has the path of the issuer. */
export const issuerParameter = "issuer";

/** Below the path of the issuer: tells the version, and takes the options of the mock. */
export const statusPath: string = `${controlPath}/worker`;
