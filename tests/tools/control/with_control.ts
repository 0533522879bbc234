/** Calls the control plane of a mock, and checks the form of every refusal. */

import { assertEquals } from "@std/assert";
import { type ControlOptions, createControl } from "../../../src/tools/control/control.ts";
import { problemSchema } from "../../../src/tools/control/openapi.ts";
import { fromRequest, toResponse } from "../../../src/ground/http/message.ts";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import type { MockOptions } from "../../../src/kit/mod.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { checkSchema } from "../../../src/ground/schema/check_schema.ts";

export const origin = "https://as.test";

export interface ControlAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed, if it is JSON. */
  // deno-lint-ignore no-explicit-any -- each answer has its own shape, which the tests assert
  readonly body: any;
}

export interface RequestParts {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null`: unknown. */
  readonly peer?: string | null;
  readonly at?: string;
}

export type CallControl = (method: string, path: string, parts?: RequestParts) => Promise<ControlAnswer>;

export async function withControl(
  work: (given: { readonly ask: CallControl; readonly as: Mock }) => Promise<void>,
  { terms = {}, options = {}, store }: {
    readonly terms?: ControlOptions;
    readonly options?: MockOptions;
    readonly store?: Store;
  } = {},
): Promise<void> {
  const started = await createStartedMock({ alg: "ES256", ...options }, { store });
  await using as = started.mock;
  const control = createControl(started, terms);
  const ask: CallControl = async (
    method,
    path,
    { body, headers = {}, peer = "127.0.0.1", at = origin } = {},
  ) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = new Request(`${at}/_postern${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: text }),
    });
    const response = toResponse(await control.answer(fromRequest(request, peer ?? undefined))!);
    const received = await response.text();
    const isJson = received !== "" && response.headers.get("content-type") === "application/json";
    const answered = isJson ? JSON.parse(received) : received;
    if (response.status >= 400 && method !== "HEAD") {
      assertEquals(checkSchema(answered, problemSchema), undefined, received);
    }
    return { status: response.status, headers: response.headers, body: answered };
  };
  await work({ ask, as });
}
