/** The name that an authority of `--tls-name` is for. */

import type { Flag } from "../terminal/flags.ts";

export const tlsNameFlag: Required<Pick<Flag, "value" | "accepts" | "expected">> = {
  value: "NAME",
  // One label could be a top-level domain, and the CA could sign for all names below it.
  accepts: (text) =>
    text.length <= 253 && /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d-]+$/i.test(text),
  expected: "a host name with a dot, such as id.shop.example",
};
