/** The parts of a mock, on its public object. Imports no code, because the handlers for MSW are a bundle of their own. */

import type { RunningMock } from "./running_mock.ts";

const parts = Symbol.for("postern.mock.parts");

/** Adds the parts. They are not enumerable, and not part of the public type, because they may still change. */
export function addParts<Public extends object>(mock: Public, running: RunningMock<Public>): void {
  Object.defineProperty(mock, parts, { value: running });
}

/** Returns `undefined` for an object that `createMock` has not returned. */
export function findStarted<Public = unknown>(mock: object): RunningMock<Public> | undefined {
  return Reflect.get(mock, parts) as RunningMock<Public> | undefined;
}
