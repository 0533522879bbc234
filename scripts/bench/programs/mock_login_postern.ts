/** Logins with `postern/mock` from its source, as Deno runs it. Run as a process: `mock_login_postern COUNT`. */
import { createMock } from "../../../src/mock/mod.ts";
import { runMockLogins } from "./mock_login.ts";

await runMockLogins(createMock);
