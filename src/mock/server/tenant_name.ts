/** The words for a tenant in error messages. The mock itself is a tenant without a name. */

import { SetUpMistake } from "../../setup/set_up_mistake.ts";

export interface TenantName {
  /** "mock" or "tenant acme". */
  readonly noun: string;
  /** Follows the noun in a sentence: "is closed". */
  readonly isClosed: string;
  /** The error of a call on a closed tenant. */
  readonly closedMessage: string;
}

/** `name` is empty for the mock itself. */
export function describeTenant(name: string): TenantName {
  if (name === "") {
    const isClosed = "is disposed of";
    const closedMessage = `This mock ${isClosed}: create another one with createMock()`;
    return { noun: "mock", isClosed, closedMessage };
  }
  const [noun, isClosed] = [`tenant ${name}`, "is closed"];
  const closedMessage =
    `The ${noun} ${isClosed}: as.tenant("${name}") creates it again while its mock is open`;
  return { noun, isClosed, closedMessage };
}

/** Turns the server's error about its options into an error about the mock or the tenant. */
export function explainSetUp(error: unknown, { noun }: TenantName): unknown {
  if (!(error instanceof SetUpMistake)) return error;
  return new TypeError(`Cannot create ${noun}: ${error.problem}`, { cause: error });
}
