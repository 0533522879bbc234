/** Keeps JSON text in a web page, which has few records: the same functions as those of `packed_value.ts`. */

import type { Packer } from "./packed_value.ts";
import { plainPacker } from "./plain_packer.ts";

export function createPacker(): Packer {
  return plainPacker;
}
