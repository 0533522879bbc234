/** Which addresses belong to an issuer. The page or its site has the others. */

import { withoutWellKnown } from "../../kit/mock/find_issuer_name.ts";

export function isOfIssuer({ origin, pathname }: URL, issuer: URL): boolean {
  const base = issuer.pathname.replace(/\/$/, "");
  return origin === issuer.origin && `${withoutWellKnown(pathname)}/`.startsWith(`${base}/`);
}
