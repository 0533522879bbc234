/** Opens a port for the pages of a mock that does not listen. */

import type { Mock } from "../../kit/mock/mock.ts";
import type { Listening } from "../../kit/mock/network/listening.ts";
import { createPorts } from "../../kit/mock/network/ports.ts";

/** Opens a port that does not change the issuer, so that the test goes on as before. */
export async function openOwnPort({ answer }: Mock): Promise<Listening | undefined> {
  return await createPorts({ answer, signsWithTestKeys: true, requireOpen: () => {} }).open({});
}
