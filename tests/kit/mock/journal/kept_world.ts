/** The journal of a world as the recorder keeps it, and its description for pages. */

import {
  describeExchange,
  type ExchangeOptions,
} from "../../../../src/kit/mock/journal/describe_exchange.ts";
import { indexEntries } from "../../../../src/kit/mock/journal/journal_index.ts";
import { KeptEntry } from "../../../../src/kit/mock/journal/request_list.ts";
import type { ShownExchange } from "../../../../src/kit/timeline/exchange_props.ts";
import type { World } from "../../../world.ts";
import { createEndpointNamer } from "./endpoint_namer.ts";

const nameEndpoint = createEndpointNamer();

/** `turns` has the seconds by which the clock was turned before the entry with this index. */
export function keepWorld(
  { journal }: World,
  turns: Readonly<Record<number, number>> = {},
): readonly KeptEntry[] {
  let ahead = 0;
  return journal.map((entry, at) => {
    ahead += turns[at] ?? 0;
    return new KeptEntry(
      entry,
      nameEndpoint(entry.request),
      false,
      entry.receivedAt + entry.duration - ahead,
    );
  });
}

export function termsOf(all: readonly KeptEntry[], changed: Partial<ExchangeOptions> = {}): ExchangeOptions {
  return {
    journal: indexEntries(all),
    issuer: "https://as.test",
    secrets: false,
    neverShown: [],
    ...changed,
  };
}

/** Describes the last exchange. */
export function describeLast(
  world: World,
  changed: Partial<ExchangeOptions> = {},
  turns: Readonly<Record<number, number>> = {},
): ShownExchange {
  const all = keepWorld(world, turns);
  return describeExchange(all.at(-1)!, termsOf(all, changed));
}
