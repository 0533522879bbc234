/** Which addresses of an origin belong to an issuer. The page or its site has the others. */

import { withoutWellKnown } from "../../kit/mock/find_issuer_name.ts";

/** `issuerPath` has no slash at its end. */
export function isOfIssuer(path: string, issuerPath: string): boolean {
  return [path, withoutWellKnown(path)].some((each) => `${each}/`.startsWith(`${issuerPath}/`));
}
