/** The environment variables with which `scripts/test.ts` starts tests. */
import process from "node:process";

export function readVariable(name: string): string | undefined {
  return process.env[name];
}
