/** Logins with `postern/mock` from its source, which Deno can run. Run as a process: `mock_login_source COUNT`. */
import { createMock } from "../../../src/kit/mod.ts";
import { runMockLogins } from "./mock_login.ts";

await runMockLogins(createMock);
