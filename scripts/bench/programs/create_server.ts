/** Imports the built package by name, and makes a server. Run as a process: `create_server`. */
import { createServer } from "postern";
import { readCpuTime, writeLine } from "./mock_login.ts";

const server = createServer({ issuer: "http://localhost:9000" });
await writeLine(`${readCpuTime()}`);
await server.close();
