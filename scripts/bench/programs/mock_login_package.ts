/** Logins with `postern/mock` from the built package. Run as a process: `mock_login_package COUNT MODULE`. */
import { programArgs, runMockLogins } from "./mock_login.ts";

const { createMock } = await import(programArgs[1]!) as typeof import("../../../src/mock/mod.ts");

await runMockLogins(createMock);
