/** The least that whoever signs tokens loads, and does nothing with. Run as a process: `mock_login_jose`. */
import "jose";
import { writeLine } from "./mock_login.ts";

await writeLine("loaded");
