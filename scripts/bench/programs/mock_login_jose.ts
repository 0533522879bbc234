/** Loads jose, which every kit needs, makes a key and signs once. Run as a process: `mock_login_jose`. */
import { generateKeyPair, SignJWT } from "jose";
import { loginAlg, readCpuTime, writeLine } from "./mock_login.ts";

const { privateKey } = await generateKeyPair(loginAlg);
await new SignJWT({ sub: "alice" }).setProtectedHeader({ alg: loginAlg }).sign(privateKey);
await writeLine(`${readCpuTime()}`);
