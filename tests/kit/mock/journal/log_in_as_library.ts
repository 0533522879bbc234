/** Sends what a library was recorded to send, to a server with a configuration. */

import { createMock, type JournalEntry, type MockOptions } from "../../../../src/kit/mod.ts";
import { libraries } from "../../../../src/server/libraries/mod.ts";
import type { Recording } from "../../../server/libraries/recordings.ts";
import { basic } from "../../../world.ts";

export const issuer = "http://localhost:9000";

export type Options = MockOptions & { readonly clients: readonly Record<string, string>[] };

const methodOf = ({ library, token }: Recording): string => {
  if (token !== undefined) return token.usesBasic ? "client_secret_basic" : "client_secret_post";
  return libraries.find(({ name }) => name === library)?.method ?? "client_secret_basic";
};

/** Sends what the library has sent, with the code and the secret of now. */
export async function logIn(
  recording: Recording,
  options: Options,
): Promise<readonly [Response, string | undefined]> {
  const [client] = options.clients;
  const journal: JournalEntry[] = [];
  const as = await createMock({ issuer, ...options, journal: (entry) => journal.push(entry) });
  const query = recording.authorization[0]!;
  const callback = await as.authorize(`${issuer}/oauth2/authorize${query}`);
  const { client_id: id, client_secret: secret } = client!;
  const form = new URLSearchParams(
    recording.token?.form ?? {
      grant_type: "authorization_code",
      redirect_uri: new URLSearchParams(query).get("redirect_uri")!,
    },
  );
  form.set("code", callback.searchParams.get("code")!);
  const isBasic = methodOf(recording) === "client_secret_basic";
  if (!isBasic) {
    form.set("client_id", id!);
    form.set("client_secret", secret!);
  }
  const headers = isBasic ? basic(id!, secret!) : {};
  const response = await as.fetch(`${issuer}/oauth2/token`, { method: "POST", headers, body: form });
  const { refusal } = journal.at(-1)!.facts;
  await as.close();
  return [response, refusal?.remedy];
}
