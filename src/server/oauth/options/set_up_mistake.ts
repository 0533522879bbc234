/** The error about a wrong option of a server. */

import { withReceived } from "../../../ground/schema/received.ts";

export class SetUpMistake extends TypeError {
  /** The place of the mistake, for example `clients[0].redirect_uris[1]`. Empty: the configuration as a whole. */
  readonly place: string;
  /** Follows the place in the message: `must be https, not "http://a.example"`. Possible secrets are left out. */
  readonly expected: string;

  constructor(place: string, problem: string, received?: string) {
    const expected = withReceived(problem, received);
    super(`Cannot create server: ${describePlace(place)} ${expected}`);
    this.place = place;
    this.expected = expected;
  }

  /** The message without "Cannot create server: ", for errors that begin in another way. */
  get problem(): string {
    return `${describePlace(this.place)} ${this.expected}`;
  }
}

export function refuseOption(place: string, problem: string, received?: string): never {
  throw new SetUpMistake(place, problem, received);
}

/** Refuses the first item of a list that breaks a rule. `breaks` returns what is expected of such an item. */
export function requireEach<Item>(
  list: string,
  items: readonly Item[],
  breaks: (item: Item) => string | undefined,
  describe?: (place: string, item: Item) => string | undefined,
): void {
  for (const [index, item] of items.entries()) {
    const problem = breaks(item);
    const place = `${list}[${index}]`;
    if (problem !== undefined) refuseOption(place, problem, describe?.(place, item));
  }
}

function describePlace(place: string): string {
  return place === "" ? "the configuration" : place;
}
