/** Keeps the JSON text of a value as it is, for few records. Any other packer reads it, too. */

import type { Packer } from "./packed_value.ts";

export const plainPacker: Packer = {
  pack(value) {
    const leaves = JSON.stringify(value) as string | undefined;
    return leaves === undefined ? undefined : { shape: undefined, leaves };
  },
  unpack: ({ leaves }) => JSON.parse(leaves),
  release: () => {},
};
