/** A mistake in how a server is set up: whoever made it is told which option it is, and what that has to be. */

import { withReceived } from "../schema/received.ts";

export class SetUpMistake extends TypeError {
  /** As one would write it: `clients[0].redirect_uris[1]`. Empty: the configuration as a whole. */
  readonly place: string;
  /** Continues the place, and tells what came where that may be said: `must be https, not "http://a.example"`. */
  readonly expected: string;

  constructor(place: string, rule: string, received?: string) {
    const expected = withReceived(rule, received);
    super(`Cannot create server: ${describePlace(place)} ${expected}`);
    this.place = place;
    this.expected = expected;
  }

  /** The mistake alone, to be put behind words of one's own. */
  get problem(): string {
    return `${describePlace(this.place)} ${this.expected}`;
  }
}

export function refuseOption(place: string, expected: string, received?: string): never {
  throw new SetUpMistake(place, expected, received);
}

function describePlace(place: string): string {
  return place === "" ? "the configuration" : place;
}
