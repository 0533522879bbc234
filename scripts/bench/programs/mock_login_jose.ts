/** Loads jose, which every kit needs to sign tokens, and does nothing with it. Run as a process: `mock_login_jose`. */
import "jose";
import { writeLine } from "./mock_login.ts";

await writeLine("loaded");
