/** Takes the place of `loadJose` in the judge of the site. */
import { compactVerify, errors } from "jose";

export function loadJose(): Promise<Pick<typeof import("jose"), "compactVerify" | "errors">> {
  return Promise.resolve({ compactVerify, errors });
}
