/** The words for a tenant in error messages. The mock itself is a tenant without a name. */

import { SetUpMistake } from "../../../server/oauth/options/set_up_mistake.ts";

interface TenantName {
  /** "mock" or "tenant acme". */
  readonly noun: string;
  /** The clause after the noun in errors of calls that were waiting: "is closed". */
  readonly closedClause: string;
  readonly closedMessage: string;
}

/** `name` is empty for the mock itself. */
export function describeTenant(name: string): TenantName {
  if (name === "") {
    const closedClause = "is disposed of";
    const closedMessage = `This mock ${closedClause}: create another one with createMock()`;
    return { noun: "mock", closedClause, closedMessage };
  }
  const [noun, closedClause] = [`tenant ${name}`, "is closed"];
  const closedMessage =
    `The ${noun} ${closedClause}: as.tenant("${name}") creates it again while its mock is open`;
  return { noun, closedClause, closedMessage };
}

export function explainSetUp(error: unknown, { noun }: TenantName): unknown {
  if (!(error instanceof SetUpMistake)) return error;
  return new TypeError(`Cannot create ${noun}: ${error.problem}`, { cause: error });
}
