/** The journal: one entry for each exchange. The lines on the console and the kit's assertions are views of it. */

/** Why the server refused a request. */
export interface Refusal {
  readonly error: string;
  readonly reason: string;
  readonly description: string;
  readonly spec?: string;
  readonly expected?: string;
  readonly received?: string;
  readonly remedy?: string;
}

/** A rule that the request broke and that the server does not enforce. */
export type Advice = Pick<Refusal, "reason" | "description" | "spec" | "expected">;

/** A change at a seam. */
export interface Alteration {
  readonly seam: string;
  /** The name of the hook or misbehaviour that made it. A function that gives no name is called `seams.response`. */
  readonly by: string;
}

/** What the steps found out about an exchange, without secrets. */
export interface Facts {
  readonly endpoint: string;
  /** The id of the grant that this exchange belongs to. */
  readonly flow: string;
  readonly clientId: string;
  readonly clientAuth: string;
  readonly subject: string;
  readonly grantType: string;
  readonly pkce: "S256" | "none";
  /** The sources of the authorization request, unless its parameters came in the query or the form. */
  readonly arrivedBy: readonly string[];
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  readonly refusal: Refusal;
  readonly advice: Advice;
  /** What seams changed, in that order. */
  readonly altered: readonly Alteration[];
  /** An error of the server itself, whole, for its operator. The client never sees it. */
  readonly fault: unknown;
  /** What a feature notes for itself, under its name. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** Headers and body, unchanged. */
export interface Message {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** In bytes, for a body that is not text and so is not kept. The length of a stream is unknown. */
  readonly bodyLength?: number | "unknown";
}

/** With its secrets. It stays in memory, and every view redacts it. */
export interface JournalEntry {
  readonly id: string;
  readonly receivedAt: number;
  /** In seconds. */
  readonly duration: number;
  readonly request: Message & { readonly method: string; readonly path: string; readonly query: string };
  readonly response: Message & { readonly status: number };
  readonly facts: Partial<Facts>;
}

/** Receives the entry of each exchange after the answer. */
export type Journal = (entry: JournalEntry) => void;

/** `"response", "id_token" (at claims)`: each name once, and its seam where that has another name. */
export function describeAltered(altered: readonly Alteration[]): string {
  const names = altered.map(({ seam, by }) => by === seam ? `"${by}"` : `"${by}" (at ${seam})`);
  return [...new Set(names)].join(", ");
}
