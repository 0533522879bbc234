/** A mistake in the options of a server: which option it is, and what it must be. */

import { withReceived } from "../schema/received.ts";

export class SetUpMistake extends TypeError {
  /** The position of the mistake: `clients[0].redirect_uris[1]`. Empty: the configuration as a whole. */
  readonly place: string;
  /** Continues the place: `must be https, not "http://a.example"`. Values that may be secret are left out. */
  readonly expected: string;

  constructor(place: string, problem: string, received?: string) {
    const expected = withReceived(problem, received);
    super(`Cannot create server: ${describePlace(place)} ${expected}`);
    this.place = place;
    this.expected = expected;
  }

  /** The message without its beginning, for callers that begin it themselves. */
  get problem(): string {
    return `${describePlace(this.place)} ${this.expected}`;
  }
}

export function refuseOption(place: string, problem: string, received?: string): never {
  throw new SetUpMistake(place, problem, received);
}

function describePlace(place: string): string {
  return place === "" ? "the configuration" : place;
}
