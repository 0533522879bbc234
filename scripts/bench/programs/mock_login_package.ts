/** Logins with the built package, imported by name as in a test. Run as a process: `mock_login_package COUNT`. */
import { createMock } from "postern/mock";
import { runMockLogins } from "./mock_login.ts";

await runMockLogins(createMock);
