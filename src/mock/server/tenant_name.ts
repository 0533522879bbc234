/** How messages call a tenant: the mock itself, or a tenant of it by name. */

import { SetUpMistake } from "../../setup/set_up_mistake.ts";

export interface TenantName {
  /** "mock", "tenant acme" */
  readonly noun: string;
  /** Continues the noun. */
  readonly isClosed: string;
  /** For a caller that still uses it. */
  readonly closedMessage: string;
}

/** `name` is empty for the mock itself. */
export function describeTenant(name: string): TenantName {
  if (name === "") {
    const isClosed = "is disposed of";
    const closedMessage = `This mock ${isClosed}: make another one with createMock()`;
    return { noun: "mock", isClosed, closedMessage };
  }
  const [noun, isClosed] = [`tenant ${name}`, "is closed"];
  const closedMessage = `The ${noun} ${isClosed}: as.tenant("${name}") makes it again while its mock is open`;
  return { noun, isClosed, closedMessage };
}

/** What the server finds wrong with its options, said about the mock or the tenant. */
export function explainSetUp(error: unknown, { noun }: TenantName): unknown {
  if (!(error instanceof SetUpMistake)) return error;
  return new TypeError(`Cannot create ${noun}: ${error.problem}`, { cause: error });
}
